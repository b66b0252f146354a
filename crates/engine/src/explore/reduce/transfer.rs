//! A task moves to another worker: with the numbers of its conditions, which are the same there,
//! and with the input of the path that suggested it. The receiver runs that input again if it
//! lacks a term of the task: the path makes the decisions of all its conditions. Such a run is no
//! path of the receiver. It is not reported, and the reducer knows it already.

use byway_base::Input;
use byway_expr::Pool;
use byway_search::StateId;
use byway_search::reducer::Task;

use super::super::budget::QUANTUM;
use super::super::explorer::Explorer;
use super::super::follow::witness_case;
use super::super::results::inputs;
use super::ReducedSearch;
use super::conditions::conditions_of;
use crate::interp::Step;
use crate::path_info::ForkRequest;
use crate::state::State;

/// A task on its way to another worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MovedTask {
    pub task: Task,
    /// The input of the path that suggested it.
    pub inputs: Vec<Input>,
    /// The decisions of that path before the task's own.
    pub depth: u32,
}

/// How the run of a known input ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RerunEnd {
    Done,
    /// The exploration stops.
    Stopped,
    /// There is no room in memory for the state.
    NoRoom,
}

impl ReducedSearch<'_> {
    /// The task of a state, for another worker; `None` if it has to stay.
    ///
    /// A task for further values, or one whose path failed, stays: only the worker that ran it
    /// has the terms of all that it excludes.
    pub fn movable_task(&self, pool: &Pool, id: StateId, state: &State) -> Option<MovedTask> {
        let task = self.tasks.get(&id)?;
        let path = &state.path;
        let finds_value = task.goal.is_none_or(|goal| goal.value_of.is_some());
        if finds_value || task.is_retry || path.unrepeatable || path.attempts > 0 {
            return None;
        }
        Some(MovedTask { task: task.clone(), inputs: inputs(pool, path), depth: path.depth })
    }

    /// Whether the terms of a task are known here.
    pub fn has_terms_of(&self, moved: &MovedTask) -> bool {
        self.conditions.has_terms_of(&moved.task)
    }

    /// Adds a task of another worker.
    pub fn add_moved(&mut self, id: StateId, moved: MovedTask) {
        self.tasks.insert(id, moved.task);
    }
}

impl Explorer<'_, '_, '_> {
    /// Runs an input for the terms of its decisions, whose numbers are known. `count` counts the
    /// instructions.
    pub(in super::super) fn rerun(
        &mut self,
        inputs: &[Input],
        count: fn(&mut Self, u64),
    ) -> RerunEnd {
        let (Some(mut state), Some(reduced)) = (self.root.start_replay(inputs), &self.reduced)
        else {
            return RerunEnd::Done;
        };
        reduced.log.take();
        let mut tracker = Some(reduced.tracker.clone());
        let warnings = self.machine.warnings.clone();
        self.machine.evaluator.forget();
        let rerun = loop {
            self.allow_memory();
            let (step, took) = self.machine.run(&mut state, QUANTUM);
            count(self, took);
            match step {
                Step::End(_) => break RerunEnd::Done,
                Step::Yield if self.budget.is_path_too_long(&state.path) => break RerunEnd::Done,
                Step::Yield | Step::Watch(_) => {}
                Step::NoRoom(request) if self.has_room(request) => {}
                Step::NoRoom(_) => break RerunEnd::NoRoom,
                Step::Fork(request) => {
                    if let Some(mut tracker) = tracker.take() {
                        self.advance_root(&state, &mut tracker);
                    }
                    if !self.take_known_case(&mut state, &request) {
                        break RerunEnd::Done;
                    }
                }
            }
            if self.budget.is_stopped() {
                break RerunEnd::Stopped;
            }
        };
        self.machine.recycle(&mut state);
        // The worker that ran the path first reported what the program said and covered.
        self.machine.messages.clear();
        self.machine.coverage.fresh.clear();
        self.machine.warnings = warnings;
        self.machine.evaluator.forget();
        rerun
    }

    /// Takes the case of the witness, and notes the terms of all cases; returns whether there is
    /// one.
    fn take_known_case(&mut self, state: &mut State, request: &ForkRequest) -> bool {
        let taken = witness_case(&mut self.machine, state, request);
        let Some(reduced) = &mut self.reduced else { return false };
        reduced.log.take();
        let pool = &mut self.machine.pool;
        for term in conditions_of(pool, request).into_iter().chain(request.value_of) {
            reduced.conditions.number(pool, term);
        }
        let Some(taken) = taken else { return false };
        state.path.answered(request.key, taken);
        true
    }
}
