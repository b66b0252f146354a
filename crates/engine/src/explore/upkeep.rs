//! What happens between runs: limits, ticks, totals, metrics, memory and collection.

use byway_base::{Limit, Work};
use byway_search::{Delta, View};

use super::explorer::Explorer;
use super::feasibility::FeasibilityChecker;
use super::metrics::Growth;
use super::results::PathResults;
use super::{Control, StopReason};

impl Explorer<'_, '_, '_> {
    /// The work of this worker.
    pub(super) fn work(&self) -> Work {
        work(&self.results, &self.feasibility)
    }

    pub(super) fn work_of_all(&self) -> Work {
        self.work() + self.worker.other_work()
    }

    /// Stops if a limit is reached, and together with the other workers.
    pub(super) fn check_limits(&mut self) {
        let (results, feasibility, worker) = (&self.results, &self.feasibility, &self.worker);
        self.budget.check(|| work(results, feasibility) + worker.other_work());
        self.publish_load();
        self.worker.synchronise_stop(&mut self.budget);
    }

    /// Tells other workers what this one has and did, if a limit depends on it.
    pub(super) fn publish_load(&self) {
        let limits = self.budget.limits();
        if !self.worker.is_alone() && (limits.work.is_some() || limits.states.is_some()) {
            self.worker.publish_load(self.work(), self.frontier.len());
        }
    }

    /// Reports progress.
    pub(super) fn tick(&mut self) {
        self.worker.receive_coverage(&mut self.machine.coverage, &mut self.frontier.metrics);
        self.memory.request_process_check();
        self.update_totals();
        if self.results.tick() == Control::Stop {
            self.budget.stop(StopReason::Stopped);
        }
    }

    /// Queries can take long: reports progress if one reached the backend.
    pub(super) fn tick_if_solving(&mut self) {
        if self.feasibility.has_new_queries() {
            self.tick();
        }
    }

    /// Brings the totals that other parts own up to date.
    pub(super) fn update_totals(&mut self) {
        let (work, memory) = (self.work(), self.accounted());
        let totals = &mut self.results.totals;
        totals.work = work;
        totals.states = self.frontier.len() as u64;
        totals.pending = self.frontier.pending();
        totals.memory = memory;
        totals.max_memory = totals.max_memory.max(memory);
        totals.solver = *self.feasibility.statistics();
        totals.seeds.clone_from(&self.seeds.totals);
    }

    pub(super) fn prepare_metrics(&mut self) {
        let metrics = &mut self.frontier.metrics;
        self.machine.call_paths = metrics.call_paths().cloned();
        metrics.measure(self.machine.program, &self.machine.coverage, Work::ZERO);
    }

    pub(super) fn update_metrics(&mut self, delta: &Delta) {
        let growth = Growth {
            has_new_coverage: !delta.new_coverage.is_empty(),
            states: self.frontier.len(),
            work: self.frontier.work,
        };
        let (program, tracker) = (self.machine.program, &self.machine.coverage);
        self.frontier.metrics.update(program, tracker, growth);
    }

    fn accounted(&self) -> u64 {
        self.memory.accounted(&self.machine, &self.feasibility, &self.frontier)
    }

    /// Makes room if the exploration is over its memory limit. No state is running.
    pub(super) fn limit_memory(&mut self, delta: &mut Delta) {
        if !self.memory.is_limited() {
            return;
        }
        if self.memory.take_process_check() {
            self.limit_process(delta);
        }
        let may_count = self.memory.next_round();
        let mut accounted = self.accounted();
        if may_count && self.memory.is_census_due(accounted, self.frontier.len()) {
            self.memory.take_census(&self.frontier);
            accounted = self.accounted();
        }
        if self.frontier.len() > 1 && self.memory.is_exceeded(accounted) {
            self.make_room(delta);
        }
    }

    /// Collects terms, and drops states if that is not enough.
    fn make_room(&mut self, delta: &mut Delta) {
        let has_grown = self.memory.has_grown(self.accounted());
        let collects = has_grown && self.memory.has_many_terms(self.machine.pool.bytes());
        if collects {
            self.collect();
        }
        if has_grown {
            if self.memory.has_large_solver(self.feasibility.bytes()) {
                self.feasibility.clear_caches(&self.machine.pool);
            }
            self.memory.take_census(&self.frontier);
        }
        if let Some(target) = self.memory.drop_target(self.accounted()) {
            self.drop_states(target, collects, delta);
        }
        self.memory.room_made(self.accounted());
    }

    /// Makes room if the process takes too much.
    fn limit_process(&mut self, delta: &mut Delta) {
        let Some(resident) = self.results.sink.resident() else { return };
        if !self.memory.is_process_over(resident) {
            return;
        }
        self.results.totals.memory_shortages += 1;
        let collects = self.memory.has_many_terms(self.machine.pool.bytes());
        if collects {
            self.collect();
        }
        self.memory.take_census(&self.frontier);
        self.feasibility.clear_caches(&self.machine.pool);
        let mut left = self.results.sink.give_back().unwrap_or(resident);
        if self.frontier.len() > 1
            && let Some(target) = self.memory.shortage_target(self.accounted(), left)
        {
            self.drop_states(target, collects, delta);
            left = self.results.sink.give_back().unwrap_or(left);
        }
        self.memory.process_relieved(left);
    }

    /// Drops states until no more than this is accounted, or one is left.
    fn drop_states(&mut self, target: u64, collects: bool, delta: &mut Delta) {
        let mut ids = self.frontier.states();
        self.seeds.sort_for_dropping(&mut ids);
        while self.accounted() > target && ids.len() > 1 && !self.budget.is_stopped() {
            let kept = ids.len() - (ids.len() / 8).max(1);
            for id in ids.split_off(kept).into_iter().rev() {
                if self.accounted() <= target || self.budget.is_stopped() {
                    return;
                }
                self.drop_state(id, Limit::Memory, delta);
            }
            // Terms of dropped states count until they are collected.
            if collects && self.accounted() > target && ids.len() > 1 {
                self.collect();
            }
        }
    }

    pub(super) fn collect_if_due(&mut self) {
        if self.collector.is_due(self.machine.pool.len()) {
            self.collect();
        }
    }

    fn collect(&mut self) {
        let (machine, feasibility) = (&mut self.machine, &mut self.feasibility);
        self.collector.collect(machine, feasibility, &self.frontier, &self.root);
    }
}

/// Instructions and backend queries, as work.
fn work(results: &PathResults, feasibility: &FeasibilityChecker) -> Work {
    let instructions = Work::of_instructions(results.totals.instructions);
    instructions + Work::of_solver_calls(feasibility.backend_queries())
}
