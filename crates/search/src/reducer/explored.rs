//! The paths that ran, by what holds on them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{ConditionId, Goal, PathTrace, Task};
use crate::Site;

/// What is known of the paths that ran.
#[derive(Default)]
pub(super) struct ExploredPaths {
    paths: Vec<ExploredPath>,
    /// The paths whose decisions took a case, ascending.
    by_case: FxHashMap<(Site, ConditionId), Vec<u32>>,
    /// The paths on which a condition was a decision's, ascending.
    by_condition: FxHashMap<ConditionId, Vec<u32>>,
    /// The paths that chose a value of a term, ascending, and the values' conditions.
    by_term: FxHashMap<(Site, u32), Vec<(u32, ConditionId)>>,
    /// The decisions of the first paths, with the cases that they did not take.
    samples: Vec<Vec<(Site, Vec<ConditionId>)>>,
}

/// The most paths that an estimate considers.
const MOST_SAMPLES: usize = 1_000;

struct ExploredPath {
    conditions: FxHashSet<ConditionId>,
    /// The conditions that led to its fault, if it ended in one or was excluded.
    failure: Option<Vec<ConditionId>>,
}

/// What the paths that ran leave of a task.
pub(super) enum TaskCoverage {
    /// One of them shows all that it can.
    Complete,
    /// Some satisfy it, but each failed: these conditions led there.
    Failed(Vec<Vec<ConditionId>>),
}

impl ExploredPaths {
    pub fn add(&mut self, trace: &PathTrace) {
        let number = self.paths.len() as u32;
        for decision in &trace.decisions {
            push(self.by_case.entry((decision.site, decision.taken)).or_default(), number);
            push(self.by_condition.entry(decision.taken).or_default(), number);
            if let Some(term) = decision.value_of {
                let values = self.by_term.entry((decision.site, term)).or_default();
                values.push((number, decision.taken));
            }
        }
        if self.samples.len() < MOST_SAMPLES {
            let decisions = trace.decisions.iter().map(|it| (it.site, it.others.clone()));
            self.samples.push(decisions.collect());
        }
        let condition = |&index: &usize| trace.decisions[index].taken;
        let failure = trace.failure.as_ref().map(|it| it.iter().map(condition).collect());
        let conditions = trace.decisions.iter().map(|it| it.taken).collect();
        self.paths.push(ExploredPath { conditions, failure });
    }

    /// The values of the goal's term, as conditions, that paths with the task's conditions have
    /// chosen.
    pub fn values(&self, kept: &[ConditionId], goal: Goal) -> Vec<ConditionId> {
        let Some(term) = goal.value_of else { return Vec::new() };
        let Some(chosen) = self.by_term.get(&(goal.site, term)) else { return Vec::new() };
        let satisfies = |path: u32| self.satisfies(path, kept);
        let mut values: Vec<ConditionId> =
            chosen.iter().filter(|&&(path, _)| satisfies(path)).map(|&(_, value)| value).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// What the paths that satisfy a task leave of it.
    pub fn coverage(&self, task: &Task) -> TaskCoverage {
        let mut failures = Vec::new();
        for path in self.satisfying(task) {
            match &self.paths[path as usize].failure {
                None => return TaskCoverage::Complete,
                Some(failure) => failures.push(failure.clone()),
            }
        }
        TaskCoverage::Failed(failures)
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
        median.max(self.paths.len() as f64)
    }

    fn satisfies(&self, path: u32, kept: &[ConditionId]) -> bool {
        let conditions = &self.paths[path as usize].conditions;
        kept.iter().all(|it| conditions.contains(it))
    }

    /// The paths that keep a task's conditions and take the case of its goal.
    fn satisfying<'s>(&'s self, task: &'s Task) -> Box<dyn Iterator<Item = u32> + 's> {
        let at_goal = task.goal.map(|goal| self.by_case.get(&(goal.site, goal.condition)));
        let kept = task.kept.iter().map(|it| self.by_condition.get(it));
        // The shortest list is walked.
        let Some(shortest) =
            at_goal.into_iter().chain(kept).min_by_key(|it| it.map_or(0, Vec::len))
        else {
            return Box::new(0..self.paths.len() as u32);
        };
        let takes_goal = move |path: u32| {
            at_goal.is_none_or(|paths| paths.is_some_and(|it| it.binary_search(&path).is_ok()))
        };
        let candidates = shortest.into_iter().flatten().copied();
        Box::new(
            candidates.filter(move |&path| takes_goal(path) && self.satisfies(path, &task.kept)),
        )
    }
}

fn push(paths: &mut Vec<u32>, path: u32) {
    if paths.last() != Some(&path) {
        paths.push(path);
    }
}
