//! Concolic searchers: a state that was just solved runs its input from the program's start.
//!
//! The solver's answer and the program's behaviour can differ. Where the program acts on a
//! value of an earlier input that no constraint records (the name of a file of the host,
//! `klee_get_value`), the new input may take another path. Such a *divergence* is counted,
//! and the state is dropped. The path that the input takes is not explored from here: another
//! state is on it, or will be.
//!
//! An input that reaches its branch is in a state equal to the one that waits there, so the
//! waiting one continues and the replayed one is discarded. The waiting one also knows which
//! values were excluded where an instruction tries them one by one.

use byway_base::Limit;
use byway_search::{Delta, StateId};

use super::budget::QUANTUM;
use super::explorer::Explorer;
use super::follow::{PathPosition, Replay, Replayed, is_at_branch, witness_case};
use super::results::inputs;
use crate::interp::{Machine, Step};
use crate::program::Program;
use crate::state::State;

/// How many divergences are reported one by one.
const MAX_REPORTED: u64 = 5;

impl Explorer<'_, '_, '_> {
    /// Replays the input of a state that was just solved to where the state waits; returns the
    /// state, if the input arrives.
    pub(super) fn replay_solved(
        &mut self,
        id: StateId,
        mut state: Box<State>,
        delta: &mut Delta,
    ) -> Option<Box<State>> {
        let (machine, budget) = (&mut self.machine, &self.budget);
        self.feasibility.apply_preferences(machine, &mut state.path, || budget.query());
        let inputs = inputs(&self.machine.pool, &state.path);
        let Some(start) = self.root.start_replay(&inputs) else { return Some(state) };
        let warnings = self.machine.warnings.clone();
        self.machine.evaluator.forget();
        let mut replay = Replay::new(start, PathPosition::of(&state), true);
        let mut replayed = self.replay(&mut replay, Explorer::count_replayed);
        if let Replayed::AtFork(request) = &replayed
            && is_at_branch(self.machine.program, &state)
        {
            let case = witness_case(&mut self.machine, &replay.state, request);
            if !case.is_some_and(|case| takes_case(&state, case)) {
                replayed = Replayed::Diverged;
            }
        }
        discard_reports(&mut self.machine, warnings);
        self.machine.recycle(&mut replay.state);
        match replayed {
            Replayed::Arrived | Replayed::AtFork(_) => return Some(state),
            // It is feasible, and so gives its test.
            Replayed::Stopped => self.frontier.put(id, state),
            Replayed::Diverged => self.diverge(id, &state, delta),
            Replayed::NoRoom => {
                self.frontier.put(id, state);
                self.drop_state(id, Limit::Memory, delta);
            }
        }
        None
    }

    /// Follows an input to its goal. `count` counts the instructions of each run.
    pub(super) fn replay(&mut self, replay: &mut Replay, count: fn(&mut Self, u64)) -> Replayed {
        loop {
            if let Some(replayed) = replay.arrived() {
                return replayed;
            }
            self.allow_memory();
            let (step, took) = replay.run(&mut self.machine);
            count(self, took);
            if let Step::Watch(watch) = step {
                self.reach_watch(&mut replay.state, watch);
            }
            if let Step::NoRoom(request) = step
                && !self.budget.is_stopped()
                && self.has_room(request)
            {
                continue;
            }
            let is_stopped = self.budget.is_stopped();
            let replayed = replay.step(step, &mut self.machine, &mut self.root, is_stopped);
            if let Some(replayed) = replayed {
                return replayed;
            }
        }
    }

    fn count_replayed(&mut self, instructions: u64) {
        self.results.totals.instructions += instructions;
        self.results.totals.followed += instructions;
        if instructions >= QUANTUM {
            self.tick();
        }
        self.check_limits();
    }

    fn diverge(&mut self, id: StateId, state: &State, delta: &mut Delta) {
        let program = self.machine.program;
        self.results.totals.losses.diverged += 1;
        self.branch_stats.count_waiting(program, state, |reasons| &mut reasons.dropped);
        delta.dropped.push(id);
        if self.results.totals.losses.diverged <= MAX_REPORTED {
            let branch = branch_location(program, state);
            let message = format!("an input solved for the branch at {branch} took another path");
            self.results.message(&message);
        }
    }
}

/// Forgets what the program reported during a replay: the original run reported it before,
/// and coverage on a path that diverged is no path's.
fn discard_reports(machine: &mut Machine, warnings: std::collections::BTreeMap<String, u64>) {
    machine.messages.clear();
    machine.coverage.fresh.clear();
    machine.warnings = warnings;
}

/// Whether a case is the one, or one of those, that a waiting state was solved for.
fn takes_case(state: &State, case: usize) -> bool {
    match (state.path.answers.last(), &state.path.case_group) {
        (Some(&(_, index)), _) => index as usize == case,
        (None, Some(group)) => group.contains(&case),
        (None, None) => true,
    }
}

/// Where a state waits, for a person.
fn branch_location(program: &Program, state: &State) -> String {
    let Some(top) = state.stack.last() else { return "the start".into() };
    let block = program.code(top.func).block_at(top.pc.saturating_sub(1));
    let func = &program.module.funcs[top.func];
    match func.blocks[block].term_loc.map(|loc| program.module.src_loc(loc)) {
        Some(at) => format!("{}:{}", at.file, at.line),
        None => format!("function '{}'", func.name),
    }
}
