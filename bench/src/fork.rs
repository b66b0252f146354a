//! `byway-bench fork`: what a fork costs, in time and in memory.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::exec_stats::TargetResult;
use crate::process;
use crate::record;
use crate::run_metrics::RunMetrics;
use crate::setup::{BenchSetup, WorkDir};
use crate::toolchain::Level;

const ABOUT: &str = "\
What does a fork cost, in time and in memory?

Explores bench/micro/branch_indep.c, whose paths do little but fork: with 18 branches and no
tests by several searchers, with 14 branches and tests, and with 20 branches breadth first, when
a million states are alive at once. Each several times; the median run counts. Seconds are those
of the whole process. The run with tests is compared with writing the same files, under the same
names, and nothing else. Everything is written into memory (/dev/shm).

The exit code is 1 if a target is missed: 300,000 paths per second depth first without tests,
twice the time of writing the files with tests, and 1,000,000 states in 1 GiB.";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT)]
pub struct ForkOptions {
    /// Runs of each
    #[arg(long, value_name = "N", default_value_t = 5)]
    runs: usize,

    /// Write the result to bench/results/DATE-fork.md
    #[arg(long)]
    record: bool,
}

/// Paths per second, depth first and without tests.
const PATHS_PER_SECOND: f64 = 300_000.0;
/// The time with tests, as a multiple of writing the test files alone.
const TIMES_WRITING: f64 = 2.0;
/// States that must live at once, and the bytes the process may take for it.
const STATES: u64 = 1_000_000;
const BYTES: u64 = 1 << 30;

/// Far more than any run should take.
const LIMIT: Duration = Duration::from_secs(600);

/// One exploration.
struct ForkRun {
    wall: f64,
    cpu: f64,
    metrics: RunMetrics,
    /// Seconds it took to write its tests once more.
    writing: f64,
}

/// The compiled program, and the directory of its runs.
struct ForkProgram<'a> {
    setup: &'a BenchSetup,
    folder: WorkDir,
    bitcode: PathBuf,
    runs: usize,
    branches: u32,
}

