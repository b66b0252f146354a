//! Giving states to other workers, and taking theirs.

use std::time::Instant;

use byway_base::{Input, InternalError, InternalErrorKind, Limit, Outcome};
use byway_search::{Delta, NewCoverage, StateId, View};

use super::super::SearchStrategy;
use super::super::explorer::Explorer;
use super::super::follow::{PathPosition, Replay, Replayed};
use super::super::reduce::{MovedTask, RerunEnd};
use super::super::results::inputs;
use super::exchange::{MovedState, Parcel};
use super::trace::{Trace, TraceEnd};
use super::transfer::{take_end, trace_of};
use crate::reason::UndecidedReason;
use crate::seeds::PathSeeds;
use crate::state::State;

/// The most states that are given at once.
const MAX_GIVEN: usize = 1 << 10;

/// The most instructions to replay for one parcel: the receiver replays all of it before it
/// continues.
const MAX_REPLAYED: u64 = 20_000_000;

/// There is no room in memory for a state.
struct NoRoom;

impl Explorer<'_, '_, '_> {
    /// Gives about half of the states to a worker that waits for work: every second one, those
    /// with the fewest forks first, as the largest subtrees are behind them.
    pub(in super::super) fn give_work(&mut self, delta: &mut Delta) {
        let states = self.frontier.len();
        if states < 2 || self.budget.is_stopped() || !self.worker.is_asked_for_work(states) {
            return;
        }
        let exchange = self.worker.exchange;
        exchange.give(|| self.make_parcel(delta));
    }

    fn make_parcel(&mut self, delta: &mut Delta) -> Option<Parcel> {
        let mut ids: Vec<(u32, StateId)> = self
            .frontier
            .states()
            .into_iter()
            .filter_map(|id| Some((self.frontier.get(id)?.path.depth, id)))
            .collect();
        ids.sort_unstable();
        let most = (ids.len() / 2).min(MAX_GIVEN);
        let mut parcel = Vec::new();
        let mut to_replay = 0;
        let mut is_given = false;
        for (_, id) in ids {
            if parcel.len() == most || to_replay > MAX_REPLAYED {
                break;
            }
            let Some((moved, instructions)) = self.movable(id) else { continue };
            is_given = !is_given;
            if !is_given {
                continue;
            }
            to_replay += instructions;
            parcel.push(moved);
            self.give_to_checkpoint(id);
            self.frontier.take(id);
            self.forget_task(id);
            delta.dropped.push(id);
        }
        self.worker.counts.given += parcel.len() as u64;
        if parcel.is_empty() {
            self.worker.refuse_work();
            return None;
        }
        Some(parcel)
    }

    /// A state as it moves to another worker, and how many instructions lead to it; `None` if it
    /// has to stay.
    fn movable(&self, id: StateId) -> Option<(MovedState, u64)> {
        let state = self.frontier.get(id)?;
        let moved = match &self.reduced {
            Some(reduced) => {
                let task = reduced.movable_task(&self.machine.pool, id, state)?;
                MovedState::Task(Box::new(task))
            }
            None => MovedState::Trace(trace_of(&self.machine, state)?.encode()),
        };
        Some((moved, state.path.instructions))
    }

    /// Waits for work of others, if there is none here; returns whether it received any.
    pub(in super::super) fn take_work(&mut self, strategy: &mut SearchStrategy) -> bool {
        // Undecided states that are not worth another attempt wait for the end.
        if self.frontier.len() > self.undecided.len() {
            return false;
        }
        self.publish_load();
        self.update_totals();
        self.results.flush();
        let since = Instant::now();
        let exchange = self.worker.exchange;
        let parcel = exchange.take();
        self.worker.counts.idle += since.elapsed();
        let Some(parcel) = parcel else {
            self.publish_load();
            self.worker.synchronise_stop(&mut self.budget);
            return false;
        };
        self.abandon_reduction(strategy);
        let mut delta = Delta::default();
        let count = parcel.len();
        for moved in parcel {
            match (self.budget.is_stopped(), moved) {
                (true, MovedState::Trace(bytes)) => {
                    self.leave_unfinished(Trace::decode(&bytes).as_ref());
                }
                (true, MovedState::Task(_)) => self.results.totals.losses.unfinished += 1,
                (false, MovedState::Trace(bytes)) => {
                    self.take_in(Trace::decode(&bytes), &mut delta);
                }
                (false, MovedState::Task(task)) => self.take_in_task(*task, &mut delta),
            }
            self.limit_memory(&mut delta);
        }
        self.results.count_states(self.frontier.len());
        self.publish_load();
        exchange.arrived(count);
        strategy.update(&delta, &self.frontier);
        self.collect_if_due();
        true
    }

    /// Follows a trace to its state; `None` is one that could not be decoded.
    pub(in super::super) fn take_in(&mut self, trace: Option<Trace>, delta: &mut Delta) {
        if let (Some(checkpoints), Some(trace)) = (&mut self.checkpoints, &trace) {
            checkpoints.receive(trace);
        }
        let state = match trace.as_ref().map(|trace| self.follow_trace(trace)) {
            Some(Err(NoRoom)) => return self.results.totals.losses.count_dropped(Limit::Memory),
            Some(Ok(state)) => state,
            None => None,
        };
        if state.is_none() && self.budget.is_stopped() {
            return self.leave_unfinished(trace.as_ref());
        }
        self.worker.counts.taken += 1;
        self.worker.counts.diverged += u64::from(state.is_none());
        let Some(state) = state else { return self.lose(trace) };
        if self.requirements.random_tests {
            // Random inputs that are to take its path resemble the one that led there.
            self.random.learnt.push(inputs(&self.machine.pool, &state.path));
        }
        let id = self.frontier.add(state);
        delta.started.push(id);
        let sites = self.machine.program.sites();
        let fresh = self.machine.coverage.fresh.drain(..);
        let new =
            fresh.map(|site| NewCoverage { state: id, location: sites[site as usize].location() });
        delta.new_coverage.extend(new);
    }

    fn take_in_task(&mut self, moved: MovedTask, delta: &mut Delta) {
        if self.reduced.is_none() {
            // It was on its way when the reduction was given up.
            return;
        }
        let is_known = |it: &Self| it.reduced.as_ref().is_some_and(|it| it.has_terms_of(&moved));
        if !is_known(self) {
            match self.rerun(&moved.inputs, Explorer::count_followed) {
                RerunEnd::Done => {}
                RerunEnd::Stopped => return self.results.totals.losses.unfinished += 1,
                RerunEnd::NoRoom => return self.results.totals.losses.count_dropped(Limit::Memory),
            }
        }
        self.worker.counts.taken += 1;
        let state = is_known(self).then(|| self.state_of_inputs(&moved.inputs)).flatten();
        let (Some(mut state), Some(reduced)) = (state, &mut self.reduced) else {
            self.worker.counts.diverged += 1;
            return self.count_diverged();
        };
        // Where the task's decision is made is not known here; only searchers would ask.
        state.path.pending = Some(self.machine.pool.boolean(true));
        state.path.depth = moved.depth;
        let id = self.frontier.add(state);
        reduced.add_moved(id, moved);
        delta.started.push(id);
    }

    /// The state of a trace; `None` if the trace does not lead where it should.
    fn follow_trace(&mut self, trace: &Trace) -> Result<Option<Box<State>>, NoRoom> {
        let warnings = self.machine.warnings.clone();
        let Some(start) = self.root.start_replay(&trace.inputs) else { return Ok(None) };
        self.machine.evaluator.forget();
        let Trace { instructions, place, digest, .. } = *trace;
        let root = PathPosition::of(&start);
        // Nothing depends on input before the root, so a state there is on its way to it.
        let goal = match trace.end == TraceEnd::Between && instructions < root.instructions {
            true => root,
            false => PathPosition { instructions, place, digest },
        };
        let mut replay = Replay::new(start, goal, trace.end != TraceEnd::Between);
        let replayed = self.replay(&mut replay, Explorer::count_followed);
        let is_short = replayed == Replayed::NoRoom;
        let mut state = replay.state;
        let arrived = match replayed {
            Replayed::Arrived => true,
            Replayed::AtFork(request) => {
                take_end(&mut self.machine, &mut state, &request, &trace.end)
            }
            _ => false,
        };
        // The worker that ran the path first reported what the program said and lacked.
        self.machine.messages.clear();
        self.machine.warnings = warnings;
        self.machine.evaluator.forget();
        let path = &mut state.path;
        path.seeds = PathSeeds::default();
        path.depth = trace.depth;
        path.effort = trace.effort;
        path.preferences_applied = trace.preferences_applied;
        if is_short { Err(NoRoom) } else { Ok(arrived.then_some(state)) }
    }

    fn count_followed(&mut self, instructions: u64) {
        self.worker.counts.followed += instructions;
        self.check_limits();
    }

    /// The exploration stops before a trace is followed.
    pub(in super::super) fn leave_unfinished(&mut self, trace: Option<&Trace>) {
        self.machine.coverage.fresh.clear();
        if let (Some(checkpoints), Some(trace)) = (&mut self.checkpoints, trace) {
            checkpoints.leave(trace);
        }
        let is_decided = trace.is_some_and(|trace| !trace.end.is_pending());
        self.results.totals.losses.unfinished += 1;
        self.results.totals.losses.untested += u64::from(is_decided);
    }

    /// A trace did not lead where it should. Its input is all that is left of the path.
    fn lose(&mut self, trace: Option<Trace>) {
        self.machine.coverage.fresh.clear();
        if trace.as_ref().is_none_or(|trace| trace.end.is_pending()) {
            return self.count_diverged();
        }
        let Some(trace) = trace else { return };
        let Some(mut state) = self.state_of_inputs(&trace.inputs) else { return };
        let path = &mut state.path;
        path.preferences_applied = path.preferences.len() as u32;
        (path.digest, path.instructions) = (trace.digest, trace.instructions);
        path.depth = trace.depth;
        let kind = InternalErrorKind::ReplayDiverged;
        let error = InternalError { kind, stack: Vec::new() };
        self.end(state, Outcome::InternalError(Box::new(error)));
    }

    fn count_diverged(&mut self) {
        let undecided = &mut self.results.totals.losses.undecided;
        *undecided.entry(UndecidedReason::ReplayDiverged).or_default() += 1;
    }

    /// A state at the replay root with these inputs, which its witness gives their bytes.
    fn state_of_inputs(&mut self, inputs: &[Input]) -> Option<Box<State>> {
        let mut state = self.root.start_replay(inputs)?;
        let path = &mut state.path;
        for input in inputs.iter().skip(path.inputs.len()) {
            path.new_input(&mut self.machine.pool, &input.name, input.bytes.len() as u32);
        }
        path.seeds = PathSeeds::default();
        Some(state)
    }
}
