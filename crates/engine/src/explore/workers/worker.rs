//! One worker's link to the others: when it gives work, the limits that hold for all, and
//! the coverage of all. [`Worker`] owns its counts; the [`Exchange`] is shared.

use std::time::{Duration, Instant};

use byway_base::{ProcessMemory, Work};

use super::super::budget::RunBudget;
use super::super::known_paths::KnownPaths;
use super::super::metrics::StateMetrics;
use super::super::{Limits, StopReason, Totals};
use super::WorkerTotals;
use super::exchange::Exchange;
use crate::coverage::Tracker;

/// A worker that had nothing to give is not asked again for this many picks.
const REFUSED_PICKS: u32 = 100;

/// One of the explorations that share the work.
pub(in super::super) struct Worker<'a> {
    pub(super) exchange: &'a Exchange,
    number: usize,
    /// Picks until it can be asked for work again.
    refuses: u32,
    /// Sites known here that other workers reached.
    seen: Vec<u64>,
    /// Sites known here that tests cover.
    credited: Vec<u64>,
    /// Targets known here that tests reach.
    closed: Vec<u64>,
    pub(super) counts: TransferCounts,
}

/// Counts of the states that a worker gave and took.
#[derive(Default)]
pub(super) struct TransferCounts {
    pub given: u64,
    pub taken: u64,
    /// Instructions of replays.
    pub followed: u64,
    pub diverged: u64,
    pub idle: Duration,
}

impl<'a> Worker<'a> {
    /// The worker of this number; the first starts with the program's entry.
    pub fn new(exchange: &'a Exchange, number: usize) -> Self {
        Worker {
            exchange,
            number,
            refuses: 0,
            seen: Vec::new(),
            credited: Vec::new(),
            closed: Vec::new(),
            counts: TransferCounts::default(),
        }
    }

    pub fn number(&self) -> u64 {
        self.number as u64
    }

    pub fn is_first(&self) -> bool {
        self.number == 0
    }

    pub fn is_alone(&self) -> bool {
        self.exchange.workers == 1
    }

    /// The number of workers.
    pub fn count(&self) -> usize {
        self.exchange.workers
    }

    /// The paths of a campaign, which all workers share.
    pub fn known_paths(&self) -> KnownPaths {
        self.exchange.paths.clone()
    }

    /// When the exploration began.
    pub fn began(&self) -> Instant {
        self.exchange.began
    }

    pub fn totals(&self, totals: &Totals) -> WorkerTotals {
        WorkerTotals {
            paths: totals.path_count(),
            instructions: totals.instructions,
            forks: totals.forks,
            queries: totals.solver.queries,
            given: self.counts.given,
            taken: self.counts.taken,
            followed: self.counts.followed,
            diverged: self.counts.diverged,
            idle: self.counts.idle,
        }
    }

    /// Whether the running state should return to the frontier of `states` others, because
    /// another worker waits for work.
    pub fn is_asked_for_work(&mut self, states: usize) -> bool {
        if states == 0 || !self.exchange.wants_work() {
            return false;
        }
        self.refuses = self.refuses.saturating_sub(1);
        self.refuses == 0
    }

    /// There was nothing to give.
    pub(super) fn refuse_work(&mut self) {
        self.refuses = REFUSED_PICKS;
    }

    /// The work of the other workers.
    pub fn other_work(&self) -> Work {
        match self.is_alone() {
            true => Work::ZERO,
            false => Work(self.exchange.other_loads(self.number).0),
        }
    }

    /// The states of the other workers, if they are limited.
    pub fn other_states(&self, limits: &Limits) -> usize {
        match limits.states {
            Some(_) if !self.is_alone() => self.exchange.other_loads(self.number).1,
            _ => 0,
        }
    }

    /// The process, if its size is known.
    pub fn process(&self) -> Option<&dyn ProcessMemory> {
        self.exchange.process.as_deref()
    }

    /// Publishes the accounted bytes of this worker; returns those of all.
    pub fn publish_memory(&self, bytes: u64) -> u64 {
        self.exchange.publish_memory(self.number, bytes)
    }

    pub fn publish_load(&self, work: Work, states: usize) {
        self.exchange.publish_load(self.number, work.0, states);
    }

    /// If one worker stops, all do.
    pub fn synchronise_stop(&self, budget: &mut RunBudget) {
        match budget.stop_reason() {
            None if self.exchange.is_stopped() => {
                budget.stop(self.exchange.stop_reason().unwrap_or(StopReason::Stopped));
            }
            None | Some(StopReason::Done) => {}
            Some(_) if self.exchange.is_stopped() => {}
            Some(reason) => self.exchange.stop(reason),
        }
    }

    /// Tells the others which sites were reached here for the first time.
    pub fn publish_coverage(&self, sites: &[u32]) {
        if !self.is_alone() {
            sites.iter().for_each(|&site| self.exchange.seen.add(site));
        }
    }

    /// Tells the others that a test of this worker reaches a target.
    pub fn publish_closed(&self, target: u32) {
        if !self.is_alone() {
            self.exchange.closed.add(target);
        }
    }

    /// Learns which targets tests reach; calls `close` with each that is new.
    pub fn receive_closed(&mut self, close: impl FnMut(u32)) {
        if !self.is_alone() {
            self.exchange.closed.news(&mut self.closed, close);
        }
    }

    /// Learns which sites the others reached, and which tests cover.
    pub fn receive_coverage(&mut self, tracker: &mut Tracker, metrics: &mut StateMetrics) {
        if self.is_alone() {
            return;
        }
        let mut is_new = false;
        self.exchange.seen.news(&mut self.seen, |site| {
            metrics.mark_reached(site);
            is_new |= tracker.see(site);
        });
        self.exchange.credited.news(&mut self.credited, |site| {
            tracker.credit_one(site);
        });
        if is_new {
            metrics.mark_stale();
        }
    }
}
