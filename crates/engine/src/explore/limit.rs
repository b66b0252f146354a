//! The limit on memory: what counts, and what happens beyond it.
//!
//! There are two measures. What is *accounted* is the same in every run: terms, objects,
//! what the solver holds, and for each state what a census found the states to take, which
//! looks at all of them now and then and counts what they share once. Beyond the limit,
//! terms are collected and, if that is not enough, states dropped down to nine tenths of it.
//!
//! What the process *takes* is what the user means by the limit. It has slack that nobody
//! can account for, and depends on the machine. So it is looked at too, and where it comes
//! to the limit all that can be found out again is forgotten, states are dropped, and less
//! is accounted from then on: as much as the process has shown that there is room for.
//! Such shortages are counted; a run without them does not depend on the machine.
//!
//! The states that go are the youngest. A state that forks goes on as itself, so the oldest
//! come to their ends, while the youngest are ways beside them, each near another state.
//! Those that seeds follow go last. Every state that is known to be possible gives its test.
//!
//! Neither measure makes the exploration collect or drop all the time: a twentieth of the
//! limit must be accounted anew, or the process grow by a fortieth. One state is always kept.

use byway_base::Limit;
use byway_search::{Delta, StateId, View};
use rustc_hash::FxHashSet;

use super::Explorer;
use crate::memory::is_new;
use crate::state::{Frame, State};
use crate::value::Value;

/// What a state counts for beside what the census sees: its witness, and what a searcher
/// notes of it.
const BYTES_PER_STATE: u64 = 256;

/// Some bytes that the allocator adds to each piece, and that count references to it.
const BYTES_PER_PIECE: usize = 24;

/// What states and objects take more than their bytes, in parts of these: the allocator's
/// rounding, and pages that are partly in use. Measured on Coreutils.
const SLACK: u64 = 4;

/// How many turns lie between two censuses at the least.
const LEAST_TURNS: u64 = 1000;

/// However little is accounted, a census is taken once there are so many times as many states
/// as at the last one: until they are looked at, nobody knows what they take.
const GROWTH: u64 = 8;

/// How many states there are taken to have been at a census before the first.
const FEW_STATES: u64 = 128;

/// What is known of the limit on memory.
pub(super) struct MemoryLimit {
    /// What may be accounted.
    most: u64,
    /// Up to this, nothing is found by looking for what can be freed.
    grown_above: u64,
    /// What the process took before anything was explored.
    base: u64,
    /// What the process may take.
    process: u64,
    /// What it may take before anything is done about it.
    act_above: u64,
    /// Whether to look at the process.
    look: bool,
    /// What a state counts for.
    per_state: u64,
    /// How many states there were at the last census.
    counted: u64,
    /// Turns until the next census: as many as there were states at the last one or more, so
    /// that all in all it looks at no more states than are run.
    turns: u64,
}

impl MemoryLimit {
    /// So many bytes, if they are limited.
    pub fn new(bytes: Option<u64>) -> MemoryLimit {
        let most = bytes.unwrap_or(u64::MAX);
        MemoryLimit {
            most,
            grown_above: 0,
            base: 0,
            process: most,
            act_above: most,
            look: false,
            per_state: BYTES_PER_STATE,
            counted: FEW_STATES,
            turns: 0,
        }
    }

    /// It is time to look at what the process takes.
    pub fn look_at_process(&mut self) {
        self.look = true;
    }

    /// The least that must come before anything is done again.
    fn step(&self) -> u64 {
        self.most / 20
    }

    /// What the process may take, less this part of the room for what is explored. Something
    /// is done before all of it is taken: what is freed in pieces stays with the process.
    fn short_of(&self, part: u64) -> u64 {
        self.process - self.process.saturating_sub(self.base) / part
    }

    /// How much may be accounted if so much makes the process take so many bytes.
    fn learn(&mut self, accounted: u64, resident: u64) {
        let room = u128::from(self.process.saturating_sub(self.base));
        let taken = u128::from(resident.saturating_sub(self.base)).max(1);
        let fits = u128::from(accounted) * room / taken;
        // What is freed in pieces does not serve everything that comes.
        self.most = self.most.min(u64::try_from(fits / 10 * 9).unwrap_or(u64::MAX));
    }
}

