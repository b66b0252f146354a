//! What an exploration reports: each path as it ends, progress in between, and the result.
//! The engine does no I/O; an [`Observer`] does.

use std::collections::BTreeMap;
use std::sync::Arc;

use byway_base::{
    InternalErrorKind, Limit, Outcome, ProcessMemory, TestCase, UnsupportedFeature, Work,
};
use byway_search::PortfolioShares;
use byway_solver::{Statistics, UnknownReason};

use super::{
    BackwardTotals, CampaignTotals, CheckpointChanges, MarkovRewards, PathConditionText,
    RandomTotals, ReductionTotals, RetryTotals, SeedTotals, TargetOutcome, TargetTotals,
    WorkerTotals,
};
use crate::branch_trace::BranchTrace;
use crate::bytecode::value_log::RecordedValues;
use crate::coverage::{BranchCoverage, Coverage, LineCoverage};
use crate::path_info::PathInfo;
use crate::reason::{ConcretisationReason, UndecidedReason};
use crate::underconstrained::InputShape;

/// Receives the results of an exploration, on the thread that called it.
pub trait Observer {
    /// A path ended.
    fn path(&mut self, path: &PathEnd, totals: &Totals) -> Control;

    /// Called at least every few million instructions, and after every query that
    /// went to the solver's backend.
    fn tick(&mut self, totals: &Totals) -> Control;

    /// A checkpoint: with those before it, it says where to go on. The paths that ended until then
    /// were reported.
    fn checkpoint(&mut self, changes: CheckpointChanges, totals: &Totals) {
        let _ = (changes, totals);
    }

    /// The process, whose size is kept within the memory limit. By default it is unknown.
    fn process(&self) -> Option<Arc<dyn ProcessMemory>> {
        None
    }

    /// A message of the program (`klee_warning`, `klee_print_expr`) or the engine; one line,
    /// without its end.
    fn message(&mut self, text: &str);
}

/// Whether the exploration continues.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Control {
    /// Continue.
    Continue,
    /// End the exploration: every decided state that gives a test
    /// ([`super::UnfinishedTests`]) ends with [`Outcome::Interrupted`].
    Stop,
}

/// A path that ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathEnd {
    /// Its number, from 1, in the order paths ended.
    pub number: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// The input that takes the path; `None` if the outcome gives no test, or the
    /// [`super::TestSelection`] does not select it.
    pub test: Option<TestCase>,
    /// The input as objects that refer to each other, if the path starts in a function and has a
    /// test.
    pub shape: Option<Box<InputShape>>,
    /// Its path condition as text, if the configuration asks for it and it has a test.
    pub condition: Option<Box<PathConditionText>>,
    /// The branches it took, if the configuration asks for them and it has a test.
    pub branches: Option<Arc<BranchTrace>>,
    /// The number of forks on the path.
    pub depth: u32,
    /// Instructions from the program's start.
    pub instructions: u64,
    /// A digest of its decisions: the same path has the same digest under every searcher,
    /// and two paths of a program do not share one.
    pub digest: u64,
    /// How many lines and branch sides its test covers that no earlier one does.
    pub newly_covered: u32,
    /// The numbers of the coverage sites that its test covers and no earlier one does.
    pub sites: Vec<u32>,
    /// Values concretised on this path, and how often. Their other values are not explored.
    pub concretised: BTreeMap<ConcretisationReason, u64>,
    /// The targets that its test reaches, among those that no earlier test reached, by number.
    pub targets: Vec<u32>,
    /// The label of the seed that followed the path; of the first, if several did.
    pub seed: Option<String>,
}

/// Sums over an exploration. They are the same in every run with the same work limit and
/// seed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Totals {
    /// Work done.
    pub work: Work,
    /// Instructions executed.
    pub instructions: u64,
    /// The subset of `instructions` that replayed inputs to the branch they were solved for.
    pub followed: u64,
    /// Paths by [`Outcome::name`].
    pub paths: BTreeMap<&'static str, u64>,
    /// Forks.
    pub forks: u64,
    /// The same by what was decided: `branch`, `switch`, `call`, `jump`, `object`, `block`, `size`,
    /// `check` or `choice`.
    pub forks_by: BTreeMap<&'static str, u64>,
    /// Live states, pending ones included.
    pub states: u64,
    /// States whose feasibility is not decided.
    pub pending: u64,
    /// The largest number of states alive at once.
    pub max_states: u64,
    /// Accounted bytes of states, terms and the solver.
    pub memory: u64,
    /// The largest value of `memory`.
    pub max_memory: u64,
    /// How often the process itself reached the memory limit. Which states are dropped then
    /// depends on the machine.
    pub memory_shortages: u64,
    /// The solver's statistics.
    pub solver: Statistics,
    /// What tests cover.
    pub coverage: Coverage,
    /// What was not explored.
    pub losses: Losses,
    /// Counts of seeds.
    pub seeds: SeedTotals,
    /// Counts of random tests.
    pub random: RandomTotals,
    /// Counts of undecided states that were tried again.
    pub retries: RetryTotals,
    /// Counts of targets.
    pub targets: TargetTotals,
    /// Counts of the backward search.
    pub backward: BackwardTotals,
    /// Counts of the reduction.
    pub reduction: ReductionTotals,
    /// Counts of an exploration in several runs.
    pub campaign: CampaignTotals,
}

