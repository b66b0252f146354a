//! What an exploration tells as it goes. The engine does no I/O: whoever runs it
//! hears of every path that ends and, now and then, how far it is.

use std::collections::BTreeMap;

use byway_base::{InternalErrorKind, Limit, Outcome, SrcLoc, TestCase, UnsupportedFeature, Work};
use byway_search::PortfolioShares;
use byway_solver::Statistics;

use super::{RandomTotals, SeedTotals, UntakenReasons, WorkerTotals};
use crate::reason::{ConcretisationReason, UndecidedReason};

/// Who is told.
pub trait Observer {
    /// A path ended.
    fn path(&mut self, path: &PathEnd, totals: &Totals) -> Control;

    /// Called at least every few million instructions, and after every query that
    /// went to the solver's backend.
    fn tick(&mut self, totals: &Totals) -> Control;

    /// The bytes that the process takes, as the system counts them; `None` where nobody
    /// knows, or where that was told a moment ago.
    fn resident(&mut self) -> Option<u64> {
        None
    }

    /// Gives the system back what is free, and tells what the process takes then.
    fn give_back(&mut self) -> Option<u64> {
        None
    }

    /// The program says something to whoever runs it (`klee_warning`,
    /// `klee_print_expr`), or the engine does; one line, without its end.
    fn message(&mut self, text: &str);
}

/// Whether to go on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Control {
    /// Go on.
    Continue,
    /// End the exploration: every state that lives ends with its test, and
    /// [`Outcome::Interrupted`].
    Stop,
}

/// A path that ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathEnd {
    /// Its number, from 1, in the order paths ended.
    pub number: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// The input that takes it; `None` where the outcome gives no test, or nobody wants one.
    pub test: Option<TestCase>,
    /// How many forks lie on it.
    pub depth: u32,
    /// How many instructions it took from the program's start.
    pub instructions: u64,
    /// A digest of the decisions on it: the same path has the same one whatever
    /// searcher found it, and two paths of a program do not share one.
    pub digest: u64,
    /// How many lines and branch sides its test covers that no earlier one does.
    pub newly_covered: u32,
    /// Values that were fixed to one of several on this path, and how often. What
    /// else they could be is not explored.
    pub concretised: BTreeMap<ConcretisationReason, u64>,
    /// The name of the seed that followed it, the first if there were several.
    pub seed: Option<String>,
}

/// Sums over an exploration. Everything but `clock` is the same in every run with
/// the same work limit and seed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Totals {
    /// Work done.
    pub work: Work,
    /// Instructions executed.
    pub instructions: u64,
    /// Those of them by which inputs came to the branch they were solved for.
    pub followed: u64,
    /// Paths by [`Outcome::name`].
    pub paths: BTreeMap<&'static str, u64>,
    /// Forks.
    pub forks: u64,
    /// States that live, those pending included.
    pub states: u64,
    /// States whose feasibility is not decided.
    pub pending: u64,
    /// The most states that lived at once.
    pub max_states: u64,
    /// Bytes of states, terms and the solver, as accounted.
    pub memory: u64,
    /// The most of that.
    pub max_memory: u64,
    /// How often the process itself came to the limit on memory. What went then depends on
    /// the machine.
    pub memory_shortages: u64,
    /// What the solver did.
    pub solver: Statistics,
    /// What tests cover.
    pub coverage: Coverage,
    /// What was lost.
    pub losses: Losses,
    /// What became of seeds.
    pub seeds: SeedTotals,
    /// What became of random inputs.
    pub random: RandomTotals,
}

impl Totals {
    /// All paths that ended.
    pub fn path_count(&self) -> u64 {
        self.paths.values().sum()
    }
}

/// How much of the user's own code the tests cover.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// Lines with code that some test runs.
    pub lines: u32,
    /// Lines with code.
    pub lines_total: u32,
    /// BranchStats of branches that some test takes.
    pub branches: u32,
    /// BranchStats of branches.
    pub branches_total: u32,
}

/// What an exploration did not explore, and why. Empty if it was complete.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Losses {
    /// States given up, by the limit.
    pub dropped: BTreeMap<Limit, u64>,
    /// States the solver could not decide, by the reason.
    pub undecided: BTreeMap<UndecidedReason, u64>,
    /// Inputs that did not come to the branch they were solved for.
    pub diverged: u64,
    /// Values fixed to one of several, by what they were used for.
    pub concretised: BTreeMap<ConcretisationReason, u64>,
    /// Paths ended by a missing feature.
    pub unsupported: BTreeMap<UnsupportedFeature, u64>,
    /// Paths ended by a bug of Byway.
    pub internal_errors: BTreeMap<InternalErrorKind, u64>,
    /// What was answered with "not implemented", by name.
    pub warnings: BTreeMap<String, u64>,
    /// States that lived when the exploration was stopped.
    pub unfinished: u64,
}

/// The coverage of one line of the user's code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineCoverage {
    /// The line (its column is not told).
    pub at: SrcLoc,
    /// The number of the first path whose test runs it.
    pub first_path: Option<u64>,
    /// The sides of branches on this line, and those that some test takes.
    pub branches: (u32, u32),
}

/// A branch of the user's code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BranchCoverage {
    /// Where it is.
    pub at: SrcLoc,
    /// The function it is in.
    pub function: String,
    /// Where it leads.
    pub sides: Vec<SideCoverage>,
}

/// A side of a branch: covered, or why not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideCoverage {
    /// Its number among all sites.
    pub site: usize,
    /// What a person would call it: "true", "case 3, case 5", "default".
    pub side: String,
    /// The number of the first path whose test takes it.
    pub first_path: Option<u64>,
    /// Whether some path took it, with a test or without.
    pub reached: bool,
    /// What was answered to paths that asked whether they can take it.
    pub untaken: UntakenReasons,
}

/// What an exploration came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Exploration {
    /// The sums.
    pub totals: Totals,
    /// Why it ended.
    pub stop_reason: StopReason,
    /// Line by line, by file and line.
    pub lines: Vec<LineCoverage>,
    /// Branch by branch, in the order of the program.
    pub branches: Vec<BranchCoverage>,
    /// What the solver took on the clock.
    pub solver_clock: byway_solver::SolverClock,
    /// What each job did, if there were several.
    pub jobs: Vec<WorkerTotals>,
    /// How searchers shared the work, summed over the jobs.
    pub portfolio_shares: Vec<PortfolioShares>,
}

/// Why an exploration ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// There was nothing left to explore.
    Done,
    /// The limit on work was reached.
    Work,
    /// The limit on time was reached.
    Time,
    /// The limit on the processor's time.
    ProcessorTime,
    /// The observer said stop.
    Stopped,
}
