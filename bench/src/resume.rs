//! `byway-bench resume`: does a run that is killed again and again find what one run finds, and what
//! do its checkpoints cost?

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use byway_base::Rng;
use byway_rundir::RunReader;

use crate::record;
use crate::setup::{BenchSetup, WorkDir};
use crate::toolchain::Level;

const ABOUT: &str = "\
Does a run that is killed again and again find what one run finds?

Explores bench/resume/forks.c once, and a second time with kill -9 at random moments, each time
going on with --resume. Then measures what checkpoints cost on a program that does nothing but
fork: processor time with and without them, in turns, and bytes for each live state.

The exit code is 1 if a path or a test is lost or doubled, or if the checkpoints before the last
take more than three percent of the processor time, or a checkpoint 100 bytes for a state.";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT)]
pub struct ResumeOptions {
    /// Kills of each run
    #[arg(long, value_name = "N", default_value_t = 50)]
    kills: u32,

    /// Searchers, separated by commas
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "bfs,random-path,auto"
    )]
    search: Vec<String>,

    /// Numbers of workers, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = [1, 2])]
    jobs: Vec<usize>,

    /// The seed of the moments
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Write the result to bench/results/DATE-resume.md
    #[arg(long)]
    record: bool,
}

/// A killed run makes checkpoints at this interval.
const INTERVAL: &str = "50ms";

/// Runs with and without checkpoints that are compared.
const ROUNDS: usize = 5;

/// The most processor time of checkpoints, in percent.
const MOST_TIME: f64 = 3.0;

/// The most bytes of a checkpoint for a state.
const MOST_BYTES: f64 = 100.0;

/// The paths of a run: how often each occurs, by digest, outcome, and whether it has a test.
type PathCounts = BTreeMap<(u64, &'static str, bool), u32>;

/// Runs the benchmark and returns whether nothing was lost and checkpoints are cheap.
pub fn main(options: ResumeOptions) -> Result<bool, String> {
    let setup = BenchSetup::in_memory()?;
    let folder = setup.folder("resume")?;
    let [program, larger] = [("forks.bc", 11), ("larger.bc", 18)].map(|(name, bytes)| {
        let program = folder.file(name);
        compile(&setup, &program, bytes).map(|()| program)
    });
    let (program, larger) = (program?, larger?);
    let mut report = format!(
        "Killed at random moments, with checkpoints every {INTERVAL} of processor time.\n\n\
         | searcher | -j | kills | before the first checkpoint | paths | most live states | lost \
         | doubled | tests lost or doubled | paths that ended again |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
    );
    let mut holds = true;
    let mut rng = Rng::new(options.seed);
    for search in &options.search {
        for &jobs in &options.jobs {
            let bench =
                KilledRun { setup: &setup, folder: &folder, program: &program, search, jobs };
            holds &= bench.measure(options.kills, &mut rng, &mut report)?;
        }
    }
    holds &= cost(&setup, &folder, &larger, &mut report)?;
    println!("{report}");
    if options.record {
        record::write("resume", "Runs that are killed and go on", &report)?;
    }
    Ok(holds)
}

fn compile(setup: &BenchSetup, bitcode: &Path, bytes: u32) -> Result<(), String> {
    let include = format!("-I{}", setup.root.join("runtime/include").display());
    let bytes = format!("-DBYTES={bytes}");
    let flags = ["-g", "-Xclang", "-disable-O0-optnone", &include, &bytes].map(str::to_owned);
    setup.toolchain.bitcode(&setup.root.join("bench/resume/forks.c"), Level::O0, &flags, bitcode)
}

/// One configuration.
struct KilledRun<'a> {
    setup: &'a BenchSetup,
    folder: &'a WorkDir,
    program: &'a Path,
    search: &'a str,
    jobs: usize,
}

