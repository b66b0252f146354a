//! Which tests come by what a mutant changes: only these can tell it from the program.
//!
//! They are found by gcov's counters, line by line. A line stands for the whole
//! expression or statement that is changed; where it has no code of its own, for the
//! function. A test that left no counters is taken to come by everything.
//!
//! Where a program dies of a signal, what its last function did is not fully counted: of what
//! was passed, counters tell only some, and the rest is worked out as if all that is entered
//! were left. So a test of which it dies is taken to come by all of each function that it
//! certainly was in: one with a line that was counted, or on the stack of the fault as the
//! engine saw it.

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
use crate::native_coverage::measure::{CoverageOptions, CoverageRunner};
use crate::native_coverage::units::CompilationUnits;
use crate::native_run::{self, RunTest};

/// What tests come by.
pub struct TestReach {
    /// The numbers of lines with code, by file and line.
    files: BTreeMap<PathBuf, BTreeMap<u32, usize>>,
    /// The lines each test runs.
    tests: BTreeMap<u64, BTreeSet<usize>>,
    /// The functions each test died in, if it did; `None` if nobody knows.
    died: BTreeMap<u64, Option<BTreeSet<String>>>,
    /// Whether a line that was not counted did not run.
    complete: bool,
    /// How it was measured, in words; or why not.
    pub how: String,
}

impl TestReach {
    /// Runs the tests on the program built so that it counts. If that cannot be built,
    /// nothing is known.
    pub fn measure(
        config: &MutateConfig,
        run: &RunReader,
        maker: &dyn ProgramBuilder,
        tests: &[RunTest],
        baseline: &Baseline,
        dir: &Path,
    ) -> Result<TestReach> {
        let built = maker.counting(dir).and_then(|built| {
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
            CoverageOptions {
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

    /// Of these tests, those that may come by what a mutant changes: whether each is
    /// known to, and its place in the list.
    pub fn of(&self, mutant: &Mutant, tests: &[u64]) -> Vec<(bool, usize)> {
        let mutation = &mutant.mutation;
        let within = self.numbers(&mutation.within);
        let mut changed = self.numbers(&mutation.reach);
        if changed.is_empty() {
            changed.clone_from(&within);
        }
        let comes_by = |test: &u64| match self.tests.get(test) {
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
        let all = tests.iter().enumerate().map(|(index, test)| (comes_by(test), index));
        all.filter(|(comes_by, _)| *comes_by || !self.complete).collect()
    }

    /// The numbers of those lines that have code.
    fn numbers(&self, lines: &Lines) -> Vec<usize> {
        let Some(known) = self.files.get(Path::new(&lines.file)) else { return Vec::new() };
        let known = known.range(lines.first..).take_while(|(line, _)| **line <= lines.last);
        known.map(|(_, number)| *number).collect()
    }
}

/// Where the engine says that the program dies, of each test of which it does.
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
            // Optimised it lives on, and where it counts it may not: nobody knows by how far.
            (false, Some(_)) | (true, None) => drop(deaths.insert(test.number, None)),
        }
    }
    Ok(deaths)
}
