//! Counts of a search for combined endings.

use super::super::StopReason;

/// Counts of a search for combined endings.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct CombinationTotals {
    /// Known inputs that ran on both builds.
    pub tests: u64,
    /// Known inputs that were completed by what only one build asks for.
    pub extended: u64,
    /// Inputs for an ending of one build that no known input reaches.
    pub completed: u64,
    /// Inputs for a combination of two endings.
    pub combined: u64,
    /// Conditions on which no input satisfies a combination, or an ending.
    pub infeasible: u64,
    /// Queries that the solver could not decide.
    pub undecided: u64,
    /// Inputs that ended otherwise than the conditions said: the dependences were incomplete.
    pub diverged: u64,
    /// Runs of a build that a limit or an unsupported feature ended.
    pub unfinished: u64,
    /// Decisions whose other cases a limit forbids.
    pub limited: u64,
    /// Why the search ended before all combinations were decided.
    pub stopped: Option<CombinationStop>,
}

/// Why a search ended early.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CombinationStop {
    /// A limit on time or work was reached, or the user stopped it.
    Run(StopReason),
    /// The limit on memory was reached.
    Memory,
}
