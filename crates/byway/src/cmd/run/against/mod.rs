//! `--against OLD`: runs every test on an old build too, and reports how the builds differ.
//!
//! ```text
//! tests of the run ───────────┐
//! tests of the old build ─────┼─▶ rerun on both ──[`behaviour`]──▶ differences.jsonl, summary.json
//! (DIR/against, with --since) │
//!   └──▶ [`combinations`] ────┘
//!        (DIR/combinations, if the change is known)
//! ```
//!
//! Both builds run on the engine, not natively. It sees faults that a native run survives, such as a
//! read out of bounds; its clocks, addresses and files are the same for both, so that a difference is
//! never an accident; and it needs neither a native build nor a sandbox. The price: files that the
//! program writes exist only in its memory, and are not compared.

mod behaviour;
mod combinations;
mod old_build;

use std::collections::BTreeMap;
use std::path::Path;

use byway_base::Outcome;
use byway_progress::{JobEvent, JobProgress, ProgressMode, run_jobs};
use byway_rundir::{
    DifferenceKind, DifferencesRecord, RunReader, RunSummary, TestDifference, write_differences,
};
use byway_testcase::ktest;

use crate::change::ProgramChange;
use crate::console::{self, Style};
use crate::exit;
use crate::failure::Result;
use crate::interrupt;
use crate::native_run::{self, RunTest};
use crate::report;
use crate::rerun::{ExploredProgram, RerunConditions, Rerunner};
use behaviour::TestComparison;
pub use old_build::{OLD_RUN, OldBuild};

use super::{ExploredRun, PreparedProgram, RunConfig};

/// Runs the tests of a run, and those of the old build's run in it, on both builds. Writes and
/// prints the differences, and returns the exit code of the command.
pub fn report(
    config: &RunConfig,
    explored: ExploredRun,
    (new, change): (PreparedProgram, Option<&ProgramChange>),
    old: OldBuild,
) -> Result<u8> {
    let is_interrupted = interrupt::requested();
    let run = RunReader::open(&explored.dir)?;
    let mut tests = tests_of(&run, "")?;
    let old_run = explored.dir.join(OLD_RUN);
    if RunReader::is_at(&old_run) {
        tests.extend(tests_of(&RunReader::open(&old_run)?, &format!("{OLD_RUN}/"))?);
    }
    let mut combinations = None;
    if let Some(change) = change.filter(|_| !is_interrupted) {
        let found = combinations::find(config, &explored.dir, (&new, change), &old, &tests)?;
        let is_kept = |index: &usize| !found.completed.contains(index);
        let known = tests.into_iter().enumerate().filter(|(index, _)| is_kept(index));
        tests = known.map(|(_, test)| test).chain(found.tests).collect();
        combinations = Some(found.record);
    }
    let is_interrupted = is_interrupted || interrupt::requested();
    if is_interrupted {
        // The search has stopped; what it found is still worth comparing.
        interrupt::clear();
    }
    let builds = Builds {
        old: ExploredProgram::new(old.program.loaded.module, run.manifest()).with_named_inputs(),
        new: ExploredProgram::new(new.loaded.module, run.manifest()).with_named_inputs(),
    };
    let (record, lines) = builds.compare(&explored.dir, &tests, config.jobs.get())?;
    let record = DifferencesRecord { combinations, ..record };
    let summary = RunSummary { differences: Some(record), ..explored.summary };
    write_differences(&explored.dir, &summary, &lines)?;
    let record = summary.differences.unwrap_or_default();
    let style = Style::new(config.load.color);
    console::say_raw(&report::render_differences(&record, &explored.dir, style));
    Ok(match explored.exit_code {
        _ if is_interrupted || record.not_run > 0 => exit::INTERRUPTED,
        exit::SUCCESS | exit::INCOMPLETE if record.different > 0 => exit::FAULT,
        code => code,
    })
}

