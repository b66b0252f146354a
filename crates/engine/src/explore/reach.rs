//! What happens when a state gets to a watched point.
//!
//! A state that reaches an open target is to give its test at once: it *finishes*. It follows its
//! witness to the end of the path, and the other cases of its forks stay pending, as ordinary
//! states. Its test closes the target, for all workers. If it gives none (the program excludes its
//! input later), the target stays open, and the states that left it behind the target are to
//! finish in turn.
//!
//! States from which no open target is reachable are dropped, whatever the searcher. They give no
//! test, and nothing is lost: [`TargetTotals::unreachable`](super::TargetTotals) counts them.

use byway_base::{Limit, Outcome};
use byway_search::{Delta, StateId, Until, View};

use super::StopReason;
use super::explorer::Explorer;
use crate::state::State;
use crate::watch::WatchId;

/// The most instructions of a path behind a target. Then its test is written as that of an
/// unfinished path, and it continues as an ordinary state.
pub(super) const FINISHING_INSTRUCTIONS: u64 = 1_000_000;

impl Explorer<'_, '_, '_> {
    /// Turns on the watches of all targets.
    pub(super) fn watch_targets(&mut self) {
        let watches = self.machine.program.watches();
        let targets = &self.frontier.metrics.targets;
        for watch in watches.ids() {
            watches.set_active(watch, targets.watched_by(watch, watches).next().is_some());
        }
        self.results.totals.targets.open = targets.open();
    }

    /// A state is at a watched point. Records the targets that it reaches; returns whether one is
    /// new on its path.
    pub(super) fn reach_watch(&mut self, state: &mut State, watch: WatchId) -> bool {
        let watches = self.machine.program.watches();
        let targets = self.frontier.metrics.targets.watched_by(watch, watches);
        if state.path.partial.is_some() {
            let targets: Vec<u32> = targets.collect();
            targets.into_iter().for_each(|target| self.add_partial_path(state, target));
            return false;
        }
        targets.fold(false, |is_new, target| is_new | state.path.reach(target))
    }

    /// How long a state runs and the instructions it has: to its end, if it has reached an open
    /// target.
    pub(super) fn until_finished(&self, state: &State, until: Until, left: u64) -> (Until, u64) {
        match self.frontier.metrics.targets.has_reached(&state.path) {
            true => (Until::END.deferring(), FINISHING_INSTRUCTIONS),
            false => (until, left),
        }
    }

    /// Whether no open target is reachable from a state.
    pub(super) fn is_lost_to_targets(&self, state: &State) -> bool {
        let targets = &self.frontier.metrics.targets;
        targets.exist() && targets.distance(self.machine.program, state).is_none()
    }

    /// Writes the test of a path that did not end within the instructions it has behind its
    /// target.
    pub(super) fn end_finishing(&mut self, state: &State) {
        if self.frontier.metrics.targets.has_reached(&state.path) && !self.budget.is_stopped() {
            self.end(Box::new(state.clone()), Outcome::OutOfBudget);
        }
    }

    /// A test reaches these targets: closes them for all workers.
    pub(super) fn close_targets(&mut self, reached: &[u32]) {
        let watches = self.machine.program.watches();
        let targets = &mut self.frontier.metrics.targets;
        for &target in reached {
            if targets.close(target, watches) {
                self.worker.publish_closed(target);
            }
        }
        if let Some(backward) = &mut self.backward {
            backward.close(reached);
        }
        self.stop_if_all_are_closed();
    }

    /// Learns which targets the tests of other workers reach.
    pub(super) fn receive_closed_targets(&mut self) {
        let watches = self.machine.program.watches();
        let targets = &mut self.frontier.metrics.targets;
        if targets.exist() {
            self.worker.receive_closed(|target| _ = targets.close(target, watches));
            self.stop_if_all_are_closed();
        }
    }

    fn stop_if_all_are_closed(&mut self) {
        let targets = &self.frontier.metrics.targets;
        self.results.totals.targets.open = targets.open();
        if targets.are_closed() {
            self.budget.stop(StopReason::Targets);
        }
    }

    /// Drops the states of a round from which no open target is reachable.
    pub(super) fn drop_unreachable(&mut self, delta: &mut Delta) {
        if !self.frontier.metrics.targets.exist() {
            return;
        }
        self.frontier.metrics.targets.update(self.work());
        let changed: Vec<StateId> = delta.became_pickable().chain(delta.ran).collect();
        for id in changed {
            let Some(state) = self.frontier.get(id) else { continue };
            let targets = &self.frontier.metrics.targets;
            match targets.distance(self.machine.program, state) {
                None => self.drop_one_unreachable(id, delta),
                Some(distance) => {
                    let nearest = &mut self.results.totals.targets.nearest;
                    *nearest = Some(nearest.map_or(distance, |least| least.min(distance)));
                }
            }
        }
    }

    fn drop_one_unreachable(&mut self, id: StateId, delta: &mut Delta) {
        let Some(state) = self.frontier.take(id) else { return };
        delta.dropped.push(id);
        self.seeds.remove(&state.path);
        self.undecided.remove(id);
        self.results.totals.targets.unreachable += 1;
        let outcome = Outcome::Dropped(Limit::Unreachable);
        let seeds = state.path.seeds.clone();
        self.seeds.end(&self.machine.pool, seeds, &outcome, self.results.sink);
    }

    /// For each target, whether a state of the frontier may still reach it.
    pub(super) fn reachable_targets(&self) -> Vec<bool> {
        let targets = &self.frontier.metrics.targets;
        targets.reachable_from(self.machine.program, self.frontier.iter())
    }

    /// Drops the first state if no target is reachable at all.
    pub(super) fn drop_start_if_unreachable(&mut self) {
        let ids: Vec<StateId> = self.frontier.states();
        self.drop_unreachable(&mut Delta { started: ids, ..Delta::default() });
    }

    /// All targets are closed: what is left cannot reach an open one.
    pub(super) fn drop_all_if_closed(&mut self) {
        if self.frontier.metrics.targets.are_closed() {
            self.results.totals.targets.unreachable += self.frontier.len() as u64;
            self.undecided.take_all();
            self.seeds.take_states();
            self.frontier.leak();
        }
    }
}
