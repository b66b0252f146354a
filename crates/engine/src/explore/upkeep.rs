//! What happens between runs: limits, ticks, totals, metrics, and which seed is next.

use byway_base::Work;
use byway_base::quantity::plural;
use byway_search::{Delta, StateId, Until};

use super::explorer::Explorer;
use super::feasibility::FeasibilityChecker;
use super::metrics::Growth;
use super::results::PathResults;
use super::{Control, StopReason, Totals};

impl Explorer<'_, '_, '_> {
    /// The work of this worker.
    pub(super) fn work(&self) -> Work {
        work(&self.results, &self.feasibility) + self.backward_work()
    }

    pub(super) fn work_of_all(&self) -> Work {
        self.work() + self.worker.other_work()
    }

    /// Stops if a limit is reached, and together with the other workers.
    pub(super) fn check_limits(&mut self) {
        let (results, feasibility, worker) = (&self.results, &self.feasibility, &self.worker);
        let backward = self.backward_work();
        let instructions = results.totals.instructions;
        self.budget
            .check(instructions, || work(results, feasibility) + backward + worker.other_work());
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

    /// The state that runs for its seeds, before the searcher picks one.
    pub(super) fn next_seed(&mut self) -> Option<(StateId, Until)> {
        if self.seeds.is_over() {
            return None;
        }
        if self.budget.is_seed_time_over() {
            let left = self.seeds.give_up();
            if left > 0 {
                self.results.message(&format!(
                    "the time for seeds is over: {} with seeds left to the searcher",
                    plural(left, "state")
                ));
            }
            return None;
        }
        self.seeds.next()
    }

    /// Reports progress.
    pub(super) fn tick(&mut self) {
        self.worker.receive_coverage(&mut self.machine.coverage, &mut self.frontier.metrics);
        self.receive_closed_targets();
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
        totals.retries = self.undecided.totals;
        if let Some(reduced) = &self.reduced {
            totals.reduction = reduced.totals();
        }
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
}

/// The work of random tests: what an instruction of an exploration takes, with its forks, terms and
/// queries, is that many times what one takes alone.
const COST_PER_WORK: u64 = 32;

/// Instructions, random tests and backend queries, as work.
fn work(results: &PathResults, feasibility: &FeasibilityChecker) -> Work {
    let Totals { instructions, random, .. } = &results.totals;
    let instructions = Work::of_instructions(instructions + random.cost / COST_PER_WORK);
    instructions + Work::of_solver_calls(feasibility.backend_queries())
}
