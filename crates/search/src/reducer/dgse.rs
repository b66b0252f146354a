//! Dependence guided symbolic execution (Wang, Liu, Guan, Shen, Yang: Algorithm 2).
//!
//! The first path gives a task for every case that it did not take. A path that was solved for
//! a case gives tasks only for cases behind it that depend on it: the others were tasks of the
//! path that suggested it, under the same conditions. A task keeps those decisions that its
//! case depends on, directly or through others, and leaves the rest open.

use rustc_hash::FxHashSet;

use super::{ConditionId, Goal, PathTrace, Reducer, ReducerTotals, Task};

/// The reducer of dependence guided symbolic execution.
#[derive(Default)]
pub struct Dgse {
    /// The tasks so far. Where dependences differ between paths, two paths can suggest one task.
    seen: FxHashSet<(Vec<ConditionId>, Goal)>,
    totals: ReducerTotals,
}

/// A set of decisions of a path, a bit each.
#[derive(Clone, Default)]
struct DecisionSet(Vec<u64>);

impl DecisionSet {
    fn insert(&mut self, decision: usize) {
        let word = decision / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (decision % 64);
    }

    fn contains(&self, decision: usize) -> bool {
        self.0.get(decision / 64).is_some_and(|word| word >> (decision % 64) & 1 != 0)
    }

    fn add(&mut self, other: &DecisionSet) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * 64).filter(|&decision| self.contains(decision))
    }
}

/// The decisions that a case depends on, directly or through others.
fn closure(depends_on: &[usize], closures: &[DecisionSet]) -> DecisionSet {
    let mut all = DecisionSet::default();
    for &decision in depends_on {
        all.insert(decision);
        all.add(&closures[decision]);
    }
    all
}

impl Reducer for Dgse {
    fn tasks(&mut self, trace: &PathTrace, goal: Option<Goal>) -> Vec<Task> {
        let is_goal = |goal: Goal| {
            let mut decisions = trace.decisions.iter();
            decisions.position(|it| it.site == goal.site && it.taken.condition == goal.condition)
        };
        let reached = goal.and_then(is_goal);
        self.totals.missed_goals += u64::from(goal.is_some() && reached.is_none());
        let mut closures: Vec<DecisionSet> = Vec::with_capacity(trace.decisions.len());
        let mut tasks = Vec::new();
        for (index, decision) in trace.decisions.iter().enumerate() {
            for (other, case) in decision.others.iter().enumerate() {
                let kept = closure(&case.depends_on, &closures);
                let is_new = decision.is_open
                    && reached.is_none_or(|goal| goal < index && kept.contains(goal));
                let kept: Vec<usize> = kept.iter().collect();
                let goal = Goal { site: decision.site, condition: case.condition };
                if is_new && self.add(trace, &kept, goal) {
                    tasks.push(Task { kept, decision: index, other });
                } else {
                    self.totals.redundant += 1;
                }
            }
            closures.push(closure(&decision.taken.depends_on, &closures));
        }
        self.totals.tasks += tasks.len() as u64;
        tasks
    }

    fn totals(&self) -> ReducerTotals {
        self.totals
    }
}

impl Dgse {
    /// Records a task; returns whether it is new.
    fn add(&mut self, trace: &PathTrace, kept: &[usize], goal: Goal) -> bool {
        let mut conditions: Vec<ConditionId> =
            kept.iter().map(|&decision| trace.decisions[decision].taken.condition).collect();
        conditions.sort_unstable();
        conditions.dedup();
        self.seen.insert((conditions, goal))
    }
}

#[cfg(test)]
mod tests;
