//! The paths that ran, by what holds on them.

use rustc_hash::FxHashMap;

use super::path_set::{PathSet, numbers};
use super::{ConditionId, Goal, PathTrace, Task};
use crate::Site;

/// What is known of the paths that ran.
#[derive(Default)]
pub(super) struct ExploredPaths {
    count: u32,
    /// The paths whose decisions took a case.
    by_case: FxHashMap<(Site, ConditionId), PathSet>,
    /// The paths on which a condition was a decision's.
    by_condition: FxHashMap<ConditionId, PathSet>,
    /// The paths that chose a value of a term, ascending, and the values' conditions.
    by_term: FxHashMap<(Site, u32), Vec<(u32, ConditionId)>>,
    /// The conditions that led to the fault of a path, if it ended in one or was excluded.
    failures: FxHashMap<u32, Vec<ConditionId>>,
    /// The decisions of the first paths, with the cases that they did not take.
    samples: Vec<Vec<(Site, Vec<ConditionId>)>>,
}

/// The most paths that an estimate considers.
const MOST_SAMPLES: usize = 1_000;

/// What the paths that ran leave of a task.
pub(super) enum TaskCoverage {
    /// One of them shows all that it can.
    Complete,
    /// Some satisfy it, but each failed: these conditions led there.
    Failed(Vec<Vec<ConditionId>>),
}

impl ExploredPaths {
    pub fn add(&mut self, trace: &PathTrace) {
        let number = self.count;
        self.count += 1;
        for decision in &trace.decisions {
            self.by_case.entry((decision.site, decision.taken)).or_default().push(number);
            self.by_condition.entry(decision.taken).or_default().push(number);
            if let Some(term) = decision.value_of {
                let values = self.by_term.entry((decision.site, term)).or_default();
                values.push((number, decision.taken));
            }
        }
        if self.samples.len() < MOST_SAMPLES {
            let decisions = trace.decisions.iter().map(|it| (it.site, it.others.clone()));
            self.samples.push(decisions.collect());
        }
        if let Some(failure) = &trace.failure {
            let conditions = failure.iter().map(|&index| trace.decisions[index].taken);
            self.failures.insert(number, conditions.collect());
        }
    }

    /// What paths with the task's conditions leave of a goal for any value of a term, as
    /// conjunctions to exclude: the value of each path, if it failed together with what led
    /// there. Behind the failure, its value has shown nothing; another value may show something
    /// before it.
    pub fn values(&self, kept: &[ConditionId], goal: Goal) -> Vec<Vec<ConditionId>> {
        let Some(term) = goal.value_of else { return Vec::new() };
        let Some(chosen) = self.by_term.get(&(goal.site, term)) else { return Vec::new() };
        let satisfies = |path: u32| {
            kept.iter().all(|it| self.by_condition.get(it).is_some_and(|all| all.contains(path)))
        };
        let shown = |&(path, value): &(u32, ConditionId)| {
            let failure = self.failures.get(&path).into_iter().flatten().copied();
            let mut all: Vec<ConditionId> = failure.chain([value]).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let mut excluded: Vec<Vec<ConditionId>> =
            chosen.iter().filter(|&&(path, _)| satisfies(path)).map(shown).collect();
        excluded.sort_unstable();
        excluded.dedup();
        excluded
    }

    /// What the paths that satisfy a task leave of it.
    pub fn coverage(&self, task: &Task) -> TaskCoverage {
        let at_goal = task.goal.map(|goal| self.by_case.get(&(goal.site, goal.condition)));
        let kept = task.kept.iter().map(|it| self.by_condition.get(it));
        let Some(sets) = at_goal.into_iter().chain(kept).collect::<Option<Vec<_>>>() else {
            return TaskCoverage::Failed(Vec::new());
        };
        let mut failures = Vec::new();
        let mut add = |path: u32| match self.failures.get(&path) {
            None => false,
            Some(failure) => {
                failures.push(failure.clone());
                true
            }
        };
        let has_failed = match sets.is_empty() {
            // Every path satisfies a task without conditions.
            true => (0..self.count).all(&mut add),
            false => PathSet::intersection(sets)
                .flat_map(|(block, bits)| numbers(block, bits))
                .all(&mut add),
        };
        match has_failed {
            true => TaskCoverage::Failed(failures),
            false => TaskCoverage::Complete,
        }
    }

    /// About how many paths there are: the product of the cases at the decisions of a path that
    /// some path took, for the median of the paths.
    pub fn estimate(&self) -> f64 {
        let cases = |(site, others): &(Site, Vec<ConditionId>)| {
            let taken = others.iter().filter(|&&it| self.by_case.contains_key(&(*site, it)));
            1.0 + taken.count() as f64
        };
        let paths = |sample: &Vec<_>| sample.iter().map(cases).product::<f64>();
        let mut estimates: Vec<f64> = self.samples.iter().map(paths).collect();
        estimates.sort_unstable_by(f64::total_cmp);
        let median = estimates.get(estimates.len() / 2).copied().unwrap_or(0.0);
        median.max(f64::from(self.count))
    }
}
