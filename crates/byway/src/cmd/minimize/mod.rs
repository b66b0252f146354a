//! `byway minimize`: the tests of a run that it takes to cover what all of them do.
//!
//! Every test is run again on the engine, which tells what of the user's code it comes
//! by: entries of functions and sides of branches. A fault counts as something to cover,
//! too. What was cut off is cut off again, at the same instruction. Nothing is deleted.

mod config;
mod cover;
mod flags;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use byway_base::Outcome;
use byway_rundir::{OutcomeRecord, RunReader};
use byway_testcase::ktest;

pub use config::MinimizeConfig;
pub use flags::{EXAMPLES, MinimizeFlags};

use crate::cmd::replay::plan::{self, Planned};
use crate::exit;
use crate::failure::{Failure, Result};
use crate::interrupt;
use crate::report;
use crate::report::print;
use crate::rerun::{self, Circumstances, Rerunner, Tester};
use byway_base::quantity::plural;

/// `byway minimize`: prints the tests to keep.
pub fn minimize(config: &MinimizeConfig) -> Result<u8> {
    let run = RunReader::open(&config.run)?;
    let tests = plan::tests(&run, None)?;
    let output = config.output.as_deref().map(empty_directory).transpose()?;
    let shown = config.run.display();
    let run = RunReader::open(&plan::absolute(&config.run)?)?;
    rerun::enter_directory(run.manifest())?;
    let rerunner = Rerunner::load(&config.source, run.manifest())?.ok_or_else(|| {
        Failure::new(format!("the program of '{shown}' is no longer the one that was explored"))
            .hint("explore it again: what its tests cover has changed with it")
    })?;
    let tester = rerunner.tester();
    let measure = Measure { run: &run, tester: &tester, progress: config.source.progress };
    let measured = measure.all(&tests)?;
    let cut_off = tests.iter().zip(&measured).filter(|(_, one)| one.cut_off);
    let (late, early): (Vec<_>, Vec<_>) = cut_off.partition(|(test, _)| test.has_ended());
    let (late, early) = (late.len() as u64, early.len() as u64);
    let sets: Vec<Vec<u32>> = measured.into_iter().map(|one| one.set).collect();
    let kept = cover::choose(&sets);
    let mut list = String::new();
    for &index in &kept {
        let name = &tests[index].name;
        let file = run.test_path(name);
        if let Some(output) = &output {
            let copy = output.join(name);
            fs::copy(&file, &copy).map_err(|error| Failure::io("write", &copy, &error))?;
        }
        let given = config.run.join("tests").join(name);
        list.push_str(&format!("{}\n", given.display()));
    }
    print(&list)?;
    let (kept, total) = (kept.len(), tests.len());
    report::say(&format!("byway: {kept} of {total} tests cover what all of them do"));
    if early > 0 {
        let tests = plural(early, "test");
        report::say(&format!(
            "byway: {tests} of paths that had not ended: run as far as the run went"
        ));
    }
    if late > 0 {
        let tests = plural(late, "test");
        report::say(&format!("byway: warning: {tests} cut off, long after the path had ended"));
    }
    Ok(exit::SUCCESS)
}

/// A directory that is there and empty.
fn empty_directory(path: &Path) -> Result<PathBuf> {
    fs::create_dir_all(path).map_err(|error| Failure::io("make", path, &error))?;
    let mut entries = fs::read_dir(path).map_err(|error| Failure::io("read", path, &error))?;
    match entries.next() {
        None => plan::absolute(path),
        Some(_) => Err(Failure::new(format!("'{}' is not empty", path.display()))
            .hint("--output-dir names a directory for the tests that are kept alone")),
    }
}

/// How long it takes until someone wants to know how far it is, and how often then.
const PATIENCE: Duration = Duration::from_secs(2);
const REDRAW: Duration = Duration::from_millis(100);

/// What a test came to.
struct Measured {
    /// What it covers: sites have even numbers, faults odd ones.
    set: Vec<u32>,
    /// Whether it had not ended when it had taken as many instructions as it may.
    cut_off: bool,
}

/// Finds out what each test covers.
struct Measure<'a> {
    run: &'a RunReader,
    tester: &'a Tester<'a>,
    progress: bool,
}

impl Measure<'_> {
    fn all(&self, tests: &[Planned]) -> Result<Vec<Measured>> {
        let mut next_line = Instant::now() + PATIENCE;
        let mut drawn = false;
        let mut sets = Vec::with_capacity(tests.len());
        for test in tests {
            if interrupt::requested() {
                break;
            }
            sets.push(self.one(test)?);
            if self.progress && Instant::now() >= next_line {
                let (done, total) = (sets.len(), tests.len());
                report::say_raw(&format!("\r\x1b[Kmeasuring: {done} of {total}"));
                next_line = Instant::now() + REDRAW;
                drawn = true;
            }
        }
        if drawn {
            report::say_raw("\r\x1b[K");
        }
        match sets.len() == tests.len() && !interrupt::requested() {
            true => Ok(sets),
            false => Err(Failure::interrupted_while("running tests again")),
        }
    }

    fn one(&self, test: &Planned) -> Result<Measured> {
        let file = self.run.test_path(&test.name);
        let inputs = ktest::read(&file).map_err(|error| Failure::io("read", &file, &error))?;
        let rerun = self.tester.run(&inputs, Circumstances::Same, test.instruction_limit())?;
        let mut set: Vec<u32> = rerun.covered.iter().map(|site| site * 2).collect();
        if let Some(OutcomeRecord::Fault { id, .. }) = &test.outcome
            && matches!(rerun.outcome, Outcome::Fault(_))
            && let Ok(id) = u32::try_from(*id)
        {
            set.push(id * 2 + 1);
        }
        Ok(Measured { set, cut_off: rerun.outcome == Outcome::OutOfBudget })
    }
}
