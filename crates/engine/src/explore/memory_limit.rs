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

/// Bytes of a state that the census does not see: a searcher's data.
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

/// The process acts this part of its room before its limit.
const ACT_SHORT_OF: u64 = 20;

/// The process is measured once in this many rounds.
const ROUNDS_PER_PROCESS_CHECK: u64 = 16;

/// States are dropped if the process is nearer to its limit after caches were cleared: with less
/// room, caches would be cleared again before they have served.
const DROP_SHORT_OF: u64 = 6;

/// A run is interrupted when objects or terms have grown by this part of the limit.
const ALLOWANCE_DIVISOR: u64 = 64;

/// What a few instructions may add without asking: a copy of a small object, or frames.
const BYTES_PER_INSTRUCTION: u64 = 2048;

/// The fewest instructions between two checks of the limit.
const MIN_QUANTUM: u64 = 1 << 12;

/// What a process takes beside what is accounted. A fixed number, the same on every machine.
const BASE_COST: u64 = 24 << 20;

/// The number of states assumed at a census before the first.
const INITIAL_STATES: u64 = 128;

/// Thresholds of the memory limit.
pub(super) struct MemoryLimit {
    limit: Option<u64>,
    /// The workers that share the process; each has an equal part of the accounted bytes.
    workers: u64,
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
    /// Bytes that an interrupted instruction needs, beyond the allowance of the next run.
    granted: u64,
    /// Resident bytes when the process was last measured.
    resident: u64,
    /// Bytes of objects and terms when the running state began to run.
    run_began: Option<u64>,
    is_process_check_due: bool,
    /// Rounds until the process is measured again.
    until_process_check: u64,
    /// Accounted bytes per state.
    per_state: u64,
    /// The number of states at the last census.
    counted: u64,
    /// Rounds until the next census: at least as many as there were states at the last one,
    /// so that censuses look at no more states than are run.
    rounds: u64,
}

impl MemoryLimit {
    /// The limit of one of several workers, given the limit of all.
    pub fn new(limit: Option<u64>, workers: u64) -> MemoryLimit {
        let most = limit.map_or(u64::MAX, |limit| limit / workers);
        MemoryLimit {
            limit,
            workers,
            most,
            grown_above: 0,
            base: 0,
            process: limit.unwrap_or(u64::MAX),
            act_above: limit.unwrap_or(u64::MAX),
            granted: 0,
            resident: 0,
            run_began: None,
            is_process_check_due: false,
            until_process_check: ROUNDS_PER_PROCESS_CHECK,
            per_state: BYTES_PER_STATE,
            counted: INITIAL_STATES,
            rounds: 0,
        }
    }

    pub fn is_limited(&self) -> bool {
        self.limit.is_some()
    }

    /// Sets the resident bytes of the process before anything is explored.
    pub fn set_base(&mut self, resident: u64) {
        if let Some(limit) = self.limit {
            self.base = resident;
            self.most = self.most_before_learning(limit);
            self.act_above = self.short_of(ACT_SHORT_OF);
        }
    }

    fn most_before_learning(&self, limit: u64) -> u64 {
        limit.saturating_sub(BASE_COST) / self.workers
    }

    /// The exploration begins again, and `resident` bytes are left: what the run before has
    /// shown to fit says nothing of the next one.
    pub fn start_over(&mut self, resident: Option<u64>) {
        if let Some(limit) = self.limit {
            (self.most, self.grown_above) = (self.most_before_learning(limit), 0);
        }
        if let Some(resident) = resident {
            self.process_shrunk(resident);
        }
    }

    /// A state begins to run; objects and terms take so many bytes.
    pub fn begin_run(&mut self, contents: u64) {
        self.run_began = Some(contents);
    }

    pub fn end_run(&mut self) {
        self.run_began = None;
    }

    /// Whether the running state has added half of the limit to objects and terms.
    pub fn is_run_large(&self, contents: u64) -> bool {
        self.run_began.is_some_and(|began| contents.saturating_sub(began) > self.most / 2)
    }

    /// How many bytes objects and terms may each grow by before a run is interrupted.
    pub fn allowance(&self) -> Option<u64> {
        let limit = self.limit?;
        Some((limit / self.workers / ALLOWANCE_DIVISOR).saturating_add(self.granted))
    }

    /// How many bytes allocations may take before they ask for room, if few are left. Zero makes
    /// each of them ask.
    pub fn heap_room(&self, accounted: u64) -> u64 {
        let process = self.process.saturating_sub(self.resident);
        self.most.saturating_sub(accounted).min(process).saturating_add(self.granted)
    }

    /// The process was measured.
    pub fn measured(&mut self, resident: u64) {
        self.resident = resident;
    }

