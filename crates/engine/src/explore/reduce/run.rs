//! A task is solved, and its input runs.

use byway_base::{Limit, Outcome};
use byway_expr::{Added, PathCondition};
use byway_search::reducer::{PathTrace, Task, TraceDecision};
use byway_search::{Delta, StateId};

use super::super::UnfinishedTests;
use super::super::explorer::Explorer;
use super::super::feasibility::Decided;
use super::super::follow::witness_case;
use super::super::results::{complete_digest, inputs};
use super::ReducedSearch;
use super::trace::{decision_at, end_of, fork_limit, is_failure, path_trace};
use crate::dependence::{
    DependenceTracker, GiveUpReason, LoggedDecision, PathDependences, PathPoint,
};
use crate::interp::Step;
use crate::path_info::ForkRequest;
use crate::seeds::PathSeeds;
use crate::state::State;

/// What a path decided so far.
#[derive(Default)]
struct RunningPath {
    decisions: Vec<TraceDecision>,
    /// Its input violates an assumption.
    is_excluded: bool,
}

impl<'p> Explorer<'p, '_, '_> {
    /// Runs the task of a state, or the first path.
    pub(in super::super) fn run_task(&mut self, id: StateId, delta: &mut Delta) {
        let (Some(state), Some(reduced)) = (self.frontier.take(id), &mut self.reduced) else {
            return;
        };
        let Some(task) = reduced.tasks.get(&id).cloned() else {
            return self.run_input(id, state, &Task::default(), delta);
        };
        let Some(task) = reduced.shared.reducer().update(task) else {
            reduced.tasks.remove(&id);
            delta.dropped.push(id);
            return;
        };
        match self.solve_task(state, &task) {
            (Decided::Feasible, mut state) => {
                self.forget_task(id);
                let inputs = inputs(&self.machine.pool, &state.path);
                let start = self.root.start_replay(&inputs);
                self.machine.recycle(&mut state);
                if let Some(start) = start {
                    self.run_input(id, start, &task, delta);
                }
            }
            (Decided::Infeasible, mut state) => {
                self.forget_task(id);
                self.machine.recycle(&mut state);
                if let Some(reduced) = &mut self.reduced {
                    reduced.totals.infeasible += 1;
                }
                delta.infeasible.push(id);
            }
            (Decided::Undecided(reason), state) => {
                self.suspend_undecided(id, state, reason, delta);
            }
        }
    }

    pub(in super::super) fn forget_task(&mut self, id: StateId) {
        if let Some(reduced) = &mut self.reduced {
            reduced.tasks.remove(&id);
        }
    }

    /// Finds an input for a task; it becomes the witness of the state.
    fn solve_task(&mut self, mut state: Box<State>, task: &Task) -> (Decided, Box<State>) {
        let Some(reduced) = &mut self.reduced else { return (Decided::Infeasible, state) };
        let pool = &mut self.machine.pool;
        let mut condition = PathCondition::new();
        for kept in task.kept.iter().filter_map(|&kept| reduced.conditions.term(kept)) {
            if condition.add(pool, kept) == Added::False {
                return (Decided::Infeasible, state);
            }
        }
        let path = &mut state.path;
        path.condition = condition;
        path.pending = Some(reduced.conditions.demand(pool, task));
        let attempts = std::mem::take(&mut path.attempts);
        let query = self.budget.query_again(attempts);
        let decided = self.feasibility.decide(pool, path, query);
        path.attempts = attempts;
        self.undecided.totals.decided +=
            u64::from(attempts > 0 && !matches!(decided, Decided::Undecided(_)));
        self.tick_if_solving();
        self.check_limits();
        (decided, state)
    }

    /// Runs a state to the end of its path, which suggests tasks.
    fn run_input(&mut self, id: StateId, mut state: Box<State>, task: &Task, delta: &mut Delta) {
        let Some(reduced) = &mut self.reduced else { return };
        reduced.log.take();
        reduced.snapshots.clear();
        let mut tracker = reduced.tracker.clone();
        let mut path = RunningPath::default();
        self.machine.evaluator.forget();
        self.begin_run();
        let outcome = loop {
            let (step, _) = self.run_machine(id, &mut state, u64::MAX, delta);
            match step {
                Step::End(outcome) => break Some(outcome),
                Step::Yield if self.budget.is_path_too_long(&state.path) => {
                    self.results.totals.losses.too_long += 1;
                    break Some(Outcome::OutOfBudget);
                }
                Step::Yield => self.tick(),
                Step::Watch(watch) => _ = self.reach_watch(&mut state, watch),
                Step::NoRoom(request) => {
                    if !self.make_room_for(request, &mut state, delta) {
                        break Some(self.drop_running());
                    }
                    self.tick();
                }
                Step::Fork(request) => {
                    self.advance_root(&state, &mut tracker);
                    if !self.take_case(&mut state, &request, &mut path) {
                        break Some(Outcome::Excluded);
                    }
                }
            }
            self.check_limits();
            if !self.limit_memory_of_run(&state, delta) {
                break Some(self.drop_running());
            }
            if self.budget.is_stopped() {
                break None;
            }
        };
        self.end_run();
        // They only said which bytes the input has.
        state.path.seeds = PathSeeds::default();
        delta.ended.push(id);
        match outcome {
            Some(outcome) => self.end_input(state, outcome, path, tracker, task, delta),
            None => self.leave_input(state),
        }
    }

