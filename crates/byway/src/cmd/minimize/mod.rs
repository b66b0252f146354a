//! `byway minimize`: finds a subset of a run's tests that covers what all of them cover.
//!
//! Every test runs again on the engine, which records the function entries and branch sides of
//! the user's code that it reaches. A fault counts as covered too. A truncated path is
//! truncated again at the same instruction. Nothing is deleted.

mod config;
mod flags;
mod set_cover;

use std::fs;
use std::path::{Path, PathBuf};

use byway_base::Outcome;
use byway_progress::{JobProgress, ProgressMode};
use byway_rundir::{OutcomeRecord, RunReader};
use byway_testcase::ktest;

pub use config::MinimizeConfig;
pub use flags::{EXAMPLES, MinimizeFlags};

use crate::console::{print, say};
use crate::exit;
use crate::failure::{Failure, Result};
use crate::interrupt;
use crate::native_run::{self, RunTest};
use crate::rerun::{self, ExploredProgram, RerunConditions, Rerunner};
use byway_base::quantity::plural;

/// `byway minimize`: prints the tests to keep.
pub fn minimize(config: &MinimizeConfig) -> Result<u8> {
    let run = RunReader::open(&config.run)?;
    let tests = native_run::select_tests(&run, None)?;
    let output = config.output.as_deref().map(empty_directory).transpose()?;
    let shown = config.run.display();
    let run = RunReader::open(&native_run::absolute(&config.run)?)?;
    rerun::enter_directory(run.manifest())?;
    let program = ExploredProgram::load(&config.loader, run.manifest())?.ok_or_else(|| {
        Failure::new(format!("the program of '{shown}' has changed since it was explored"))
            .hint("explore it again: the coverage of its tests may have changed")
    })?;
    let rerunner = program.rerunner();
    let reruns = CoverageReruns { run: &run, rerunner: &rerunner, progress: config.progress };
    let reruns = reruns.all(&tests)?;
    let truncated = tests.iter().zip(&reruns).filter(|(_, rerun)| rerun.truncated);
    let (late, early): (Vec<_>, Vec<_>) = truncated.partition(|(test, _)| test.has_ended());
    let (late, early) = (late.len() as u64, early.len() as u64);
    let sets: Vec<Vec<u32>> = reruns.into_iter().map(|rerun| rerun.set).collect();
    let kept = set_cover::select(&sets);
    let mut list = String::new();
    for &index in &kept {
        let name = &tests[index].name;
        if let Some(output) = &output {
            let copy = output.join(name);
            let copied = run.read_test(name).and_then(|bytes| fs::write(&copy, bytes));
            copied.map_err(|error| Failure::io("write", &copy, &error))?;
        }
        let given = config.run.join("tests").join(name);
        list.push_str(&format!("{}\n", given.display()));
    }
    print(&list)?;
    let (kept, total) = (kept.len(), tests.len());
    say(&format!("byway: {kept} of {total} tests cover as much as all of them"));
    if early > 0 {
        let tests = plural(early, "test");
        say(&format!("byway: {tests} of unfinished paths: run up to the same instruction"));
    }
    if late > 0 {
        let tests = plural(late, "test");
        say(&format!("byway: warning: {tests} truncated long after the end of the recorded path"));
    }
    Ok(exit::SUCCESS)
}

/// Creates the directory; an error if it is not empty.
fn empty_directory(path: &Path) -> Result<PathBuf> {
    fs::create_dir_all(path).map_err(|error| Failure::io("make", path, &error))?;
    let mut entries = fs::read_dir(path).map_err(|error| Failure::io("read", path, &error))?;
    match entries.next() {
        None => native_run::absolute(path),
        Some(_) => Err(Failure::new(format!("'{}' is not empty", path.display()))
            .hint("--output-dir needs an empty or new directory")),
    }
}

/// The result of running a test again.
struct TestRerun {
    /// What it covers: sites have even numbers, faults odd ones.
    set: Vec<u32>,
    /// The instruction limit ended it.
    truncated: bool,
}

/// Runs tests again on the engine, and finds out what each covers.
struct CoverageReruns<'a> {
    run: &'a RunReader,
    rerunner: &'a Rerunner<'a>,
    progress: ProgressMode,
}

impl CoverageReruns<'_> {
    fn all(&self, tests: &[RunTest]) -> Result<Vec<TestRerun>> {
        let mut progress = JobProgress::new(self.progress, "measuring", tests.len());
        let mut reruns = Vec::with_capacity(tests.len());
        for test in tests {
            if interrupt::requested() {
                break;
            }
            reruns.push(self.one(test)?);
            progress.finished(String::new);
        }
        match reruns.len() == tests.len() && !interrupt::requested() {
            true => Ok(reruns),
            false => Err(Failure::interrupted_while("running tests again")),
        }
    }

    fn one(&self, test: &RunTest) -> Result<TestRerun> {
        let read = self.run.read_test(&test.name).and_then(|bytes| Ok(ktest::decode(&bytes)?));
        let failed = |error| Failure::io("read", &self.run.test_path(&test.name), &error);
        let inputs = read.map_err(failed)?;
        let rerun = self.rerunner.run(&inputs, RerunConditions::Same, test.instruction_limit())?;
        let mut set: Vec<u32> = rerun.covered.iter().map(|site| site * 2).collect();
        if let Some(OutcomeRecord::Fault { id, .. }) = &test.outcome
            && matches!(rerun.outcome, Outcome::Fault(_))
            && let Ok(id) = u32::try_from(*id)
        {
            set.push(id * 2 + 1);
        }
        Ok(TestRerun { set, truncated: rerun.outcome == Outcome::OutOfBudget })
    }
}