impl Totals {
    /// The number of paths that ended.
    pub fn path_count(&self) -> u64 {
        self.paths.values().sum()
    }
}

/// What an exploration did not explore, by reason. Empty if it was complete.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Losses {
    /// States dropped, and successors never created, by limit or pruner.
    pub dropped: BTreeMap<Limit, u64>,
    /// States the solver could not decide.
    pub undecided: BTreeMap<UndecidedReason, u64>,
    /// Inputs that did not reach the branch they were solved for.
    pub diverged: u64,
    /// Values concretised.
    pub concretised: BTreeMap<ConcretisationReason, u64>,
    /// Paths ended by a missing feature.
    pub unsupported: BTreeMap<UnsupportedFeature, u64>,
    /// Paths ended by a bug in Byway.
    pub internal_errors: BTreeMap<InternalErrorKind, u64>,
    /// Features that the runtime answered with "not implemented", by name.
    pub warnings: BTreeMap<String, u64>,
    /// States alive when the exploration was stopped.
    pub unfinished: u64,
    /// Decided states, unfinished or dropped, that gave no test ([`super::UnfinishedTests`]).
    pub untested: u64,
    /// Paths that reached their own limit on instructions.
    pub too_long: u64,
    /// Allocations of the program that failed because of the memory limit.
    pub failed_allocations: u64,
}

impl Losses {
    /// Counts what a path that ended has lost.
    pub(super) fn count_path(&mut self, path: &PathInfo, outcome: &Outcome) {
        for (&reason, &count) in path.concretised.iter() {
            *self.concretised.entry(reason).or_default() += count;
        }
        match outcome {
            Outcome::Unsupported(it) => {
                *self.unsupported.entry(it.feature.clone()).or_default() += 1;
            }
            Outcome::InternalError(it) => {
                *self.internal_errors.entry(it.kind).or_default() += 1;
            }
            _ => {}
        }
    }

    pub(super) fn count_dropped(&mut self, limit: Limit) {
        *self.dropped.entry(limit).or_default() += 1;
    }

    pub(super) fn count_undecided(&mut self, reason: UnknownReason) {
        *self.undecided.entry(reason.into()).or_default() += 1;
    }
}

/// The result of an exploration.
#[derive(Clone, PartialEq, Debug)]
pub struct Exploration {
    /// Sums over all workers.
    pub totals: Totals,
    /// Why it ended.
    pub stop_reason: StopReason,
    /// Coverage by line, sorted by file and line.
    pub lines: Vec<LineCoverage>,
    /// Coverage by branch, in the order of the program.
    pub branches: Vec<BranchCoverage>,
    /// Wall-clock time of the solver.
    pub solver_clock: byway_solver::SolverClock,
    /// Counts per worker, if there were several.
    pub jobs: Vec<WorkerTotals>,
    /// How searchers shared the work, summed over the workers.
    pub portfolio_shares: Vec<PortfolioShares>,
    /// What the greedy searcher of the first worker knows, if it has one.
    pub markov: Option<MarkovRewards>,
    /// What was found out about each target.
    pub targets: Vec<TargetOutcome>,
    /// The values of the user's instructions, if they were recorded.
    pub values: Option<RecordedValues>,
}

/// Why an exploration ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// There is nothing left to explore.
    Done,
    /// The limit on work was reached.
    Work,
    /// The limit on instructions was reached.
    Instructions,
    /// The seeds have been followed, and nothing else was to be explored.
    Seeds,
    /// The limit on wall-clock time was reached.
    Time,
    /// The limit on processor time was reached.
    ProcessorTime,
    /// The observer returned [`Control::Stop`].
    Stopped,
    /// A test reaches each target.
    Targets,
}
