//! Reducers: which cases that paths did not take deserve a path of their own.
//!
//! A [`Reducer`] sees every path that ran to its end as a [`PathTrace`]: its decisions, and the
//! sets of decisions that its values and instructions depend on. It answers with tasks. A
//! [`Task`] names a case to take and conditions to keep; all else may change, so the condition of
//! a task is no prefix of a path, and its input runs from the program's start.

mod dgse;
mod explored;
mod kept;
mod path_set;

use crate::Site;

pub use dgse::{Dgse, Interactions};

/// The number of a condition: two conditions are equal if their numbers are.
pub type ConditionId = u32;

/// A decision of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceDecision {
    /// Where it was made.
    pub site: Site,
    /// The inputs that take the case which the path took.
    pub taken: ConditionId,
    /// The inputs that take each of the others.
    pub others: Vec<ConditionId>,
    /// The term whose value was chosen, by number, if it can have many: `others` are then all
    /// its other values together.
    pub value_of: Option<u32>,
    /// The earlier decisions that determine whether and how it is made, in the order in which
    /// they are asked: those before one never depend on it.
    pub depends_on: Vec<usize>,
    /// Whether its other cases may become tasks. Not so for a decision that has no other side to
    /// explore.
    pub is_open: bool,
    /// Whether to explore its other cases for their own sake. Not so for a decision that the
    /// change under test does not affect; a list of dependences may still ask for them.
    pub is_observed: bool,
    /// Whether the path ends at once in any other case, in a fault or excluded: a check or an
    /// assumption. Nothing behind it depends on it.
    pub is_check: bool,
}

/// A path that ran to its end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathTrace {
    /// Its decisions, in their order.
    pub decisions: Vec<TraceDecision>,
    /// The decisions that an instruction of the path depends on, together, each set once and in
    /// the order in which they are asked. Those of the decisions themselves need not be listed.
    pub dependences: Vec<Vec<usize>>,
    /// If the path ended in a fault or was excluded: the decisions that led there, the failed
    /// check included.
    pub failure: Option<Vec<usize>>,
}

impl PathTrace {
    /// The most decisions that something on the path depends on together.
    pub fn longest_dependence(&self) -> Vec<usize> {
        let own = |(index, it): (usize, &TraceDecision)| {
            it.depends_on.iter().copied().chain([index]).collect::<Vec<usize>>()
        };
        let lists = self.decisions.iter().enumerate().map(own);
        lists.chain(self.dependences.iter().cloned()).max_by_key(Vec::len).unwrap_or_default()
    }
}

/// A case to take at a site.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Goal {
    /// The site.
    pub site: Site,
    /// The condition of the case.
    pub condition: ConditionId,
    /// The number of the term, if any other value than the path's is a goal.
    pub value_of: Option<u32>,
}

/// A path to be run: its input satisfies all of `kept`, takes the case of the goal, and none of
/// the conjunctions `excluded` holds for it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Task {
    /// The conditions that it keeps, ascending.
    pub kept: Vec<ConditionId>,
    /// The case to take; `None` for the first path.
    pub goal: Option<Goal>,
    /// Conjunctions of conditions that end a path before it can show anything new.
    pub excluded: Vec<Vec<ConditionId>>,
    /// The decision of the path that suggested it.
    pub decision: usize,
    /// Whether a path for it failed, and this is what is left of it. That path may not have made
    /// the decisions of its conditions.
    pub is_retry: bool,
}

/// What became of the cases that paths did not take.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct ReducerTotals {
    /// Cases that became tasks.
    pub tasks: u64,
    /// Cases left out, because paths without them show all that they could.
    pub redundant: u64,
    /// Paths that did not make the decision they were solved for, though they did not fail: the
    /// dependences were incomplete.
    pub missed_goals: u64,
}

/// Decides which cases become tasks.
pub trait Reducer {
    /// A path ran to its end; returns its tasks.
    fn add_path(&mut self, trace: &PathTrace, task: &Task) -> Vec<Task>;

    /// The task as it is worth running now, after the paths that ran since it was suggested;
    /// `None` if it is not.
    fn update(&mut self, task: Task) -> Option<Task>;

    /// What became of the cases so far.
    fn totals(&self) -> ReducerTotals;

    /// About how many paths the program has, if all combinations of cases that were taken are
    /// possible.
    fn estimated_paths(&self) -> f64;
}
