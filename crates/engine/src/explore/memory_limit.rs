//! The memory limit: what counts against it, and when to act.
//!
//! There are two measures. *Accounted* bytes are the same in every run: terms, objects, the
//! solver's data, and for each state the average that a census found. The census looks at
//! all states now and then and counts shared data once. Over the limit, terms are collected
//! and, if that is not enough, states are dropped until nine tenths of it are accounted.
//!
//! *Resident* bytes of the process are what the user means by the limit, but they include
//! allocator overhead and depend on the machine. Near the limit, caches are cleared, states
//! are dropped, and the accounted limit is lowered to what the process has shown to fit. Such
//! shortages are counted; a run without them does not depend on the machine.
//!
//! The youngest states are dropped first: a state that forks keeps its id, so the oldest come
//! closest to their ends, while the youngest are side branches near another state. States
//! that seeds follow are dropped last. Every decided state gives its test. One state is kept.
//!
//! Both measures have a hysteresis: a twentieth of the limit must be newly accounted, or the
//! process grow by a fortieth, before anything is collected or dropped again.
//!
//! [`MemoryLimit`] owns the thresholds; [`super::upkeep`] acts on them.

use rustc_hash::FxHashSet;

use super::feasibility::FeasibilityChecker;
use super::frontier::Frontier;
use crate::interp::Machine;
use crate::memory::is_new;
use crate::state::{Frame, State};
use crate::value::Value;

/// Bytes of a state that the census does not see: its witness, and a searcher's data.
const BYTES_PER_STATE: u64 = 256;

/// Bytes of the allocator and the reference count for each allocation.
const BYTES_PER_PIECE: usize = 24;

/// Allocator overhead, as a fraction of state and object bytes: rounding, and partly used
/// pages. Measured on Coreutils.
const OVERHEAD_DIVISOR: u64 = 4;

/// The least number of rounds between two censuses.
const MIN_CENSUS_ROUNDS: u64 = 1000;

/// A census is due once the number of states has grown by this factor since the last one,
/// however little is accounted.
const CENSUS_GROWTH: u64 = 8;

/// The number of states assumed at a census before the first.
const INITIAL_STATES: u64 = 128;

/// Thresholds of the memory limit.
pub(super) struct MemoryLimit {
    limit: Option<u64>,
    /// The most that may be accounted.
    most: u64,
    /// Collecting frees nothing worthwhile up to this many accounted bytes.
    grown_above: u64,
    /// Resident bytes before anything was explored.
    base: u64,
    /// The most that the process may take.
    process: u64,
    /// Resident bytes above which to act.
    act_above: u64,
    is_process_check_due: bool,
    /// Accounted bytes per state.
    per_state: u64,
    /// The number of states at the last census.
    counted: u64,
    /// Rounds until the next census: at least as many as there were states at the last one,
    /// so that censuses look at no more states than are run.
    rounds: u64,
}

impl MemoryLimit {
    pub fn new(limit: Option<u64>) -> MemoryLimit {
        let most = limit.unwrap_or(u64::MAX);
        MemoryLimit {
            limit,
            most,
            grown_above: 0,
            base: 0,
            process: most,
            act_above: most,
            is_process_check_due: false,
            per_state: BYTES_PER_STATE,
            counted: INITIAL_STATES,
            rounds: 0,
        }
    }

    pub fn is_limited(&self) -> bool {
        self.limit.is_some()
    }

    /// Sets the resident bytes before anything is explored. Where the limit leaves too little
    /// beside them, the process may take half of the limit all the same.
    pub fn set_base(&mut self, resident: u64) {
        if let Some(limit) = self.limit {
            self.base = resident;
            self.process = limit.max(resident.saturating_add(limit / 2));
            self.act_above = self.short_of(32);
        }
    }

    /// The resident bytes are checked in the next round.
    pub fn request_process_check(&mut self) {
        self.is_process_check_due = true;
    }

    pub fn take_process_check(&mut self) -> bool {
        std::mem::take(&mut self.is_process_check_due)
    }

    /// Bytes that count against the limit.
    pub fn accounted(
        &self,
        machine: &Machine,
        feasibility: &FeasibilityChecker,
        frontier: &Frontier,
    ) -> u64 {
        let terms = machine.pool.bytes() + feasibility.bytes();
        self.sum(machine.program.memory_in_use(), terms as u64, frontier.len() as u64)
    }

    fn sum(&self, objects: u64, terms: u64, states: u64) -> u64 {
        let states = objects + states * self.per_state;
        terms + states + states / OVERHEAD_DIVISOR
    }

    pub fn is_exceeded(&self, accounted: u64) -> bool {
        accounted > self.most
    }

    /// Counts a round; returns whether a census may be taken in it.
    pub fn next_round(&mut self) -> bool {
        self.rounds = self.rounds.saturating_sub(1);
        self.rounds == 0
    }