/// A test to compare.
struct ComparedTest {
    /// Its path in the run directory.
    path: String,
    test: RunTest,
}

/// The tests of a run directory, which is at this place in the run directory.
fn tests_of(run: &RunReader, place: &str) -> Result<Vec<ComparedTest>> {
    let tests = native_run::select_tests(run, None)?.into_iter();
    let test = |test: RunTest| ComparedTest { path: format!("{place}tests/{}", test.name), test };
    Ok(tests.map(test).collect())
}

/// The two builds.
struct Builds {
    old: ExploredProgram,
    new: ExploredProgram,
}

impl Builds {
    /// Runs tests on both builds: the sums, and a line for each test that is not the same.
    fn compare(
        &self,
        dir: &Path,
        tests: &[ComparedTest],
        jobs: usize,
    ) -> Result<(DifferencesRecord, Vec<TestDifference>)> {
        let start = |()| {
            let (old, new) = (self.old.rerunner(), self.new.rerunner());
            move |index: usize| compare_test(&old, &new, dir, &tests[index])
        };
        let mut results: Vec<Option<TestComparison>> = tests.iter().map(|_| None).collect();
        let mut differ = 0;
        let label = "running tests on both builds";
        let mut progress = JobProgress::new(ProgressMode::for_stderr(), label, tests.len());
        run_jobs(vec![(); jobs], tests.len(), &interrupt::requested, start, |event| {
            if let JobEvent::Finished(index, result) = event {
                differ += usize::from(matches!(result, Some(TestComparison::Different(_))));
                results[index] = result;
                progress.finished(|| format!("{differ} differ"));
            }
        })?;
        drop(progress);
        Ok(sums(tests, results))
    }
}

/// Runs a test on both builds; `None` if the user interrupted it.
fn compare_test(
    old: &Rerunner<'_>,
    new: &Rerunner<'_>,
    dir: &Path,
    test: &ComparedTest,
) -> Result<Option<TestComparison>> {
    let input = match ktest::read(&dir.join(&test.path)) {
        Ok(input) => input,
        Err(error) => {
            let why = format!("the test cannot be read: {}", crate::failure::reason(&error));
            return Ok(Some(TestComparison::NotComparable(why)));
        }
    };
    let limit = test.test.limit_to_end();
    let run = |build: &Rerunner<'_>| build.run(&input, RerunConditions::Same, limit);
    let (old, new) = (run(old)?, run(new)?);
    let is_interrupted = [&old, &new].iter().any(|run| run.outcome == Outcome::Interrupted);
    Ok((!is_interrupted).then(|| behaviour::compare(&old, &new)))
}

fn sums(
    tests: &[ComparedTest],
    results: Vec<Option<TestComparison>>,
) -> (DifferencesRecord, Vec<TestDifference>) {
    let mut record = DifferencesRecord::default();
    let mut lines = Vec::new();
    let mut kinds: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for (ComparedTest { path, .. }, result) in tests.iter().zip(results) {
        let mut line =
            TestDifference { test: path.clone(), parts: Vec::new(), not_comparable: None };
        match result {
            None => {
                record.not_run += 1;
                continue;
            }
            Some(TestComparison::Same) => {
                record.compared += 1;
                continue;
            }
            Some(TestComparison::NotComparable(why)) => {
                *record.not_comparable.entry(why.clone()).or_default() += 1;
                line.not_comparable = Some(why);
            }
            Some(TestComparison::Different(parts)) => {
                record.compared += 1;
                record.different += 1;
                let known = *kinds.entry(behaviour::kind(&parts)).or_insert(record.kinds.len());
                match record.kinds.get_mut(known) {
                    Some(kind) => kind.tests += 1,
                    None => {
                        let (first, parts) = (path.clone(), parts.clone());
                        record.kinds.push(DifferenceKind { tests: 1, first, parts });
                    }
                }
                line.parts = parts;
            }
        }
        lines.push(line);
    }
    (record, lines)
}
