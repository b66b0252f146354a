//! Counts of a reduction.

use std::collections::BTreeMap;

use crate::dependence::GiveUpReason;

/// Counts of a reduction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReductionTotals {
    /// Cases that became tasks.
    pub tasks: u64,
    /// Cases that other paths made redundant.
    pub redundant: u64,
    /// Tasks that no input satisfies.
    pub infeasible: u64,
    /// Inputs that took a path which had run before, or which an assumption excludes.
    pub repeated: u64,
    /// Paths that did not make the decision they were solved for.
    pub missed_goals: u64,
    /// Paths whose dependences are not known: nothing was skipped because of them.
    pub unknown: BTreeMap<GiveUpReason, u64>,
    /// About how many paths there are.
    pub estimated_paths: u64,
    /// Whether the reduction was given up, because it skipped too few paths.
    pub is_abandoned: bool,
}

impl ReductionTotals {
    /// Adds the counts of another worker. What the shared reducer counts is the same for all, as of
    /// when a worker asked last.
    pub(in super::super) fn add(&mut self, other: &ReductionTotals) {
        let ReductionTotals {
            tasks,
            redundant,
            infeasible,
            repeated,
            missed_goals,
            unknown,
            estimated_paths,
            is_abandoned,
        } = other;
        self.tasks = self.tasks.max(*tasks);
        self.redundant = self.redundant.max(*redundant);
        self.missed_goals = self.missed_goals.max(*missed_goals);
        self.infeasible += infeasible;
        self.repeated += repeated;
        self.is_abandoned |= is_abandoned;
        self.estimated_paths = self.estimated_paths.max(*estimated_paths);
        for (&reason, count) in unknown {
            *self.unknown.entry(reason).or_default() += count;
        }
    }
}