impl Explorer<'_, '_, '_> {
    /// What counts against the limit.
    pub(super) fn accounted(&self) -> u64 {
        let objects = self.machine.program.memory_in_use();
        let terms = self.machine.pool.bytes() + self.solver.bytes();
        let states = objects + self.frontier.len() as u64 * self.memory.per_state;
        terms as u64 + states + states / SLACK
    }

    /// Notes what the process takes before anything is explored. Where the limit leaves too
    /// little beside that, the process may take half of the limit all the same.
    pub(super) fn weigh_process(&mut self) {
        if let (Some(limit), Some(base)) = (self.config.limits.memory, self.desk.resident()) {
            self.memory.base = base;
            self.memory.process = limit.max(base.saturating_add(limit / 2));
            self.memory.act_above = self.memory.short_of(32);
        }
    }

    /// Makes room if the exploration is over its limit. No state is in the machine.
    pub(super) fn hold_memory(&mut self, delta: &mut Delta) {
        if self.config.limits.memory.is_none() {
            return;
        }
        if std::mem::take(&mut self.memory.look) {
            self.hold_process(delta);
        }
        self.memory.turns = self.memory.turns.saturating_sub(1);
        let mut accounted = self.accounted();
        if self.memory.turns == 0 && self.is_census_due() {
            self.take_census();
            accounted = self.accounted();
        }
        if self.frontier.len() > 1 && accounted > self.memory.most {
            self.make_room(delta);
        }
    }

    /// Collects, and drops states if that is not enough.
    fn make_room(&mut self, delta: &mut Delta) {
        let most = self.memory.most;
        let grown = self.accounted() > self.memory.grown_above;
        let collecting = grown && self.has_many_terms();
        if collecting {
            self.collect();
        }
        if grown {
            if self.solver.bytes() as u64 > most / 8 {
                self.solver.clear_caches(&self.machine.pool);
            }
            self.take_census();
        }
        if self.accounted() > most - self.memory.step() {
            self.drop_states(most / 10 * 9, collecting, delta);
        }
        self.memory.grown_above = self.accounted() + self.memory.step();
    }

    /// Whether terms are so large a part that it is worth to look for those nobody needs.
    fn has_many_terms(&self) -> bool {
        self.machine.pool.bytes() as u64 > self.memory.most / 16
    }

    /// Makes room if the process takes too much.
    fn hold_process(&mut self, delta: &mut Delta) {
        let Some(resident) = self.desk.resident() else { return };
        if resident <= self.memory.act_above {
            return;
        }
        self.totals.memory_shortages += 1;
        let collecting = self.has_many_terms();
        if collecting {
            self.collect();
        }
        self.take_census();
        self.solver.clear_caches(&self.machine.pool);
        let limit = self.memory.process;
        let mut left = self.desk.give_back().unwrap_or(resident);
        if left > self.memory.short_of(20) && self.frontier.len() > 1 {
            self.memory.learn(self.accounted(), left);
            self.drop_states(self.memory.most / 4 * 3, collecting, delta);
            left = self.desk.give_back().unwrap_or(left);
        }
        // Memory in pieces may stay with the process, and is used again.
        self.memory.act_above = self.memory.short_of(32).max(left + limit / 40);
    }

    /// Drops states until no more than this is accounted, or one is left.
    fn drop_states(&mut self, target: u64, collecting: bool, delta: &mut Delta) {
        let mut ids = self.frontier.states();
        self.order_to_drop(&mut ids);
        while self.accounted() > target && ids.len() > 1 && self.stop.is_none() {
            let kept = ids.len() - (ids.len() / 8).max(1);
            for id in ids.split_off(kept).into_iter().rev() {
                if self.accounted() <= target || self.stop.is_some() {
                    return;
                }
                self.drop_for_memory(id, delta);
            }
            // What they had of terms counts until it is collected.
            if collecting && self.accounted() > target && ids.len() > 1 {
                self.collect();
            }
        }
    }

    fn drop_for_memory(&mut self, id: StateId, delta: &mut Delta) {
        if let Some(state) = self.frontier.take(id) {
            delta.dropped.push(id);
            self.unqueue_seeded(&state.path);
            self.drop_state(state, Limit::Memory);
        }
    }

    /// Whether what is accounted may be far from what is there, or matters soon.
    fn is_census_due(&self) -> bool {
        self.accounted() > self.memory.most / 8
            || self.frontier.len() as u64 >= GROWTH.saturating_mul(self.memory.counted)
    }

    /// Finds out what a state takes, on average.
    fn take_census(&mut self) {
        let mut seen = FxHashSet::default();
        let bytes: u64 = self.frontier.iter().map(|state| own_bytes(state, &mut seen)).sum();
        let states = (self.frontier.len() as u64).max(1);
        self.memory.per_state = BYTES_PER_STATE + bytes / states;
        self.memory.counted = states;
        self.memory.turns = states.max(LEAST_TURNS);
    }
}

/// What a state takes, its objects left out; `seen` remembers what it shares with others.
fn own_bytes(state: &State, seen: &mut FxHashSet<usize>) -> u64 {
    let frames = state.stack.iter().filter(|frame| is_new(frame, seen));
    let frames: usize = frames.map(|frame| frame_bytes(frame)).sum();
    let own = size_of::<State>() + state.stack.capacity() * size_of::<usize>() + BYTES_PER_PIECE;
    let condition = state.path.condition.bytes(seen);
    (own + frames + condition) as u64 + state.memory.table_bytes(seen)
}

fn frame_bytes(frame: &Frame) -> usize {
    let registers = frame.regs.capacity() * size_of::<Value>();
    let locals = frame.locals.capacity() * size_of::<u64>();
    size_of::<Frame>() + registers + locals + 2 * BYTES_PER_PIECE
}
