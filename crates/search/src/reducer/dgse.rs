//! Dependence guided symbolic execution (Wang, Liu, Guan, Shen, Yang).
//!
//! Whether an instruction is executed on a path, and with which values, is determined by the
//! decisions it depends on. They form a decision tree: a computation that asks for a decision
//! only after those before it in the list. So all behaviours of an instruction are found if for
//! each list that a path shows, and each decision in it, some path agrees with the ones before
//! and takes another case. These are the tasks.
//!
//! Decisions that no instruction depends on together are never combined: of two independent
//! branches, three of the four combinations are enough. That two decisions are in one list is
//! what the paper calls interactive dependence. The paper computes it in advance, for all that
//! may depend on both; the lists of a path show it where it occurs, so fewer paths are needed.

use rustc_hash::FxHashSet;

use super::explored::{ExploredPaths, TaskCoverage};
use super::kept::{KeptSet, KeptSets};
use super::{ConditionId, Goal, PathTrace, Reducer, ReducerTotals, Task, TraceDecision};

/// Which combinations of decisions are explored.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Interactions {
    /// Those that an instruction depends on together.
    #[default]
    Considered,
    /// Only a decision with those that it depends on itself. This misses faults; it shows what
    /// interactive dependence is for.
    Ignored,
}

/// The reducer of dependence guided symbolic execution.
#[derive(Default)]
pub struct Dgse {
    interactions: Interactions,
    explored: ExploredPaths,
    kept: KeptSets,
    /// The tasks so far, except those for values.
    seen: FxHashSet<(KeptSet, Goal)>,
    totals: ReducerTotals,
}

impl Dgse {
    /// A reducer that considers these combinations.
    pub fn new(interactions: Interactions) -> Dgse {
        Dgse { interactions, ..Dgse::default() }
    }

    /// The tasks of decisions that something depends on together.
    fn tasks_of(&mut self, trace: &PathTrace, list: &[usize], tasks: &mut Vec<Task>) {
        let mut kept = KeptSet::default();
        for &index in list {
            let decision = &trace.decisions[index];
            for &condition in decision.others.iter().filter(|_| decision.is_open) {
                let goal = Goal { site: decision.site, condition, value_of: decision.value_of };
                if self.seen.insert((kept, any_value(goal))) {
                    tasks.extend(self.new_task(trace, index, kept, goal));
                }
            }
            kept = self.kept.with(kept, decision.taken);
        }
    }

    /// The task to take another case of a decision, if no path did.
    fn new_task(
        &mut self,
        trace: &PathTrace,
        index: usize,
        kept: KeptSet,
        goal: Goal,
    ) -> Option<Task> {
        let kept = self.kept.conditions(kept).to_vec();
        let task =
            Task { kept, goal: Some(goal), excluded: Vec::new(), decision: index, is_retry: false };
        let mut task = self.unexplored(task)?;
        task.excluded.extend(failures_before(trace, index, &task.kept));
        without_implied_failure(task)
    }

    /// The part of a task that no path shows.
    fn unexplored(&mut self, mut task: Task) -> Option<Task> {
        if let Some(goal) = task.goal.filter(|goal| goal.value_of.is_some()) {
            task.excluded.extend(self.explored.values(&task.kept, goal));
        } else {
            match self.explored.coverage(&task) {
                TaskCoverage::Complete => {
                    self.totals.redundant += 1;
                    return None;
                }
                TaskCoverage::Failed(failures) => task.excluded.extend(failures),
            }
        }
        Some(task)
    }
}

/// The goal of all other values together, whichever value a path had.
fn any_value(goal: Goal) -> Goal {
    match goal.value_of {
        Some(_) => Goal { condition: 0, ..goal },
        None => goal,
    }
}

/// A task, unless it implies a failure: then nothing is left of it.
fn without_implied_failure(mut task: Task) -> Option<Task> {
    let goal = task.goal.map(|goal| goal.condition);
    let is_implied = |it: &ConditionId| Some(*it) == goal || task.kept.binary_search(it).is_ok();
    if task.excluded.iter().any(|failure| failure.iter().all(is_implied)) {
        return None;
    }
    task.excluded.sort_unstable();
    task.excluded.dedup();
    Some(task)
}

/// The conditions under which a path fails a check that this one passed before a decision.
fn failures_before(trace: &PathTrace, index: usize, kept: &[ConditionId]) -> Vec<Vec<ConditionId>> {
    let failures = |check: &TraceDecision| {
        let conditions = check.depends_on.iter().map(|&it| trace.decisions[it].taken);
        let open: Vec<ConditionId> =
            conditions.filter(|it| kept.binary_search(it).is_err()).collect();
        let failure = |&other: &ConditionId| [&open[..], &[other]].concat();
        check.others.iter().map(failure).collect::<Vec<_>>()
    };
    let checks = trace.decisions[..index].iter().filter(|it| it.is_check);
    checks.flat_map(failures).collect()
}

/// Whether a path takes the case that it was solved for, or another value.
fn takes_goal(trace: &PathTrace, goal: Goal) -> bool {
    let takes = |it: &TraceDecision| {
        it.site == goal.site
            && match goal.value_of {
                Some(term) => it.value_of == Some(term),
                None => it.taken == goal.condition,
            }
    };
    trace.decisions.iter().any(takes)
}

/// What is left of a task whose path failed.
fn without_failure(trace: &PathTrace, failure: &[usize], task: &Task) -> Task {
    let mut task = task.clone();
    let conditions: Vec<ConditionId> =
        failure.iter().map(|&index| trace.decisions[index].taken).collect();
    if let Some(goal) = &mut task.goal
        && let Some(term) = goal.value_of
    {
        let is_it = |it: &&TraceDecision| it.site == goal.site && it.value_of == Some(term);
        if let Some(chosen) = trace.decisions.iter().find(is_it) {
            // The value is known now; what it leads to without the failure is not.
            *goal = Goal { condition: chosen.taken, value_of: None, ..*goal };
        }
    }
    task.excluded.push(conditions);
    task.is_retry = true;
    task
}

impl Reducer for Dgse {
    fn add_path(&mut self, trace: &PathTrace, task: &Task) -> Vec<Task> {
        self.explored.add(trace);
        let mut tasks = Vec::new();
        if let Some(goal) = task.goal {
            if goal.value_of.is_some() {
                // There may be further values.
                let kept = self.kept.number(task.kept.clone());
                self.seen.remove(&(kept, any_value(goal)));
            }
            self.totals.missed_goals +=
                u64::from(trace.failure.is_none() && !takes_goal(trace, goal));
        }
        if let Some(failure) = &trace.failure {
            tasks.extend(self.update(without_failure(trace, failure, task)));
        }
        let observed = trace.decisions.iter().enumerate().filter(|(_, it)| it.is_observed);
        for (index, decision) in observed {
            let mut list = decision.depends_on.clone();
            list.push(index);
            self.tasks_of(trace, &list, &mut tasks);
        }
        if self.interactions == Interactions::Considered {
            for list in &trace.dependences {
                self.tasks_of(trace, list, &mut tasks);
            }
        }
        self.totals.tasks += tasks.len() as u64;
        tasks
    }

    fn update(&mut self, task: Task) -> Option<Task> {
        without_implied_failure(self.unexplored(task)?)
    }

    fn totals(&self) -> ReducerTotals {
        self.totals
    }

    fn estimated_paths(&self) -> f64 {
        self.explored.estimate()
    }
}

#[cfg(test)]
mod tests;
