//! `coreutils run`: every tool explored under the same symbolic input.
//!
//! Byway must end with exit code 0 or 1 and a summary. Any other end is an error of the engine
//! and fails the benchmark. The rest is measured.

use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_base::quantity::parse_time;

use super::figures::ToolFigures;
use super::{Tools, ToolsOption, run_report};
use crate::parallel::map_reporting;
use crate::process::{self, ProcessResult, ProcessStatus};
use crate::record;
use crate::setup::{BenchSetup, create_dir};

/// The input of each tool: the customary one for Coreutils, with small sizes.
pub const INPUT: &str =
    "--sym-args 0 1 10 --sym-args 0 2 2 --sym-files 1 8 --sym-stdin 8 --sym-stdout";

/// Time beyond its own limit after which a run counts as stuck: it still writes the tests of
/// all live states, possibly on a busy machine.
const GRACE: Duration = Duration::from_secs(120);

/// Options of `coreutils run`.
#[derive(clap::Args, Debug)]
pub struct CoreutilsRunOptions {
    #[command(flatten)]
    pub tools: ToolsOption,

    /// How long each tool is explored
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_time)]
    time: Duration,

    /// The searcher (default: byway's own choice)
    #[arg(long, value_name = "NAME")]
    search: Option<String>,

    /// Keep the run directories, as DIR/TOOL
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,

    /// Tools at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,

    /// Write the result to bench/results/DATE-coreutils-run.md
    #[arg(long)]
    record: bool,
}

/// The exploration of a tool.
pub struct ToolRun {
    /// The tool.
    pub tool: String,
    /// Wall time, loading included.
    pub wall: Duration,
    /// The figures, or how the engine failed.
    pub explored: Result<ToolFigures, String>,
}

/// Explores the tools; returns whether the engine failed on none of them.
pub fn run(
    setup: &BenchSetup,
    tools: &Tools,
    names: &[String],
    options: &CoreutilsRunOptions,
) -> Result<bool, String> {
    if let Some(keep) = &options.keep {
        create_dir(keep)?;
    }
    let work = |tool: &String| explore(setup, tools, tool, options);
    let runs = map_reporting("coreutils", names, options.jobs, work, run_report::progress);
    let seconds = options.time.as_secs_f64();
    let how = format!("`byway run --max-time {seconds}s {}{INPUT} TOOL.bc`", search(options));
    let report = format!("Each tool under {how}.\n\n{}", run_report::report(&runs, options.time));
    println!("{report}");
    if options.record {
        record::write("coreutils-run", "Coreutils explored", &report)?;
    }
    Ok(runs.iter().all(|run| run.explored.is_ok()))
}

fn search(options: &CoreutilsRunOptions) -> String {
    options.search.as_ref().map_or_else(String::new, |search| format!("--search {search} "))
}

fn explore(
    setup: &BenchSetup,
    tools: &Tools,
    tool: &str,
    options: &CoreutilsRunOptions,
) -> ToolRun {
    let mut wall = Duration::ZERO;
    let explored = (|| {
        let folder = setup.folder(tool)?;
        let dir = match &options.keep {
            Some(keep) => keep.join(tool),
            None => folder.file("run"),
        };
        let mut command = setup.byway();
        command.arg("run").arg("--output-dir").arg(&dir);
        command.arg("--max-time").arg(format!("{}ms", options.time.as_millis()));
        if let Some(search) = &options.search {
            command.args(["--search", search]);
        }
        command.args(INPUT.split(' ')).arg(tools.bitcode(tool));
        let ended = process::run(&mut command, b"", options.time + GRACE)?;
        wall = ended.time;
        outcome(&dir, &ended)
    })();
    ToolRun { tool: tool.to_owned(), wall, explored }
}

/// The figures of a run that ended regularly.
fn outcome(dir: &Path, ended: &ProcessResult) -> Result<ToolFigures, String> {
    match ended.status {
        ProcessStatus::Code(0 | 1) => ToolFigures::read(dir),
        status => {
            let stderr = ended.stderr_text();
            let is_error = |line: &&str| line.contains("panicked") || line.contains("error");
            let last = stderr.lines().find(is_error).or_else(|| stderr.lines().last());
            Err(format!("{status}: {}", last.unwrap_or("no output")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(status: ProcessStatus, stderr: &str) -> ProcessResult {
        ProcessResult { status, stdout: Vec::new(), stderr: stderr.into(), time: Duration::ZERO }
    }

    #[test]
    fn any_other_exit_code_is_an_error_of_the_engine() {
        let stderr = "byway: 1 s\nthread 'main' panicked at x.rs:1\nnote: y\n";
        let failed = outcome(Path::new("/nowhere"), &ended(ProcessStatus::Code(101), stderr));
        assert_eq!(failed.err(), Some("exit code 101: thread 'main' panicked at x.rs:1".into()));
        let failed = outcome(Path::new("/nowhere"), &ended(ProcessStatus::Signal(9), ""));
        assert_eq!(failed.err(), Some("signal 9: no output".into()));
    }

    #[test]
    fn a_run_without_a_summary_is_one_too() {
        let failed = outcome(Path::new("/nowhere"), &ended(ProcessStatus::Code(0), ""));
        assert!(failed.err().is_some_and(|error| error.contains("/nowhere")));
    }
}