    /// The exploration stops while an input runs.
    fn leave_input(&mut self, state: Box<State>) {
        self.results.totals.losses.unfinished += 1;
        match self.results.unfinished_tests() {
            UnfinishedTests::None => self.results.totals.losses.untested += 1,
            _ => _ = self.end(state, self.budget.unfinished_outcome()),
        }
    }

    /// The first fork request of all: everything before it is the same for all inputs.
    pub(super) fn advance_root(&mut self, state: &State, tracker: &mut DependenceTracker<'p>) {
        let Some(reduced) = &mut self.reduced else { return };
        tracker.walk(&reduced.log.take());
        if self.root.advance(state) {
            reduced.tracker = tracker.clone();
        }
    }

    /// Takes the case of the witness; returns whether there is one.
    fn take_case(
        &mut self,
        state: &mut State,
        request: &ForkRequest,
        path: &mut RunningPath,
    ) -> bool {
        let taken = witness_case(&mut self.machine, state, request);
        let Some(reduced) = &mut self.reduced else { return false };
        let limit = fork_limit(state, self.budget.limits());
        let (machine, conditions) = (&mut self.machine, &mut reduced.conditions);
        let decision = decision_at(machine, conditions, state, request, taken, limit);
        let TraceDecision { site, is_open, is_check, .. } = decision;
        if let Some(limit) = limit.filter(|_| request.cases.len() > 1) {
            self.results.totals.losses.count_dropped(limit);
        }
        path.decisions.push(decision);
        let index = path.decisions.len() as u32 - 1;
        reduced.log.decide(LoggedDecision { index, inst: site.inst, is_check });
        reduced.snapshots.push(is_open.then(|| Box::new(state.clone())));
        self.results.totals.forks += u64::from(is_open);
        state.path.depth += 1;
        let Some(taken) = taken else {
            path.is_excluded = true;
            return false;
        };
        state.path.answered(request.key, taken);
        true
    }

    /// The path of an input ended: reports it, and adds the tasks that it suggests.
    fn end_input(
        &mut self,
        mut state: Box<State>,
        outcome: Outcome,
        path: RunningPath,
        tracker: DependenceTracker,
        task: &Task,
        delta: &mut Delta,
    ) {
        let is_failed = is_failure(&outcome);
        let end = end_of(&self.machine, &state);
        let Some(reduced) = &mut self.reduced else { return };
        let is_excluded = path.is_excluded;
        let trace = reduced.trace(&state, path, tracker, is_failed, end);
        let tasks = reduced.shared.reducer().add_path(&trace, task);
        let is_judgement_due = reduced.sample(&trace, &state);
        for task in tasks {
            let limits = self.budget.limits();
            if limits.states.is_some_and(|max| self.frontier.len() + 1 >= max) {
                self.results.totals.losses.count_dropped(Limit::States);
                continue;
            }
            let mut waiting = match reduced.snapshots.get_mut(task.decision) {
                Some(Some(snapshot)) => snapshot.clone(),
                _ => state.clone(),
            };
            let own = &mut waiting.path;
            own.inputs = state.path.inputs.clone();
            own.witness = state.path.witness.clone();
            own.pending = Some(self.machine.pool.boolean(true));
            own.attempts = 0;
            let id = self.frontier.add(waiting);
            reduced.tasks.insert(id, task);
            delta.started.push(id);
        }
        reduced.snapshots.clear();
        self.results.count_states(self.frontier.len());
        complete_digest(self.machine.program, &mut state, &outcome);
        if !is_excluded && reduced.shared.paths.add(state.path.digest) {
            delta.newly_tested += self.report(state, outcome);
        } else {
            reduced.totals.repeated += 1;
            self.machine.recycle(&mut state);
        }
        if is_judgement_due {
            self.judge_reduction();
        }
    }
}

impl ReducedSearch<'_> {
    /// The path as the reducer sees it.
    fn trace(
        &mut self,
        state: &State,
        path: RunningPath,
        mut tracker: DependenceTracker,
        is_failed: bool,
        end: Option<PathPoint>,
    ) -> PathTrace {
        tracker.walk(&self.log.take());
        let dependences = match state.path.concretised.is_empty() {
            true => tracker.finish(end),
            false => Err(GiveUpReason::Concretised),
        };
        let known = dependences.unwrap_or_else(|reason| {
            *self.totals.unknown.entry(reason).or_default() += 1;
            PathDependences::complete(path.decisions.iter().map(|it| it.is_check))
        });
        path_trace(path.decisions, known, is_failed)
    }
}
