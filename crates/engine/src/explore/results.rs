//! The end of a path: its test, and its share in the totals. [`PathResults`] owns the totals and
//! the sink.

use byway_base::{Input, Outcome, TestCase};
use byway_expr::Pool;
use byway_search::Case;

use super::budget::RunBudget;
use super::feasibility::FeasibilityChecker;
use super::seed_queue::SeedQueue;
use super::sink::ResultSink;
use super::{
    CheckpointChanges, Control, ExploreConfig, PathConditionText, PathEnd, TestSelection, Totals,
    UnfinishedTests,
};
use crate::interp::Machine;
use crate::path_info::PathInfo;
use crate::program::Program;
use crate::state::State;
use crate::stop::CALL_OF_NULL;
use crate::underconstrained::shape;

/// What an exploration has found so far.
pub(super) struct PathResults<'a> {
    pub totals: Totals,
    pub sink: &'a mut dyn ResultSink,
    config: &'a ExploreConfig,
    /// Whether inputs are chosen before they run (concolic and random searchers), so that
    /// they are not adapted to preferences at the end.
    input_is_chosen: bool,
}

/// A path at its end.
pub(super) struct ConcludedState<'s> {
    pub state: &'s mut State,
    pub outcome: Outcome,
    /// It reaches open targets, so it has a test in any case.
    pub reaches_open: bool,
}

/// A path that ended, ready for the sink.
pub(super) struct Concluded {
    path: PathEnd,
    /// The coverage sites that its test is the first to cover.
    sites: Vec<u32>,
}

impl Concluded {
    /// Its test, if it has one.
    pub fn test(&self) -> Option<&TestCase> {
        self.path.test.as_ref()
    }

    /// The targets that its test reaches.
    pub fn targets(&self) -> &[u32] {
        &self.path.targets
    }

    /// How many coverage sites its test is the first to cover.
    pub fn newly_tested(&self) -> u64 {
        self.sites.len() as u64
    }
}

