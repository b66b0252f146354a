//! Inputs for the combinations of how both builds end. The explorations of the builds have one input for each
//! ending of a build; a difference may need an input for two endings at once.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::PoisonError;
use std::time::Instant;

use byway_base::Input;
use byway_base::quantity::{grouped, plural};
use byway_engine::{CombinationStop, CombinationTotals, ComparedBuild, Control, StopReason};
use byway_progress::{ProgressLine, ProgressMode};
use byway_rundir::{CombinationsRecord, write_combination};
use byway_testcase::ktest;

use super::super::observer::SolverErrors;
use super::super::{PreparedProgram, RunConfig, solver_options};
use super::ComparedTest;
use super::old_build::OldBuild;
use crate::change::ProgramChange;
use crate::console::{self, Style};
use crate::failure::{Failure, Result};
use crate::interrupt;
use crate::native_run::RunTest;

/// What a search for combinations found.
pub struct FoundCombinations {
    pub record: CombinationsRecord,
    /// The new tests.
    pub tests: Vec<ComparedTest>,
    /// Which of the known tests others stand for, by index.
    pub completed: BTreeSet<usize>,
}

/// Searches inputs for combinations, starting with the tests of both explorations, and writes them
/// into the run directory `dir`.
pub fn find(
    config: &RunConfig,
    dir: &Path,
    (new, change): (&PreparedProgram, &ProgramChange),
    old: &OldBuild,
    known: &[ComparedTest],
) -> Result<FoundCombinations> {
    console::say("byway: combining how the old and the new build end");
    let known = DistinctInputs::of(dir, known);
    let solver_errors = SolverErrors::default();
    let solver = solver_options(config, 0, &solver_errors, None);
    let builds = [
        ComparedBuild {
            module: &old.program.loaded.module,
            changed: old.changed_code(),
            files: Some(&old.program.files),
        },
        ComparedBuild {
            module: &new.loaded.module,
            changed: Some(change.code(&new.loaded.module)),
            files: Some(&new.files),
        },
    ];
    let mut line = ProgressLine::new(ProgressMode::for_stderr());
    let mut tick = |totals: &CombinationTotals| {
        let found = totals.completed + totals.combined;
        line.update(Instant::now(), |_| progress(totals, known.inputs.len()));
        let is_enough = config.max_tests.is_some_and(|max| found >= max);
        match is_enough || interrupt::requested() {
            true => Control::Stop,
            false => Control::Continue,
        }
    };
    let found =
        byway_engine::combine_endings(builds, &config.explore, &known.inputs, solver, &mut tick);
    line.clear();
    report_errors(&solver_errors, Style::new(config.load.color));
    let found = found.map_err(Failure::new)?;
    let mut tests = Vec::new();
    for (number, it) in (1..).zip(&found.tests) {
        let path = write_combination(dir, number, &it.test)?;
        let (name, instructions) = (byway_rundir::test_name(number), Some(it.instructions));
        let test = RunTest { number, name, outcome: None, in_library: false, instructions };
        tests.push(ComparedTest { path, test });
    }
    let completed = found.tests.iter().filter_map(|it| it.completes);
    let completed = completed.flat_map(|it| known.tests[it].iter().copied()).collect();
    Ok(FoundCombinations { record: record(&found.totals), tests, completed })
}

/// The inputs of tests. The explorations of both builds find many alike.
#[derive(Default)]
struct DistinctInputs {
    inputs: Vec<Vec<Input>>,
    /// The tests with each, by index.
    tests: Vec<Vec<usize>>,
}

impl DistinctInputs {
    fn of(dir: &Path, tests: &[ComparedTest]) -> DistinctInputs {
        let mut distinct = DistinctInputs::default();
        let mut numbers: HashMap<Vec<Input>, usize> = HashMap::new();
        for (index, test) in tests.iter().enumerate() {
            // A test that cannot be read is reported when it is compared.
            let Ok(test) = ktest::read(&dir.join(&test.path)) else { continue };
            match numbers.entry(test.inputs) {
                Entry::Occupied(known) => distinct.tests[*known.get()].push(index),
                Entry::Vacant(new) => {
                    distinct.inputs.push(new.key().clone());
                    new.insert(distinct.tests.len());
                    distinct.tests.push(vec![index]);
                }
            }
        }
        distinct
    }
}

fn progress(totals: &CombinationTotals, known: usize) -> String {
    let found = totals.completed + totals.combined;
    match (totals.tests as usize) < known {
        true => format!("running tests on both builds: {} of {known}", totals.tests),
        false => format!(
            "combining endings: {}, {} infeasible",
            plural(found, "input"),
            grouped(totals.infeasible)
        ),
    }
}

fn report_errors(solver_errors: &SolverErrors, style: Style) {
    let pending = solver_errors.lock().unwrap_or_else(PoisonError::into_inner);
    for error in pending.iter() {
        console::say(&format!("{}: {}", style.error("byway: error"), error.trim_end()));
    }
}

fn record(totals: &CombinationTotals) -> CombinationsRecord {
    let CombinationTotals {
        tests: _,
        extended,
        completed,
        combined,
        infeasible,
        undecided,
        diverged,
        unfinished,
        limited,
        stopped,
    } = *totals;
    let stopped = stopped.map(|why| match why {
        CombinationStop::Memory => "the limit on memory".to_string(),
        CombinationStop::Run(StopReason::Work) => "the limit on work".to_string(),
        CombinationStop::Run(StopReason::Time) => "the limit on time".to_string(),
        CombinationStop::Run(StopReason::ProcessorTime) => {
            "the limit on processor time".to_string()
        }
        CombinationStop::Run(_) if interrupt::requested() => "Ctrl-C".to_string(),
        CombinationStop::Run(_) => "the limit on tests".to_string(),
    });
    CombinationsRecord {
        extended,
        completed,
        combined,
        infeasible,
        undecided,
        diverged,
        unfinished,
        limited,
        stopped,
    }
}