/// Runs the benchmark and returns whether all targets are met.
pub fn main(options: ForkOptions) -> Result<bool, String> {
    let (runs, record) = (options.runs.max(1), options.record);
    let setup = BenchSetup::in_memory()?;
    let mut report = format!("The median of {runs} runs of `branch_indep`.\n\n");

    let subject = ForkProgram::new(&setup, 18, runs)?;
    report.push_str(
        "| branches | searcher | paths | s | CPU s | paths a second |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    let mut depth_first = None;
    for searcher in ["dfs", "bfs", "random-path"] {
        eprintln!("{searcher}");
        let run = subject.median(&["--no-tests", "--search", searcher])?;
        report.push_str(&format!(
            "| 18 | {searcher} | {} | {:.3} | {:.2} | {:.0} |\n",
            run.metrics.paths,
            run.wall,
            run.cpu,
            run.metrics.paths as f64 / run.wall
        ));
        depth_first.get_or_insert(run);
    }
    let forking = depth_first.map_or(TargetResult::Missed, |run| {
        TargetResult::of(run.wall, run.cpu, run.metrics.paths as f64 / PATHS_PER_SECOND)
    });
    drop(subject);

    eprintln!("tests");
    let run = ForkProgram::new(&setup, 14, runs)?.median(&["--search", "dfs"])?;
    let writing = TargetResult::of(run.wall, run.cpu, TIMES_WRITING * run.writing);
    report.push_str(&format!(
        "\nWith tests, 14 branches: {} paths in {:.3} s ({:.2} CPU s); writing the same files \
         alone takes {:.3} s, which is {:.1} times as fast.\n",
        run.metrics.paths,
        run.wall,
        run.cpu,
        run.writing,
        run.wall / run.writing
    ));

    eprintln!("memory");
    let breadth_first = ["--no-tests", "--search", "bfs", "--stats-interval", "100ms"];
    let run = ForkProgram::new(&setup, 20, runs)?.median(&breadth_first)?;
    let (states, bytes) = (run.metrics.max_states, run.metrics.process_memory);
    report.push_str(&format!(
        "\nBreadth first, 20 branches: {states} states at once, {:.0} MiB at most as seen every \
         100 ms: {} bytes a state, in {:.3} s.\n",
        bytes as f64 / f64::from(1 << 20),
        bytes / states.max(1),
        run.wall,
    ));
    let memory =
        if states >= STATES && bytes < BYTES { TargetResult::Met } else { TargetResult::Missed };

    report.push_str(&format!(
        "\n{PATHS_PER_SECOND} paths a second depth first: {forking}\n\n\
         at most {TIMES_WRITING} times the time of writing the files: {writing}\n\n\
         {STATES} states in {BYTES} bytes: {memory}\n"
    ));
    println!("{report}");
    if record {
        record::write("fork", "What a fork costs", &report)?;
    }
    Ok([forking, writing, memory]
        .into_iter()
        .all(|target_result| target_result != TargetResult::Missed))
}

impl<'a> ForkProgram<'a> {
    fn new(setup: &'a BenchSetup, branches: u32, runs: usize) -> Result<Self, String> {
        let folder = setup.folder("branch_indep")?;
        let bitcode = folder.file("program.bc");
        let source = setup.root.join("bench/micro/branch_indep.c");
        let include = format!("-I{}", setup.root.join("runtime/include").display());
        let flags = ["-g".to_owned(), format!("-DN={branches}"), include];
        setup.toolchain.bitcode(&source, Level::O0, &flags, &bitcode)?;
        let subject = ForkProgram { setup, folder, bitcode, runs, branches };
        // The first run fills the cache.
        subject.explore(&["--no-tests", "--search", "dfs", "--max-depth", "1"])?;
        Ok(subject)
    }

    /// The median run. Every run must find every path.
    fn median(&self, flags: &[&str]) -> Result<ForkRun, String> {
        let run = |_| self.explore(flags);
        let mut runs = (0..self.runs).map(run).collect::<Result<Vec<_>, _>>()?;
        if let Some(run) = runs.iter().find(|run| run.metrics.paths != 1 << self.branches) {
            let (paths, branches) = (run.metrics.paths, self.branches);
            return Err(format!("{paths} paths were found with {branches} branches"));
        }
        runs.sort_by(|a, b| a.wall.total_cmp(&b.wall));
        Ok(runs.swap_remove(runs.len() / 2))
    }

    fn explore(&self, flags: &[&str]) -> Result<ForkRun, String> {
        let out = self.folder.file("run");
        let mut command = self.setup.byway();
        command.arg("run").arg("--output-dir").arg(&out).args(flags);
        command.env("BYWAY_CACHE", self.folder.file("cache")).arg(&self.bitcode);
        let process::ProcessTimes { wall, cpu } = process::explore(&mut command, LIMIT)?;
        let metrics = RunMetrics::read(&out)?;
        let writing = write_again(&out.join("tests"), &self.folder.file("again"))?;
        std::fs::remove_dir_all(&out).map_err(|e| format!("{}: {e}", out.display()))?;
        Ok(ForkRun { wall, cpu, metrics, writing })
    }
}

/// Writes the files of a directory once more, to another; seconds for the writing alone.
fn write_again(from: &Path, to: &Path) -> Result<f64, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", to.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let bytes = std::fs::read(entry.path()).map_err(failed)?;
        files.push((to.join(entry.file_name()), bytes));
    }
    std::fs::create_dir(to).map_err(failed)?;
    let began = Instant::now();
    for (path, bytes) in &files {
        std::fs::write(path, bytes).map_err(failed)?;
    }
    let seconds = began.elapsed().as_secs_f64();
    std::fs::remove_dir_all(to).map_err(failed)?;
    Ok(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_again_and_taken_away() {
        let dir = tempfile::TempDir::new().expect("a directory");
        let (from, to) = (dir.path().join("from"), dir.path().join("to"));
        std::fs::create_dir_all(&from).expect("a directory");
        std::fs::write(from.join("a"), b"bytes").expect("a file");
        assert!(write_again(&from, &to).expect("writable") > 0.0);
        assert!(!to.exists() && from.join("a").exists());
        assert!(write_again(&to, &from).is_err(), "there is nothing to write");
    }
}