    /// Whether the accounted bytes may be far off, or matter soon.
    pub fn is_census_due(&self, accounted: u64, states: usize) -> bool {
        accounted > self.most / 8 || states as u64 >= CENSUS_GROWTH.saturating_mul(self.counted)
    }

    /// Measures the average bytes of a state.
    pub fn take_census(&mut self, frontier: &Frontier) {
        let mut seen = FxHashSet::default();
        let bytes: u64 = frontier.iter().map(|state| own_bytes(state, &mut seen)).sum();
        let states = (frontier.len() as u64).max(1);
        self.per_state = BYTES_PER_STATE + bytes / states;
        self.counted = states;
        self.rounds = states.max(MIN_CENSUS_ROUNDS);
    }

    /// Whether enough was newly accounted to collect again.
    pub fn has_grown(&self, accounted: u64) -> bool {
        accounted > self.grown_above
    }

    /// Whether terms are large enough a part that collecting them is worthwhile.
    pub fn has_many_terms(&self, bytes: usize) -> bool {
        bytes as u64 > self.most / 16
    }

    /// Whether the solver's data are large enough a part that clearing them is worthwhile.
    pub fn has_large_solver(&self, bytes: usize) -> bool {
        bytes as u64 > self.most / 8
    }

    /// How many bytes may stay accounted, if states have to be dropped after collecting.
    pub fn drop_target(&self, accounted: u64) -> Option<u64> {
        (accounted > self.most - self.step()).then_some(self.most / 10 * 9)
    }

    /// Room was made; so many bytes are left.
    pub fn room_made(&mut self, accounted: u64) {
        self.grown_above = accounted + self.step();
    }

    pub fn is_process_over(&self, resident: u64) -> bool {
        resident > self.act_above
    }

    /// How many bytes may stay accounted, if the process is still short of memory with
    /// `resident` bytes. Lowers the limit to what fits.
    pub fn shortage_target(&mut self, accounted: u64, resident: u64) -> Option<u64> {
        if resident <= self.short_of(20) {
            return None;
        }
        self.learn(accounted, resident);
        Some(self.most / 4 * 3)
    }

    /// The process was relieved; so many resident bytes are left. Fragmented memory may stay
    /// with the process, and is used again.
    pub fn process_relieved(&mut self, resident: u64) {
        self.act_above = self.short_of(32).max(resident + self.process / 40);
    }

    /// The least that must be newly accounted before anything is done again.
    fn step(&self) -> u64 {
        self.most / 20
    }

    /// The resident bytes allowed, less this part of the room for the exploration: fragmented
    /// memory stays with the process, so it acts before all is taken.
    fn short_of(&self, part: u64) -> u64 {
        self.process - self.process.saturating_sub(self.base) / part
    }

    /// Learns how much may be accounted, given that `accounted` makes the process take
    /// `resident` bytes.
    fn learn(&mut self, accounted: u64, resident: u64) {
        let room = u128::from(self.process.saturating_sub(self.base));
        let taken = u128::from(resident.saturating_sub(self.base)).max(1);
        let fits = u128::from(accounted) * room / taken;
        // Fragmented memory does not serve every later allocation.
        self.most = self.most.min(u64::try_from(fits / 10 * 9).unwrap_or(u64::MAX));
    }
}

/// The bytes of a state without its objects; `seen` records what it shares with others.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_exceeded_without_a_limit() {
        let mut memory = MemoryLimit::new(None);
        memory.set_base(1 << 30);
        assert!(!memory.is_limited() && !memory.is_exceeded(u64::MAX));
        assert!(!memory.is_process_over(u64::MAX));
    }

    #[test]
    fn states_are_dropped_to_nine_tenths_and_not_again_at_once() {
        let mut memory = MemoryLimit::new(Some(1000));
        assert!(!memory.is_exceeded(1000) && memory.is_exceeded(1001));
        assert!(memory.has_grown(1));
        assert_eq!(memory.drop_target(950), None);
        assert_eq!(memory.drop_target(951), Some(900));
        memory.room_made(900);
        assert!(!memory.has_grown(950) && memory.has_grown(951));
    }

    #[test]
    fn a_short_process_lowers_the_limit_to_what_fits() {
        let mut memory = MemoryLimit::new(Some(10_000));
        memory.set_base(2_000);
        assert!(!memory.is_process_over(9_750) && memory.is_process_over(9_751));
        assert_eq!(memory.shortage_target(1_000, 9_600), None);
        // 1,000 accounted bytes took 9,000 resident ones; 8,000 is the room.
        assert_eq!(memory.shortage_target(1_000, 11_000), Some(792 / 4 * 3));
        assert!(memory.is_exceeded(793) && !memory.is_exceeded(792));
        memory.process_relieved(11_000);
        assert!(!memory.is_process_over(11_250) && memory.is_process_over(11_251));
    }
}