    /// Lets the next run grow by so many bytes more.
    pub fn grant(&mut self, bytes: u64) {
        self.granted = bytes;
    }

    /// How many instructions a run may take before the limit is checked: what they add without
    /// asking is bounded. Depends on accounted bytes alone.
    pub fn quantum(&self, accounted: u64) -> u64 {
        (self.most.saturating_sub(accounted) / BYTES_PER_INSTRUCTION).max(MIN_QUANTUM)
    }

    /// The resident bytes are checked in the next round.
    pub fn request_process_check(&mut self) {
        self.is_process_check_due = true;
    }

    pub fn take_process_check(&mut self) -> bool {
        if self.is_process_check_due {
            self.until_process_check = ROUNDS_PER_PROCESS_CHECK;
        }
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
        let states = frontier.len() as u64 + u64::from(self.run_began.is_some());
        self.sum(machine.program.account().total(), terms as u64, states)
    }

    fn sum(&self, objects: u64, terms: u64, states: u64) -> u64 {
        let states = objects + states * self.per_state;
        terms + states + states / OVERHEAD_DIVISOR
    }

    /// Whether `need` bytes more would exceed what may be accounted.
    pub fn is_exceeded(&self, accounted: u64, need: u64) -> bool {
        accounted.saturating_add(need) > self.most
    }

    /// Counts a round; returns whether a census may be taken in it.
    pub fn next_round(&mut self) -> bool {
        self.rounds = self.rounds.saturating_sub(1);
        self.until_process_check = self.until_process_check.saturating_sub(1);
        self.is_process_check_due |= self.until_process_check == 0;
        self.rounds == 0
    }

    /// Whether the accounted bytes may be far off, or matter soon.
    pub fn is_census_due(&self, accounted: u64, states: usize) -> bool {
        accounted > self.most / 8 || states as u64 >= CENSUS_GROWTH.saturating_mul(self.counted)
    }

