//! `byway-bench jobs`: how much faster several workers explore than one, and whether
//! they find the same.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use byway_rundir::{JobRecord, RunDirError, RunReader};

use crate::process;
use crate::record;
use crate::setup::BenchSetup;
use crate::toolchain::Level;

const ABOUT: &str = "\
How much faster do several workers explore than one?

Explores programs of bench/micro to the end, with -j 1 and with more workers alternately, and
writes no tests. Compares the paths found: their digests, outcomes and instructions.

The exit code is 1 if a path is missing or found twice, or if the speed-up is less than 0.85
times N. On a busy machine the wall time means little: consider the processor time, of which
several workers together should take hardly more than one, and how long they waited for work.";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT)]
pub struct JobsOptions {
    /// Number of workers
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,

    /// Runs, of which the median counts
    #[arg(long, value_name = "N", default_value_t = 5)]
    runs: usize,

    /// Programs whose name contains this text
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    only: String,

    /// Write the result to bench/results/DATE-jobs.md
    #[arg(long)]
    record: bool,
}

/// Programs that are explored to the end: forks alone, and two that take solving.
const PROGRAMS: [(&str, &str); 3] =
    [("branch_indep", "-DN=18"), ("branch_coupled", "-DN=14"), ("list_insert", "-DN=7")];

/// The required speed-up, as a fraction of the number of workers.
const TARGET: f64 = 0.85;

const LIMIT: Duration = Duration::from_secs(600);

/// The figures of one run.
struct JobsRun {
    /// Seconds of exploration, without loading.
    seconds: f64,
    /// Processor seconds of the whole process.
    cpu: f64,
    /// Seconds that workers waited, added up.
    waited: f64,
    /// States that moved.
    moved: u64,
    /// How often each path was found: digest, outcome and instructions.
    paths: BTreeMap<(u64, &'static str, u64), u64>,
}

/// The runs of one program.
struct JobsResult {
    /// The median of those by one worker.
    alone: JobsRun,
    /// The median of those by several.
    several: JobsRun,
    /// How the paths differ from those of the first run with one worker.
    complaint: Option<String>,
}

/// Runs the benchmark and returns whether the same paths were found, and fast enough.
pub fn main(options: JobsOptions) -> Result<bool, String> {
    let JobsOptions { jobs, runs, only, record } = options;
    let (jobs, runs) = (jobs.max(2), runs.max(1));

    let setup = BenchSetup::in_memory()?;
    let mut table = format!(
        "Seconds of exploring, the median of {runs} runs, no tests written; `-j {jobs}` beside `-j 1`. \
         In brackets the seconds of the processor, loading included.\n\n\
         | program | paths | -j 1 | -j {jobs} | faster | waited | moved | paths |\n\
         |---|---:|---:|---:|---:|---:|---:|---|\n"
    );
    let mut sound = true;
    for (name, define) in PROGRAMS.iter().filter(|(name, _)| name.contains(&only)) {
        eprintln!("{name} {define}");
        let JobsResult { alone, several, complaint } = measure(&setup, name, define, jobs, runs)?;
        let faster = alone.seconds / several.seconds;
        sound &= complaint.is_none() && faster >= TARGET * jobs as f64;
        table += &format!(
            "| {name} {define} | {} | {:.2} ({:.2}) | {:.2} ({:.2}) | {faster:.2} | {:.2} | {} | {} |\n",
            alone.paths.len(),
            alone.seconds,
            alone.cpu,
            several.seconds,
            several.cpu,
            several.waited,
            several.moved,
            complaint.as_deref().unwrap_or("the same"),
        );
    }
    println!("{table}");
    if record {
        record::write("jobs", "How much faster several workers explore", &table)?;
    }
    Ok(sound)
}

/// Explores with one worker and with several alternately, so that other load on the machine
/// affects both.
fn measure(
    setup: &BenchSetup,
    name: &str,
    define: &str,
    jobs: usize,
    runs: usize,
) -> Result<JobsResult, String> {
    let folder = setup.folder(name)?;
    let bitcode = folder.file("program.bc");
    let source = setup.root.join("bench/micro").join(name).with_extension("c");
    let include = format!("-I{}", setup.root.join("runtime/include").display());
    let flags = [define.to_owned(), include];
    setup.toolchain.bitcode(&source, Level::O0, &flags, &bitcode)?;
    let cache = folder.file("cache");
    let run = |jobs, number: usize| {
        let out = folder.file(&format!("run-{jobs}-{number}"));
        explore(setup, &bitcode, &cache, &out, jobs)
    };
    // The first run fills the cache and gives the expected paths.
    let expected = run(1, 0)?.paths;
    let twice = expected.values().any(|&times| times > 1);
    let mut complaint = twice.then(|| "A PATH IS THERE TWICE".to_owned());
    let mut series = [Vec::new(), Vec::new()];
    for number in 1..=runs {
        for (place, jobs) in [1, jobs].into_iter().enumerate() {
            let explored = run(jobs, number)?;
            if explored.paths != expected {
                let found = explored.paths.len();
                let missing = expected.keys().filter(|key| !explored.paths.contains_key(key));
                let missing = missing.count();
                complaint = Some(format!("DIFFERENT: -j {jobs}: {found}, {missing} missing"));
            }
            series[place].push(explored);
        }
    }
    let [alone, several] = series.map(|mut runs: Vec<JobsRun>| {
        runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        runs.swap_remove(runs.len() / 2)
    });
    Ok(JobsResult { alone, several, complaint })
}

fn explore(
    setup: &BenchSetup,
    bitcode: &Path,
    cache: &Path,
    out: &Path,
    jobs: usize,
) -> Result<JobsRun, String> {
    let mut command = setup.byway();
    command.args(["run", "--no-tests", "--jobs"]).arg(jobs.to_string());
    command.arg("--output-dir").arg(out).env("BYWAY_CACHE", cache).arg(bitcode);
    let cpu = process::explore(&mut command, LIMIT)?.cpu;
    let run = read(out, cpu).map_err(|e| e.to_string())?;
    // Hundreds of thousands of paths need not pile up.
    drop(std::fs::remove_dir_all(out));
    run.ok_or_else(|| "not explored to the end".into())
}

/// `None` if the exploration is not complete.
fn read(dir: &Path, cpu: f64) -> Result<Option<JobsRun>, RunDirError> {
    let run = RunReader::open(dir)?;
    let mut paths = BTreeMap::new();
    for path in run.paths()? {
        let path = path?;
        let key = (path.digest, path.outcome.name(), path.instructions);
        *paths.entry(key).or_default() += 1;
    }
    let last = run.clock()?.last.unwrap_or_default();
    let sum = |figure: fn(&JobRecord) -> u64| last.jobs.iter().map(figure).sum::<u64>();
    let figures = JobsRun {
        seconds: last.elapsed_ms as f64 / 1e3,
        cpu,
        waited: sum(|job| job.idle_ms) as f64 / 1e3,
        moved: sum(|job| job.taken),
        paths,
    };
    Ok(run.ended_summary()?.complete.then_some(figures))
}
