//! Keeps an exploration within its memory limit, between runs and while a state runs.
//!
//! A run is interrupted when it may have grown by a sixty-fourth of the limit
//! ([`Explorer::allow_memory`]), and before an instruction that needs much at once
//! ([`Explorer::make_room_for`]). If memory is short, caches are cleared and other states are
//! dropped; if that is not enough, or the running state alone took half of the limit, its
//! allocations fail, and it is dropped once the process itself is too large.

use byway_base::{Limit, Outcome};
use byway_search::{Delta, View};

use super::explorer::Explorer;
use crate::memory::RoomRequest;
use crate::state::State;

/// The memory of a query that concerns all terms, as a fraction of theirs.
const WORKING_MEMORY_DIVISOR: usize = 8;

impl Explorer<'_, '_, '_> {
    /// The resident bytes of the process, if they are known, and what terms are about to take:
    /// their growth, and the tables of a query over many of them.
    pub(super) fn resident(&self) -> Option<u64> {
        let pool = &self.machine.pool;
        let working = pool.growth_bytes() + pool.bytes() / WORKING_MEMORY_DIVISOR;
        Some(self.worker.process()?.resident()? + working as u64)
    }

    pub(super) fn accounted(&self) -> u64 {
        self.memory.accounted(&self.machine, &self.feasibility, &self.frontier)
    }

    /// Bytes of objects and terms, which a running state adds to.
    fn contents(&self) -> u64 {
        self.machine.program.account().total() + self.machine.pool.bytes() as u64
    }

    /// A state begins to run.
    pub(super) fn begin_run(&mut self) {
        self.memory.begin_run(self.contents());
    }

    pub(super) fn end_run(&mut self) {
        self.memory.end_run();
    }

    /// Sets how much a run may grow before it is interrupted; returns how many instructions it
    /// may take until then.
    pub(super) fn allow_memory(&mut self) -> u64 {
        let Some(allowance) = self.memory.allowance() else { return u64::MAX };
        let accounted = self.accounted();
        let heap = allowance.min(self.memory.heap_room(accounted));
        self.memory.grant(0);
        self.machine.program.account().allow(allowance, heap);
        self.machine.max_term_bytes = self.machine.pool.bytes() + allowance as usize;
        self.memory.quantum(accounted)
    }

    /// Makes room if the exploration is over its memory limit. No state is running.
    pub(super) fn limit_memory(&mut self, delta: &mut Delta) {
        self.keep_within_limit(0, None, delta);
    }

    /// As [`Explorer::limit_memory`], while a state runs; false if the state must be dropped.
    pub(super) fn limit_memory_of_run(&mut self, state: &State, delta: &mut Delta) -> bool {
        match self.keep_within_limit(0, Some(state), delta) {
            Some(resident) => !self.must_stop(resident, 0),
            None => true,
        }
    }

    /// Makes room for an instruction of a running state, or lets it fail; false if the state
    /// must be dropped.
    pub(super) fn make_room_for(
        &mut self,
        request: RoomRequest,
        state: &mut State,
        delta: &mut Delta,
    ) -> bool {
        self.memory.request_process_check();
        let resident = self.keep_within_limit(request.bytes, Some(state), delta);
        let is_short = resident.is_some_and(|resident| self.must_stop(resident, request.bytes));
        let Some(size) = request.allocates else {
            self.memory.grant(request.bytes);
            return !is_short;
        };
        if !is_short && self.can_hold(size, resident) {
            self.memory.grant(size.max(request.bytes));
            return true;
        }
        self.machine.program.account().refuse_next();
        self.results.totals.losses.failed_allocations += 1;
        // Elsewhere the allocation may succeed.
        state.path.unrepeatable = true;
        true
    }

    /// Whether an object of this size fits into memory, if need be without the other states.
    fn can_hold(&self, size: u64, resident: Option<u64>) -> bool {
        match self.frontier.len() == 0 || self.is_run_large() {
            true => {
                let accounted = self.accounted();
                // What is small fits into what is free of a process that stays large.
                let fits = |resident| {
                    self.memory.fits_process(resident, size)
                        || !self.is_run_large()
                            && !self.memory.is_large(size)
                            && !self.memory.is_half_full(accounted)
                };
                !self.memory.is_exceeded(accounted, size) && resident.is_none_or(fits)
            }
            false => !self.memory.is_exceeded(0, size),
        }
    }

    /// Whether there is room for an instruction of a replayed state, which has run before.
    pub(super) fn has_room(&mut self, request: RoomRequest) -> bool {
        self.memory.grant(request.bytes.max(request.allocates.unwrap_or(0)));
        !self.resident().is_some_and(|resident| self.must_stop(resident, request.bytes))
    }

    /// Whether the running state must not take `need` bytes more. Where memory is fragmented the
    /// process stays large, but a state that takes little can go on in what is free.
    fn must_stop(&self, resident: u64, need: u64) -> bool {
        self.memory.is_process_too_large(resident.saturating_add(need))
            && (self.memory.is_large(need)
                || self.is_run_large()
                || self.frontier.len() == 0 && self.memory.is_half_full(self.accounted()))
    }

    /// Counts a running state that is dropped, and returns its outcome.
    pub(super) fn drop_running(&mut self) -> Outcome {
        self.results.totals.losses.count_dropped(Limit::Memory);
        Outcome::Dropped(Limit::Memory)
    }

    /// Makes room for `need` bytes more. Returns the resident bytes after that, if they were
    /// looked at.
    fn keep_within_limit(
        &mut self,
        need: u64,
        running: Option<&State>,
        delta: &mut Delta,
    ) -> Option<u64> {
        if !self.memory.is_limited() {
            return None;
        }
        let may_count = self.memory.next_round();
        let mut accounted = self.accounted();
        if may_count && self.memory.is_census_due(accounted, self.frontier.len()) {
            self.memory.take_census(&self.frontier, running);
            accounted = self.accounted();
        }
        if self.frontier.len() + usize::from(running.is_some()) > 1
            && self.memory.is_exceeded(accounted, need)
        {
            self.make_room(need, running, delta);
        }
        if !self.memory.take_process_check() {
            return None;
        }
        let resident = self.resident()?;
        self.memory.measured(resident);
        match self.memory.is_process_over(resident, need) {
            true => Some(self.shrink_process(resident, need, running, delta)),
            false => Some(resident),
        }
    }

    /// Collects terms, and drops states if that is not enough.
    fn make_room(&mut self, need: u64, running: Option<&State>, delta: &mut Delta) {
        let has_grown = self.memory.has_grown(self.accounted());
        let collects = has_grown && self.memory.has_many_terms(self.machine.pool.bytes());
        if collects {
            self.collect(running);
        }
        if has_grown {
            if self.memory.has_large_solver(self.feasibility.bytes()) {
                self.feasibility.clear_caches(&self.machine.pool);
            }
            self.memory.take_census(&self.frontier, running);
        }
        if !self.is_run_large()
            && let Some(target) = self.memory.drop_target(self.accounted(), need)
        {
            self.drop_states(target, collects, running, delta);
        }
        self.memory.room_made(self.accounted());
    }

    /// Makes room if the process takes too much; returns its size after that.
    fn shrink_process(
        &mut self,
        resident: u64,
        need: u64,
        running: Option<&State>,
        delta: &mut Delta,
    ) -> u64 {
        self.results.totals.memory_shortages += 1;
        let collects = self.memory.has_many_terms(self.machine.pool.bytes())
            && self.collector.is_worthwhile(self.machine.pool.len());
        if collects {
            self.collect(running);
        }
        self.memory.take_census(&self.frontier, running);
        self.feasibility.clear_caches(&self.machine.pool);
        let mut left = self.give_back().unwrap_or(resident);
        while self.frontier.len() + usize::from(running.is_some()) > 1
            && !self.is_run_large()
            && !self.budget.is_stopped()
        {
            let accounted = self.accounted();
            let all = self.worker.publish_memory(accounted);
            let Some(target) = self.memory.shortage_target(all, left.saturating_add(need)) else {
                break;
            };
            self.drop_states(target, collects, running, delta);
            left = self.give_back().unwrap_or(left);
            // Other workers have the rest, or memory is fragmented: what is free is used again.
            if self.accounted() >= accounted {
                break;
            }
        }
        self.worker.publish_memory(self.accounted());
        self.memory.process_shrunk(left);
        left
    }

    /// Frees what only states that are gone needed, before the exploration begins again.
    pub(super) fn free_unused(&mut self) {
        if self.memory.is_limited() {
            self.collect(None);
            self.feasibility.clear_caches(&self.machine.pool);
            self.memory.take_census(&self.frontier, None);
            let resident = self.give_back();
            self.memory.start_over(resident);
        }
    }

    /// Whether the running state has taken so much that dropping others would be in its favour.
    fn is_run_large(&self) -> bool {
        self.memory.is_run_large(self.contents())
    }

    fn give_back(&self) -> Option<u64> {
        self.worker.process()?.give_back();
        self.resident()
    }

    /// Drops states until no more than this is accounted, or one is left.
    fn drop_states(
        &mut self,
        target: u64,
        collects: bool,
        running: Option<&State>,
        delta: &mut Delta,
    ) {
        let kept_at_least = usize::from(running.is_none());
        let mut ids = self.frontier.states();
        self.seeds.sort_for_dropping(&mut ids);
        while self.accounted() > target && ids.len() > kept_at_least && !self.budget.is_stopped() {
            let kept = ids.len() - (ids.len() / 8).max(1);
            for id in ids.split_off(kept).into_iter().rev() {
                if self.accounted() <= target || self.budget.is_stopped() {
                    return;
                }
                self.drop_state(id, Limit::Memory, delta);
                self.frontier.lost_to_memory += 1;
            }
            // Terms of dropped states count until they are collected.
            if collects && self.accounted() > target && ids.len() > kept_at_least {
                self.collect(running);
            }
        }
    }

    pub(super) fn collect_if_due(&mut self) {
        if self.collector.is_due(self.machine.pool.len()) {
            self.collect(None);
        }
    }

    fn collect(&mut self, running: Option<&State>) {
        let (machine, feasibility) = (&mut self.machine, &mut self.feasibility);
        let others = self.root.state().into_iter().chain(running).chain(self.entered.states());
        let reduced = self.reduced.as_deref();
        let others = others.chain(reduced.into_iter().flat_map(|it| it.states()));
        let terms = reduced.into_iter().flat_map(|it| it.terms());
        self.collector.collect(machine, feasibility, &self.frontier, others, terms);
    }
}