impl KilledRun<'_> {
    fn measure(&self, kills: u32, rng: &mut Rng, report: &mut String) -> Result<bool, String> {
        let name = format!("{}-{}", self.search, self.jobs);
        let (whole, killed) = (
            self.folder.file(&format!("{name}-whole")),
            self.folder.file(&format!("{name}-killed")),
        );
        let began = Instant::now();
        wait(self.start(&whole)?)?;
        let time = began.elapsed();
        let mut unsaved = 0;
        for done in 0..kills {
            eprintln!("{name}: {done} of {kills} kills");
            unsaved += u32::from(!killed.join("checkpoint").exists());
            let mut child = self.start_or_resume(&killed)?;
            std::thread::sleep(time.mul_f64(0.02 + rng.unit() / 4.0));
            child.kill().map_err(|error| format!("cannot kill byway: {error}"))?;
            wait(child)?;
            if killed.join("summary.json").exists() {
                // It was done before it was killed; another one is killed instead.
                self.check(&whole, &killed)?;
                fs::remove_dir_all(&killed).map_err(|error| error.to_string())?;
            }
        }
        if !killed.join("summary.json").exists() {
            wait(self.start_or_resume(&killed)?)?;
        }
        let found = self.check(&whole, &killed)?;
        let KillComparison { paths, states, lost, doubled, tests, again } = found;
        let _ = writeln!(
            report,
            "| {} | {} | {kills} | {unsaved} | {paths} | {states} | {lost} | {doubled} | {tests} | {again} |",
            self.search, self.jobs,
        );
        Ok(lost + doubled + tests == 0)
    }

    /// Starts a new run.
    fn start(&self, out: &Path) -> Result<Child, String> {
        let mut command = self.setup.byway();
        command.args(["run", "--search", self.search, "-j", &self.jobs.to_string()]);
        command
            .args(["--checkpoint-interval", INTERVAL, "--output-dir"])
            .arg(out)
            .arg(self.program);
        command.stderr(Stdio::null()).spawn().map_err(|e| format!("cannot start byway: {e}"))
    }

    fn start_or_resume(&self, out: &Path) -> Result<Child, String> {
        if !out.join("manifest.json").exists() {
            if out.exists() {
                fs::remove_dir_all(out).map_err(|error| error.to_string())?;
            }
            return self.start(out);
        }
        let mut command = self.setup.byway();
        command.args(["run", "--resume"]).arg(out).stderr(Stdio::null());
        command.spawn().map_err(|error| format!("cannot start byway: {error}"))
    }

    /// Compares a run in sittings with the one in a single sitting.
    fn check(&self, whole: &Path, killed: &Path) -> Result<KillComparison, String> {
        let (expected, found) = (paths(whole)?, paths(killed)?);
        let missing = |path: &(u64, &str, bool)| !found.contains_key(path);
        let summary = reader(killed)?.ended_summary().map_err(|error| error.to_string())?;
        let named: u32 = found.iter().filter(|((.., test), _)| *test).map(|(_, count)| count).sum();
        let files = reader(killed)?.test_names().map_err(|error| error.to_string())?.len();
        let of_whole = expected.keys().filter(|(.., test)| *test).count();
        Ok(KillComparison {
            paths: found.len(),
            states: summary.totals.max_states,
            lost: expected.keys().filter(|path| missing(path)).count(),
            doubled: found.len().saturating_sub(expected.len())
                + found.values().filter(|&&count| count > 1).count(),
            tests: files.abs_diff(of_whole) + files.abs_diff(named as usize),
            again: summary.totals.campaign.map_or(0, |campaign| campaign.repeated),
        })
    }
}

struct KillComparison {
    paths: usize,
    states: u64,
    lost: usize,
    doubled: usize,
    tests: usize,
    again: u64,
}

fn wait(mut child: Child) -> Result<(), String> {
    child.wait().map(drop).map_err(|error| format!("cannot wait for byway: {error}"))
}

fn reader(run: &Path) -> Result<RunReader, String> {
    RunReader::open(run).map_err(|error| error.to_string())
}

fn paths(run: &Path) -> Result<PathCounts, String> {
    let mut counts = PathCounts::new();
    for path in reader(run)?.paths().map_err(|error| error.to_string())? {
        let path = path.map_err(|error| error.to_string())?;
        let key = (path.digest, path.outcome.name(), path.test.is_some());
        *counts.entry(key).or_default() += 1;
    }
    Ok(counts)
}

/// What checkpoints cost, on a program that does nothing but fork: a run with one each second of
/// processor time, one with a single checkpoint at its end, and one with none.
fn cost(
    setup: &BenchSetup,
    folder: &WorkDir,
    program: &Path,
    report: &mut String,
) -> Result<bool, String> {
    let mut times = [Duration::ZERO; 3];
    let (mut bytes, mut states) = (0, 0);
    for round in 0..ROUNDS {
        eprintln!("cost: round {} of {ROUNDS}", round + 1);
        for (interval, time) in ["1s", "10h", "0s"].into_iter().zip(&mut times) {
            let out = folder.file(&format!("cost-{interval}-{round}"));
            let mut command = setup.byway();
            command.args(["run", "--search", "random-path", "--no-tests"]);
            command.args(["--checkpoint-interval", interval, "--max-work", "10M", "--output-dir"]);
            command.arg(&out).arg(program);
            *time += run_time(command, &out)?;
            if interval == "1s" {
                let summary = reader(&out)?.ended_summary().map_err(|error| error.to_string())?;
                states = summary.totals.lost.unfinished;
                bytes = size_of(&out.join("checkpoint"));
            }
            fs::remove_dir_all(&out).map_err(|error| error.to_string())?;
        }
    }
    let [often, once, never] = times.map(|time| time.as_secs_f64() / ROUNDS as f64);
    let percent = (often - once) / never * 100.0;
    let last = (once - never) * 1e6 / states.max(1) as f64;
    let each = bytes as f64 / states.max(1) as f64;
    let _ = writeln!(
        report,
        "\nCost, mean of {ROUNDS} runs in turns, random-path, {states} live states at the end: {never:.2} s of the \
         processor without checkpoints, {once:.2} s with one at the end ({last:.1} microseconds for each state), \
         {often:.2} s with one each second, too: {percent:+.1} %. The log at the end: {bytes} bytes, {each:.0} for each \
         state.",
    );
    Ok(percent <= MOST_TIME && each <= MOST_BYTES)
}

/// Runs a command; its processor time.
fn run_time(mut command: std::process::Command, out: &Path) -> Result<Duration, String> {
    let child = command.stderr(Stdio::null()).spawn();
    wait(child.map_err(|error| format!("cannot start byway: {error}"))?)?;
    let clock = reader(out)?.clock().map_err(|error| error.to_string())?;
    let last = clock.last.ok_or("the run wrote no statistics")?;
    Ok(Duration::from_millis(last.cpu_ms))
}

/// The bytes of the newest file in a directory of logs.
fn size_of(logs: &Path) -> u64 {
    let entries = fs::read_dir(logs).into_iter().flatten().flatten();
    let newest: Option<PathBuf> = entries.map(|entry| entry.path()).max();
    newest.and_then(|path| fs::metadata(path).ok()).map_or(0, |file| file.len())
}
