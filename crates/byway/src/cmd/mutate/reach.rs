//! Determines which tests reach the code that a mutant changes: only these can kill it.
//!
//! The tests are found by gcov's counters, line by line: those of the changed expression or
//! statement, or of the whole function if that has no code of its own. A test without
//! counters is assumed to reach everything.
//!
//! If a program dies of a signal, the counts of its active functions are inexact: counts that
//! are not stored are derived as if every function had returned. So a test on which it dies is
//! assumed to reach all of each function that it certainly entered: one with a counted line,
//! or one on the stack of the fault that the engine recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use byway_base::Lines;
use byway_rundir::{OutcomeRecord, RunReader};

use crate::cmd::mutate::MutateConfig;
use crate::cmd::mutate::baseline::Baseline;
use crate::cmd::mutate::make::ProgramBuilder;
use crate::cmd::mutate::points::Mutant;
use crate::failure::{FailureKind, Result};
use crate::native_coverage::gcov::{CoverageMap, LineRule};
use crate::native_coverage::measure::{CoverageRunOptions, CoverageRunner};
use crate::native_coverage::units::CompilationUnits;
use crate::native_run::{self, RunTest};

/// The code that each test reaches.
pub struct TestReach {
    /// Numbers of lines with code, by file and line.
    files: BTreeMap<PathBuf, BTreeMap<u32, usize>>,
    /// The numbers of the lines that each test executes.
    tests: BTreeMap<u64, BTreeSet<usize>>,
    /// The functions on the stack when a test died; `None` if they are unknown.
    died: BTreeMap<u64, Option<BTreeSet<String>>>,
    /// A line without a count was certainly not executed.
    complete: bool,
    /// A description of the measurement, or why there is none.
    pub how: String,
}

impl TestReach {
    /// Runs the tests on an instrumented build. If that cannot be built, all tests are assumed to
    /// reach everything.
    pub fn measure(
        config: &MutateConfig,
        run: &RunReader,
        builder: &dyn ProgramBuilder,
        tests: &[RunTest],
        baseline: &Baseline,
        dir: &Path,
    ) -> Result<TestReach> {
        let built = builder.build_instrumented(dir).and_then(|built| {
            let (units, notes) = CompilationUnits::find(&built.program, &built.notes)?;
            Ok((built, units, notes))
        });
        let (built, units, notes) = match built {
            Ok(built) => built,
            Err(failure) if failure.kind() == FailureKind::Interrupted => return Err(failure),
            Err(failure) => {
                let why = failure.to_string();
                let why = why.lines().next().unwrap_or_default();
                return Ok(TestReach::unknown(format!("not measured: {why}")));
            }
        };
        let map = CoverageMap::new(notes, built.rule, &|name| !Path::new(name).starts_with("/usr"));
        let runner = CoverageRunner::new(
            run,
            &built,
            &units,
            &map,
            CoverageRunOptions {
                jobs: config.jobs,
                time_limit: config.time_limit,
                sandboxed: config.sandboxed,
                progress: config.progress,
            },
        );
        let mut lines = BTreeMap::new();
        runner.run_all(tests, &mut |test, covered| {
            lines.insert(test, covered.lines.into_iter().collect());
        })?;
        let base = native_run::path(&run.manifest().program.directory);
        let file = |(name, file): (&String, &crate::native_coverage::gcov::MappedFile)| {
            let from = if file.directory.is_empty() { &base } else { Path::new(&file.directory) };
            let path = fs::canonicalize(from.join(name)).ok()?;
            Some((path, file.lines.iter().map(|(line, code)| (*line, code.number)).collect()))
        };
        Ok(TestReach {
            files: map.files.iter().filter_map(file).collect(),
            tests: lines,
            died: deaths(run, tests, baseline)?,
            complete: built.rule == LineRule::Gcc,
            how: built.how,
        })
    }

    fn unknown(how: String) -> TestReach {
        let (files, tests, died) = Default::default();
        TestReach { files, tests, died, complete: false, how }
    }

    /// The tests that may reach the code of a mutant: whether each is known to, and its index in
    /// `tests`.
    pub fn of(&self, mutant: &Mutant, tests: &[u64]) -> Vec<(bool, usize)> {
        let mutation = &mutant.mutation;
        let within = self.numbers(&mutation.within);
        let mut changed = self.numbers(&mutation.reach);
        if changed.is_empty() {
            changed.clone_from(&within);
        }
        let reaches = |test: &u64| match self.tests.get(test) {
            Some(ran) if !changed.is_empty() => {
                let any = |lines: &[usize]| lines.iter().any(|line| ran.contains(line));
                let died_there = || match self.died.get(test) {
                    None => false,
                    Some(None) => true,
                    Some(Some(stack)) => stack.contains(&mutation.function) || any(&within),
                };
                any(&changed) || died_there()
            }
            _ => true,
        };
        let all = tests.iter().enumerate().map(|(index, test)| (reaches(test), index));
        all.filter(|(reaches, _)| *reaches || !self.complete).collect()
    }

    /// The numbers of the lines in a range that have code.
    fn numbers(&self, lines: &Lines) -> Vec<usize> {
        let Some(known) = self.files.get(Path::new(&lines.file)) else { return Vec::new() };
        let known = known.range(lines.first..).take_while(|(line, _)| **line <= lines.last);
        known.map(|(_, number)| *number).collect()
    }
}

/// The stack that the engine recorded for each test on which the program dies.
fn deaths(
    run: &RunReader,
    tests: &[RunTest],
    baseline: &Baseline,
) -> Result<BTreeMap<u64, Option<BTreeSet<String>>>> {
    let faults = run.faults()?;
    let stack = |id: u64| {
        let fault = faults.iter().find(|fault| fault.id == id)?;
        Some(fault.stack.iter().map(|frame| frame.function.clone()).collect())
    };
    let died: BTreeSet<u64> =
        baseline.tests.iter().filter(|test| test.died).map(|test| test.number).collect();
    let mut deaths = BTreeMap::new();
    for test in tests {
        let fault = match test.outcome {
            Some(OutcomeRecord::Fault { id, .. }) => Some(id),
            _ => None,
        };
        match (died.contains(&test.number), fault) {
            (false, None) => {}
            (true, Some(id)) => drop(deaths.insert(test.number, stack(id))),
            // The optimised and the instrumented build may behave differently after the fault.
            (false, Some(_)) | (true, None) => drop(deaths.insert(test.number, None)),
        }
    }
    Ok(deaths)
}
