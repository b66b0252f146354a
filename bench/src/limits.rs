//! `byway-bench limits`: does the process keep to small memory limits, whatever a program needs
//! memory for?

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_rundir::{RunDirError, RunReader};

use crate::process;
use crate::record;
use crate::setup::BenchSetup;
use crate::toolchain::Level;

const ABOUT: &str = "\
Does the process keep to small memory limits?

Explores every program of bench/limits, each of which needs memory of another kind without end:
objects, symbolic bytes, states, frames, terms, the path condition, the solver. The table has the
most memory of the process, as the system counts it, for each limit and number of workers.

The exit code is 1 if a process took more than a tenth beyond its limit.";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT)]
pub struct LimitsOptions {
    /// Programs whose name contains this text
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    only: String,

    /// Limits in MiB
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = [100, 500, 2048])]
    limits: Vec<u64>,

    /// Numbers of workers
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = [1, 2])]
    jobs: Vec<usize>,

    /// Seconds of each run
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    time: u64,

    /// Write the result to bench/results/DATE-limits.md
    #[arg(long)]
    record: bool,
}

/// Time beyond its limit after which a run counts as stuck.
const GRACE: Duration = Duration::from_secs(300);

/// The most memory of a process, as a multiple of its limit.
const MOST: f64 = 1.1;

const MIB: u64 = 1 << 20;

/// The figures of one run.
struct LimitFigures {
    /// The most resident bytes.
    taken: u64,
    /// What happened at the limit.
    effects: String,
}

/// Runs the benchmark and returns whether all processes kept to their limits.
pub fn main(options: LimitsOptions) -> Result<bool, String> {
    let LimitsOptions { only, limits, jobs, time, record } = options;
    let setup = BenchSetup::new(None)?;
    let programs: Vec<PathBuf> = programs(&setup.root.join("bench/limits"))?
        .into_iter()
        .filter(|path| name(path).contains(&only))
        .collect();
    if programs.is_empty() {
        return Err(format!("no program is called `{only}`"));
    }
    let mut report = format!(
        "`--max-time {time}s`, no tests written. The most memory of the process (`VmHWM`) in MiB; \
         *short* is how often the process itself reached the limit, *failed* counts allocations \
         of the program.\n\n\
         | program | limit | -j | most taken | taken / limit | what happened |\n\
         |---|---:|---:|---:|---:|---|\n"
    );
    let mut held = true;
    for program in &programs {
        let folder = setup.folder(&name(program))?;
        let bitcode = folder.file("program.bc");
        compile(&setup, program, &bitcode)?;
        for (&limit, &jobs) in limits.iter().flat_map(|l| jobs.iter().map(move |j| (l, j))) {
            eprintln!("{} {limit} MiB -j {jobs}", name(program));
            let out = folder.file(&format!("run-{limit}-{jobs}"));
            let figures = explore(&setup, &bitcode, &out, limit, jobs, time)?;
            let share = figures.taken as f64 / (limit * MIB) as f64;
            held &= share <= MOST;
            let mark = if share <= MOST { "" } else { " (!)" };
            let _ = writeln!(
                report,
                "| {} | {limit} | {jobs} | {} | {share:.2}{mark} | {} |",
                name(program),
                figures.taken / MIB,
                figures.effects,
            );
        }
    }
    println!("{report}");
    if record {
        record::write("limits", "Whether small memory limits hold", &report)?;
    }
    Ok(held)
}

/// The C programs of a folder, by name.
fn programs(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut programs: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    programs.sort();
    Ok(programs)
}

fn name(program: &Path) -> String {
    program.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn compile(setup: &BenchSetup, source: &Path, bitcode: &Path) -> Result<(), String> {
    let include = format!("-I{}", setup.root.join("runtime/include").display());
    let flags = ["-g", "-Xclang", "-disable-O0-optnone", &include];
    setup.toolchain.bitcode(source, Level::O0, &flags.map(str::to_owned), bitcode)
}

fn explore(
    setup: &BenchSetup,
    bitcode: &Path,
    out: &Path,
    limit: u64,
    jobs: usize,
    seconds: u64,
) -> Result<LimitFigures, String> {
    let mut command = setup.byway();
    command.arg("run").arg("--output-dir").arg(out).arg("--no-tests");
    command.arg("--max-memory").arg(format!("{limit}MiB")).arg("-j").arg(jobs.to_string());
    command.arg("--max-time").arg(format!("{seconds}s"));
    command
        .args([
            "--max-call-depth",
            "100000000",
            "--max-stack",
            "32GiB",
            "--max-program-memory",
            "64GiB",
        ])
        .arg(bitcode);
    process::explore(&mut command, Duration::from_secs(seconds) + GRACE)?;
    let read = || {
        let run = RunReader::open(out)?;
        Ok((run.ended_summary()?, run.clock()?.last.unwrap_or_default()))
    };
    let (summary, last) = read().map_err(|error: RunDirError| error.to_string())?;
    let (totals, lost) = (&summary.totals, &summary.totals.lost);
    let mut effects = vec![format!("{} paths", totals.path_count())];
    let undecided = lost.undecided.get("the memory limit was reached").copied().unwrap_or(0);
    for (count, what) in [
        (lost.dropped.get("max-memory").copied().unwrap_or(0), "dropped"),
        (lost.failed_allocations, "failed"),
        (undecided, "undecided"),
        (totals.memory_shortages, "short"),
    ] {
        if count > 0 {
            effects.push(format!("{count} {what}"));
        }
    }
    effects.push(summary.ended.name().to_string());
    Ok(LimitFigures { taken: last.max_process_memory, effects: effects.join(", ") })
}
