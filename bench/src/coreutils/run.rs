//! `coreutils run`: every tool explored under the same symbolic input.
//!
//! What is asked of Byway is that it gets through: exit code 0 or 1 and a summary. Any
//! other end is an error of the engine and fails the benchmark. The rest is measured.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::figures::ToolFigures;
use super::{Tools, run_report};
use crate::pool;
use crate::process::{self, ProcessResult, ProcessStatus};
use crate::record;
use crate::setup::{BenchSetup, create_dir};

/// The input each tool is given: what is customary for Coreutils, with small sizes.
pub const INPUT: &str =
    "--sym-args 0 1 10 --sym-args 0 2 2 --sym-files 1 8 --sym-stdin 8 --sym-stdout";

/// What a run may take beyond its own limit before it counts as stuck: the tests of all
/// states that live are still written, on a machine that does other things, too.
const GRACE: Duration = Duration::from_secs(120);

/// How tools are explored.
pub struct ToolRunSettings {
    /// For how long.
    pub time: Duration,
    /// In which order, if not the default one.
    pub search: Option<String>,
    /// Where run directories stay, if they should.
    pub keep: Option<PathBuf>,
    /// How many at a time.
    pub jobs: usize,
}

/// What came of exploring a tool.
pub struct ToolRun {
    /// The tool.
    pub tool: String,
    /// Wall time, loading included.
    pub wall: Duration,
    /// The figures, or how the engine failed.
    pub explored: Result<ToolFigures, String>,
}

/// Explores the tools; whether the engine got through all of them.
pub fn run(
    setup: &BenchSetup,
    tools: &Tools,
    names: &[String],
    settings: &ToolRunSettings,
    record: bool,
) -> Result<bool, String> {
    if let Some(keep) = &settings.keep {
        create_dir(keep)?;
    }
    let (done, out) = (AtomicUsize::new(0), Mutex::new(()));
    let runs = pool::map(names, settings.jobs, |tool| {
        let run = explore(setup, tools, tool, settings);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        let _whole_lines = out.lock();
        eprintln!("coreutils: {done}/{} {}", names.len(), run_report::progress(&run));
        run
    });
    let seconds = settings.time.as_secs_f64();
    let how = format!("`byway run --max-time {seconds}s {}{INPUT} TOOL.bc`", search(settings));
    let report = format!("Each tool under {how}.\n\n{}", run_report::report(&runs, settings.time));
    println!("{report}");
    if record {
        record::write("coreutils-run", "Coreutils explored", &report)?;
    }
    Ok(runs.iter().all(|run| run.explored.is_ok()))
}

fn search(settings: &ToolRunSettings) -> String {
    settings.search.as_ref().map_or_else(String::new, |search| format!("--search {search} "))
}

fn explore(setup: &BenchSetup, tools: &Tools, tool: &str, settings: &ToolRunSettings) -> ToolRun {
    let mut wall = Duration::ZERO;
    let explored = (|| {
        let folder = setup.folder(tool)?;
        let dir = match &settings.keep {
            Some(keep) => keep.join(tool),
            None => folder.file("run"),
        };
        let mut command = setup.byway();
        command.arg("run").arg("--output-dir").arg(&dir);
        command.arg("--max-time").arg(format!("{}ms", settings.time.as_millis()));
        if let Some(search) = &settings.search {
            command.args(["--search", search]);
        }
        command.args(INPUT.split(' ')).arg(tools.bitcode(tool));
        let ended = process::run(&mut command, b"", settings.time + GRACE)?;
        wall = ended.time;
        outcome(&dir, &ended)
    })();
    ToolRun { tool: tool.to_owned(), wall, explored }
}

/// The figures of a run that ended as it should.
fn outcome(dir: &Path, ended: &ProcessResult) -> Result<ToolFigures, String> {
    match ended.status {
        ProcessStatus::Code(0 | 1) => ToolFigures::read(dir),
        status => {
            let said = ended.stderr_text();
            let telling = |line: &&str| line.contains("panicked") || line.contains("error");
            let last = said.lines().find(telling).or_else(|| said.lines().last());
            Err(format!("{status}: {}", last.unwrap_or("it said nothing")))
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
        assert_eq!(failed.err(), Some("signal 9: it said nothing".into()));
    }

    #[test]
    fn a_run_without_a_summary_is_one_too() {
        let failed = outcome(Path::new("/nowhere"), &ended(ProcessStatus::Code(0), ""));
        assert!(failed.err().is_some_and(|error| error.contains("summary.json")));
    }
}