    /// Measures the average bytes of a state.
    pub fn take_census(&mut self, frontier: &Frontier, running: Option<&State>) {
        let mut seen = FxHashSet::default();
        let all = frontier.iter().chain(running);
        let bytes: u64 = all.map(|state| own_bytes(state, &mut seen)).sum();
        let states = (frontier.len() as u64 + u64::from(running.is_some())).max(1);
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
    pub fn drop_target(&self, accounted: u64, need: u64) -> Option<u64> {
        (accounted.saturating_add(need) > self.most - self.step())
            .then_some((self.most / 10 * 9).saturating_sub(need))
    }

    /// Room was made; so many bytes are left.
    pub fn room_made(&mut self, accounted: u64) {
        self.grown_above = accounted + self.step();
    }

    /// Whether to make room, given that the process is about to take `need` bytes more.
    pub fn is_process_over(&self, resident: u64, need: u64) -> bool {
        // Nothing is gained until the process has grown since it was last shrunk.
        resident > self.act_above
            || resident.saturating_add(need) > self.process && self.act_above <= self.process
    }

    /// Whether the process is within its limit with `need` bytes more.
    pub fn fits_process(&self, resident: u64, need: u64) -> bool {
        resident.saturating_add(need) <= self.process
    }

    /// Whether the process is so large that the running state must not go on.
    pub fn is_process_too_large(&self, resident: u64) -> bool {
        self.limit.is_some() && resident > self.process.saturating_add(self.process / 50)
    }

    /// Whether a single instruction needs more than a run may take without asking.
    pub fn is_large(&self, need: u64) -> bool {
        need > self.process / self.workers / ALLOWANCE_DIVISOR
    }

    /// Whether half of what may be accounted is.
    pub fn is_half_full(&self, accounted: u64) -> bool {
        accounted > self.most / 2
    }

    /// How many bytes may stay accounted, if the process is still short of memory with
    /// `resident` bytes, where all workers account for `accounted`. Lowers the limit to what
    /// fits.
    pub fn shortage_target(&mut self, accounted: u64, resident: u64) -> Option<u64> {
        if resident <= self.short_of(DROP_SHORT_OF) {
            return None;
        }
        self.learn(accounted, resident);
        Some(self.most / 4 * 3)
    }

    /// The process was made smaller; so many resident bytes are left. Fragmented memory may stay
    /// with the process, and is used again.
    pub fn process_shrunk(&mut self, resident: u64) {
        self.resident = resident;
        self.act_above = self.short_of(ACT_SHORT_OF).max(resident + self.process / 80);
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

    /// Learns how much may be accounted, given that `accounted` of all workers make the process
    /// take `resident` bytes.
    fn learn(&mut self, accounted: u64, resident: u64) {
        let room = u128::from(self.process.saturating_sub(self.base));
        let taken = u128::from(resident.saturating_sub(self.base)).max(1);
        let fits = u128::from(accounted) * room / taken;
        // Fragmented memory does not serve every later allocation.
        let own = fits / 10 * 9 / u128::from(self.workers);
        self.most = self.most.min(u64::try_from(own).unwrap_or(u64::MAX));
    }
}

/// The bytes of a state without its objects; `seen` records what it shares with others.
fn own_bytes(state: &State, seen: &mut FxHashSet<usize>) -> u64 {
    let frames = state.stack.iter().filter(|frame| is_new(frame, seen));
    let frames: usize = frames.map(|frame| frame_bytes(frame)).sum();
    let own = size_of::<State>() + state.stack.capacity() * size_of::<usize>() + BYTES_PER_PIECE;
    let condition = state.path.condition.bytes(seen);
    let witness = state.path.witness.bytes(seen);
    (own + frames + condition + witness) as u64 + state.memory.table_bytes(seen)
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
        let mut memory = MemoryLimit::new(None, 1);
        memory.set_base(1 << 30);
        assert!(!memory.is_limited() && !memory.is_exceeded(u64::MAX, 1));
        assert!(!memory.is_process_over(u64::MAX, 0));
    }

    #[test]
    fn states_are_dropped_to_nine_tenths_and_not_again_at_once() {
        let mut memory = MemoryLimit::new(Some(1000), 1);
        assert!(!memory.is_exceeded(990, 10) && memory.is_exceeded(990, 11));
        assert!(memory.has_grown(1));
        assert_eq!(memory.drop_target(900, 50), None);
        assert_eq!(memory.drop_target(901, 50), Some(850));
        memory.room_made(900);
        assert!(!memory.has_grown(950) && memory.has_grown(951));
    }

    #[test]
    fn a_short_process_lowers_the_limit_to_what_fits() {
        let mut memory = MemoryLimit::new(Some(10_000 << 20), 1);
        let mib = |count: u64| count << 20;
        memory.set_base(mib(2_000));
        assert!(!memory.is_exceeded(mib(10_000 - 24), 0), "the process itself takes 24 MiB");
        assert!(memory.is_exceeded(mib(10_000 - 24), 1));
        assert!(!memory.is_process_over(mib(9_600), 0) && memory.is_process_over(mib(9_601), 0));
        assert!(memory.is_process_over(mib(9_000), mib(1_001)), "with what it is about to take");
        assert_eq!(memory.shortage_target(mib(1_000), mib(8_600)), None);
        // 1,000 accounted MiB took 9,000 resident ones; 8,000 is the room.
        let target = memory.shortage_target(mib(1_000), mib(11_000)).expect("it is short");
        assert_eq!(target >> 20, 599);
        assert!(memory.is_exceeded(mib(800), 0) && !memory.is_exceeded(mib(799), 0));
        memory.process_shrunk(mib(11_000));
        let mut again = MemoryLimit::new(Some(10_000 << 20), 1);
        again.set_base(mib(2_000));
        again.shortage_target(mib(1_000), mib(11_000));
        again.start_over(Some(mib(3_000)));
        assert!(!again.is_exceeded(mib(10_000 - 24), 0) && !again.is_process_over(mib(9_600), 0));
        assert!(!memory.is_process_over(mib(11_125), 0) && memory.is_process_over(mib(11_126), 0));
        assert!(memory.is_process_too_large(mib(10_201)));
        assert!(!memory.is_process_too_large(mib(10_200)));
    }

    #[test]
    fn workers_share_what_may_be_accounted() {
        let mut memory = MemoryLimit::new(Some(1 << 30), 4);
        assert_eq!(memory.allowance(), Some((1 << 28) / 64));
        assert!(!memory.is_exceeded(1 << 28, 0) && memory.is_exceeded(1 << 28, 1));
        // All together account for half of what the process takes.
        memory.shortage_target(1 << 29, 1 << 30);
        assert!(memory.is_exceeded(1 << 27, 0) && !memory.is_exceeded(1 << 26, 0));
    }

    #[test]
    fn a_run_that_took_half_of_the_limit_is_large() {
        let mut memory = MemoryLimit::new(Some(1000), 1);
        assert!(!memory.is_run_large(1000), "no state runs");
        memory.begin_run(300);
        assert!(!memory.is_run_large(800) && memory.is_run_large(801));
        memory.end_run();
        assert!(!memory.is_run_large(1000));
        assert_eq!((memory.heap_room(900), memory.heap_room(2000)), (100, 0));
        memory.grant(50);
        assert_eq!(memory.heap_room(2000), 50, "an allocation that may go on asks no more");
    }
}
