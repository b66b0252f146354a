//! Reducers: which cases that a path did not take deserve a path of their own.
//!
//! A [`Reducer`] sees every path that ran to its end as a [`PathTrace`]: its decisions, and what each
//! depends on. It answers with tasks. A [`Task`] names the case to take and the decisions to keep;
//! all others may change, so the condition of a task is no prefix of a path, and its input runs
//! from the program's start.

mod dgse;

use crate::{Case, Site};

pub use dgse::Dgse;

/// The number of a condition: two conditions are equal if their numbers are.
pub type ConditionId = u32;

/// A case at a decision, taken or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceCase {
    /// The case.
    pub case: Case,
    /// The inputs that take it.
    pub condition: ConditionId,
    /// The earlier decisions that it depends on, directly or through instructions between them,
    /// by ascending index. Dependences through other decisions may be left out.
    pub depends_on: Vec<usize>,
}

/// A decision of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceDecision {
    /// Where it was made.
    pub site: Site,
    /// The case that the path took.
    pub taken: TraceCase,
    /// The others.
    pub others: Vec<TraceCase>,
    /// Whether its other cases may become tasks. Not so for a decision that has no other side to
    /// explore, and in a regression test for one that the change does not affect.
    pub is_open: bool,
}

/// The decisions of a path that ran to its end, in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathTrace {
    /// The decisions.
    pub decisions: Vec<TraceDecision>,
}

/// A case to take at a site.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Goal {
    /// The site.
    pub site: Site,
    /// The condition of the case.
    pub condition: ConditionId,
}

/// A path to be run: its input satisfies the conditions of some decisions of the path that
/// suggested it, and of one case that the path did not take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The decisions whose cases it keeps, by ascending index.
    pub kept: Vec<usize>,
    /// The decision that goes otherwise.
    pub decision: usize,
    /// The index of its case among the others.
    pub other: usize,
}

/// What became of the cases that paths did not take.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct ReducerTotals {
    /// Cases that became tasks.
    pub tasks: u64,
    /// Cases left out, because paths without them show all that they could.
    pub redundant: u64,
    /// Runs that did not meet the case they were solved for; all their cases were considered.
    pub missed_goals: u64,
}

/// Decides which cases become tasks.
pub trait Reducer {
    /// The tasks of a path that ran to its end. `goal` is what it was solved for; `None` for a
    /// path of any other input.
    fn tasks(&mut self, trace: &PathTrace, goal: Option<Goal>) -> Vec<Task>;

    /// What became of the cases so far.
    fn totals(&self) -> ReducerTotals;
}
