//! The end of an exploration: the states that are left, and the result.
//!
//! A run can stop with a million live states. Writing a test for each takes far longer than
//! the run did, and most of these tests repeat each other, so [`UnfinishedTests`] decides
//! which states give one; all others are counted. They are not freed: that takes seconds, and
//! the process is about to end.

use std::time::Instant;

use byway_base::Limit;
use byway_search::{Delta, StateId};
use byway_solver::UnknownReason;

use super::covering::CoveringPaths;
use super::explorer::Explorer;
use super::workers::{WorkerResult, WorkerTargets};
use super::{SearchStrategy, StopReason, UnfinishedTests};
use crate::path_info::PathInfo;

impl Explorer<'_, '_, '_> {
    /// Ends the states that are left, and sums up.
    pub(super) fn finish(mut self, strategy: &SearchStrategy) -> WorkerResult {
        self.worker.synchronise_stop(&mut self.budget);
        self.checkpoint(strategy);
        let stop_reason = self.budget.stop_reason().unwrap_or(StopReason::Done);
        let mut targets = WorkerTargets {
            reachable: match self.worker.is_first() {
                true => std::mem::take(&mut self.reachable_from_start),
                false => Vec::new(),
            },
            pending: self.reachable_targets(),
            preceding_faults: Vec::new(),
        };
        self.reduced.iter_mut().for_each(|it| it.estimate());
        self.drop_all_if_closed();
        self.end_undecided();
        self.end_unfinished();
        targets.preceding_faults = self.frontier.metrics.targets.take_preceding_faults();
        self.results.totals.losses.warnings = std::mem::take(&mut self.machine.warnings);
        self.update_totals();
        self.results.flush();
        let (program, tracker) = (self.machine.program, &self.machine.coverage);
        WorkerResult {
            stop_reason,
            branches: self.branch_stats.branches(program.module, program.sites(), tracker),
            solver_clock: self.feasibility.clock(),
            worker: self.worker.totals(&self.results.totals),
            totals: self.results.totals,
            portfolio_shares: Vec::new(),
            markov: None,
            targets,
            values: program.recorded_values(),
        }
    }

    /// Drops a state of the frontier. If it is decided, it may still give its test.
    pub(super) fn drop_state(&mut self, id: StateId, limit: Limit, delta: &mut Delta) {
        let Some(state) = self.frontier.take(id) else { return };
        delta.dropped.push(id);
        self.seeds.remove(&state.path);
        self.undecided.remove(id);
        self.results.totals.losses.count_dropped(limit);
        let (program, stats) = (self.machine.program, &mut self.branch_stats);
        stats.count_waiting(program, &state, |reasons| &mut reasons.dropped);
        if !state.path.is_decided() {
            return;
        }
        let outcome = byway_base::Outcome::Dropped(limit);
        if self.gives_test(&state.path) {
            self.end(state, outcome);
            return;
        }
        self.results.totals.losses.untested += 1;
        let seeds = state.path.seeds.clone();
        self.seeds.end(&self.machine.pool, seeds, &outcome, self.results.sink);
    }

    /// Whether a decided state that is dropped, or alive at the end, gives a test.
    fn gives_test(&self, path: &PathInfo) -> bool {
        if self.frontier.metrics.targets.has_reached(path) {
            return true;
        }
        match self.results.unfinished_tests() {
            UnfinishedTests::All => true,
            UnfinishedTests::None => false,
            UnfinishedTests::CoveringNew => {
                path.sites().any(|site| !self.machine.coverage.is_credited(site))
            }
        }
    }

    fn end_undecided(&mut self) {
        for id in self.undecided.take_all() {
            if let Some(state) = self.frontier.take(id) {
                self.count_undecided(&state, UnknownReason::Effort);
            }
        }
    }

    fn end_unfinished(&mut self) {
        self.worker.receive_coverage(&mut self.machine.coverage, &mut self.frontier.metrics);
        self.results.totals.losses.unfinished += self.frontier.len() as u64;
        let (program, stats) = (self.machine.program, &mut self.branch_stats);
        for state in self.frontier.iter() {
            stats.count_waiting(program, state, |reasons| &mut reasons.waiting);
        }
        let outcome = self.budget.unfinished_outcome();
        let chosen = self.unfinished_with_tests();
        let deadline = self.budget.finishing_time().map(|time| Instant::now() + time);
        for id in chosen {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                break;
            }
            if let Some(state) = self.frontier.take(id) {
                self.seeds.remove(&state.path);
                self.end(state, outcome.clone());
            }
        }
        for id in self.seeds.take_states() {
            let seeds = self.frontier.get(id).map(|state| state.path.seeds.clone());
            let (pool, sink) = (&self.machine.pool, &mut *self.results.sink);
            self.seeds.end(pool, seeds.unwrap_or_default(), &outcome, sink);
        }
        let untested = self.frontier.len() as u64 - self.frontier.pending();
        self.results.totals.losses.untested += untested;
        self.frontier.leak();
    }

    /// The decided states that give a test, the best first.
    fn unfinished_with_tests(&self) -> Vec<StateId> {
        let targets = &self.frontier.metrics.targets;
        let (at_target, decided): (Vec<_>, Vec<_>) =
            self.frontier.decided().into_iter().partition(|(_, path)| targets.has_reached(path));
        let decided = decided.into_iter();
        let rest: Vec<StateId> = match self.results.unfinished_tests() {
            UnfinishedTests::All => decided.map(|(id, _)| id).collect(),
            UnfinishedTests::None => Vec::new(),
            UnfinishedTests::CoveringNew => {
                let (tracker, sites) = (&self.machine.coverage, self.machine.program.sites());
                let mut paths = CoveringPaths::new(sites.len(), |site| tracker.is_credited(site));
                decided.for_each(|(id, path)| paths.add(id, &path.covered.sites));
                paths.collect()
            }
        };
        at_target.into_iter().map(|(id, _)| id).chain(rest).collect()
    }
}