impl<'a> PathResults<'a> {
    pub fn new(
        sink: &'a mut dyn ResultSink,
        config: &'a ExploreConfig,
        input_is_chosen: bool,
    ) -> PathResults<'a> {
        PathResults { totals: Totals::default(), sink, config, input_is_chosen }
    }

    /// Which decided states give a test if they do not end.
    pub fn unfinished_tests(&self) -> UnfinishedTests {
        self.config.unfinished_tests
    }

    /// Counts a path whose digest is complete, and makes its test.
    pub fn conclude(
        &mut self,
        ended: ConcludedState,
        machine: &mut Machine,
        feasibility: &mut FeasibilityChecker,
        seeds: &mut SeedQueue,
        budget: &RunBudget,
    ) -> Concluded {
        let ConcludedState { state, mut outcome, reaches_open } = ended;
        let path = &mut state.path;
        *self.totals.paths.entry(outcome.name()).or_default() += 1;
        self.totals.losses.count_path(path, &outcome);
        let own_seeds = std::mem::take(&mut path.seeds);
        let seed = seeds.end(&machine.pool, own_seeds, &outcome, self.sink);
        let is_selected = self.is_selected(machine, path, &outcome) || reaches_open;
        // The test of a seed's path is the seed itself. Paths cut short by a limit keep their
        // witness: there may be very many.
        if seed.is_none() && !is_cut_short(&outcome) && !self.input_is_chosen && is_selected {
            feasibility.apply_preferences(machine, path, || budget.query());
        }
        update_exit_code(machine, path, &mut outcome);
        let has_test = !matches!(outcome, Outcome::Excluded);
        let test = (has_test && is_selected).then(|| TestCase {
            args: self.config.invocation.words(),
            inputs: inputs(&machine.pool, path),
        });
        let shape = test.as_ref().and_then(|_| {
            let (program, table) = (machine.program, &path.unconstrained);
            shape(program.module, |at| program.func_at(at), table, &path.witness)
        });
        let languages = self.config.path_conditions;
        let condition = (test.as_ref())
            .and_then(|_| PathConditionText::new(&mut machine.pool, path, languages));
        let traced = test.is_some() && self.config.engine.trace_branches;
        let branches = traced.then(|| path.covered.branches.clone().unwrap_or_default());
        let sites = if has_test { machine.coverage.credit(path) } else { Vec::new() };
        let targets = if has_test { self.reached_targets(path, &outcome) } else { Vec::new() };
        let path = PathEnd {
            number: 0,
            outcome,
            test,
            shape: shape.map(Box::new),
            condition,
            branches,
            depth: path.depth,
            instructions: path.instructions,
            digest: path.digest,
            newly_covered: 0,
            sites: Vec::new(),
            concretised: (*path.concretised).clone(),
            targets,
            seed,
        };
        Concluded { path, sites }
    }

    /// The targets that a path reaches which ended so.
    pub fn reached_targets(&self, path: &PathInfo, outcome: &Outcome) -> Vec<u32> {
        let targets = &self.config.targets;
        let is_reached = |&target: &u32| {
            targets.get(target as usize).is_some_and(|target| target.accepts(outcome))
        };
        path.reached().iter().copied().filter(is_reached).collect()
    }

    /// Reports a path; the totals are up to date.
    pub fn report(&mut self, concluded: Concluded) -> Control {
        self.sink.path(concluded.path, concluded.sites, &mut self.totals)
    }

    /// Reports a checkpoint; the totals are up to date.
    pub fn checkpoint(&mut self, changes: CheckpointChanges) {
        self.sink.checkpoint(changes, &mut self.totals);
    }

    /// Reports progress; the totals are up to date.
    pub fn tick(&mut self) -> Control {
        self.sink.tick(&mut self.totals)
    }

    pub fn message(&mut self, text: &str) {
        self.sink.message(text);
    }

    pub fn flush(&mut self) {
        self.sink.flush(&self.totals);
    }

    /// Records the number of live states.
    pub fn count_states(&mut self, states: usize) {
        self.totals.max_states = self.totals.max_states.max(states as u64);
    }

    /// Whether a path gets a test.
    fn is_selected(&self, machine: &Machine, path: &PathInfo, outcome: &Outcome) -> bool {
        let covers_new = || path.sites().any(|site| !machine.coverage.is_credited(site));
        match (self.config.tests, outcome) {
            (TestSelection::All, _) | (_, Outcome::Fault(_)) => true,
            (TestSelection::CoveringNew, _) => covers_new(),
            (TestSelection::Faults, _) => false,
        }
    }
}

/// Whether a limit or a pruner ended the path.
pub(super) fn is_cut_short(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::OutOfBudget | Outcome::Interrupted | Outcome::Dropped(_))
}

/// A symbolic exit code has the value that the witness gives it.
fn update_exit_code(machine: &mut Machine, path: &PathInfo, outcome: &mut Outcome) {
    if let (Outcome::Exit(code), Some(term)) = (outcome, path.exit_code) {
        machine.evaluator.forget();
        *code = machine.evaluator.value(&machine.pool, &path.witness, term) as i32;
    }
}

/// Completes the digest of a path that ends.
pub(super) fn complete_digest(program: &Program, state: &mut State, outcome: &Outcome) {
    // A check that fails is a decision too, which nothing else records. No branch has its
    // case number; the instruction count distinguishes repeated failures of one check.
    if let Outcome::Fault(it) = outcome {
        let end = state.stack.last();
        let place = end.map_or(0, |top| program.ir_position(top.func, top.pc.saturating_sub(1)));
        let path = &mut state.path;
        path.note(place, Case(u64::MAX - it.kind as u64));
        path.note(place, Case(path.instructions));
        // A called pointer is null, a function, or neither: two kinds of bad ones at one place.
        if it.message == CALL_OF_NULL {
            path.note(place, Case::TRUE);
        }
    }
}

/// The symbolic objects of a path with the bytes of its witness.
pub(super) fn inputs(pool: &Pool, path: &PathInfo) -> Vec<Input> {
    let input = |id| {
        let object = pool.input_object(id);
        let mut bytes = path.witness.object(id).to_vec();
        bytes.resize(object.size as usize, 0);
        Input { name: object.name.to_string(), bytes }
    };
    path.inputs.iter().map(input).collect()
}
