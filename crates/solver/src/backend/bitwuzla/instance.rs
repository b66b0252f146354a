//! A safe wrapper of an incremental Bitwuzla instance.
//!
//! Limits use Bitwuzla's termination callback. Preprocessing calls it once a round, and the
//! SAT solver about every ten decisions, conflicts or steps of its simplifications. The calls
//! depend on counters, never on the clock: the number of calls plus one is the *effort* of a
//! check, and an effort limit stops a check at the same point in every run with the same
//! history. Rewriting and bit-blasting never call it; the size of the terms bounds them.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use byway_base::MemoryGuard;
use byway_bitwuzla_sys as sys;
use cpu_time::ProcessTime;

use super::terms::{SmtTerm, TermFactory};
use crate::answer::UnknownReason;
use crate::budget::QueryBudget;

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SatResult {
    /// Satisfiable. The model is available until the next change of the instance.
    Sat,
    /// Unsatisfiable. The core is available until the next change of the instance.
    Unsat,
    /// A limit was reached, or Bitwuzla gave up.
    Unknown(UnknownReason),
}

/// Configures an instance.
#[derive(Clone, Default, Debug)]
pub struct InstanceOptions {
    /// Preprocess the assertions at every check. Helps a single hard query, but costs a
    /// long series of small ones a quarter of its time: the passes visit every level and
    /// discard state that the SAT solver could have kept.
    pub preprocess: bool,
    /// Checks end soon after this flag is set.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Checks end soon after the process is larger.
    pub memory: Option<MemoryGuard>,
}

/// A stack of assertions with incremental solver state.
pub struct BitwuzlaInstance {
    raw: *mut sys::Bitwuzla,
    terms: TermFactory,
    termination: Box<TerminationState>,
    levels: usize,
    effort: u64,
}

/// The state of the termination callback. Boxed, because Bitwuzla keeps its address.
struct TerminationState {
    calls: Cell<u64>,
    max_calls: Cell<u64>,
    deadline: Cell<Option<Instant>>,
    /// In processor time of the process.
    processor_deadline: Cell<Option<Duration>>,
    interrupt: Option<Arc<AtomicBool>>,
    memory: Option<MemoryGuard>,
    reason: Cell<Option<UnknownReason>>,
}

/// The clock is read once in this many calls, because it costs more than a call.
const CALLS_PER_CLOCK_READ: u64 = 16;

impl TerminationState {
    /// Counts a call and returns why to stop, if so.
    fn count_call(&self) -> Option<UnknownReason> {
        let calls = self.calls.get();
        self.calls.set(calls + 1);
        if calls >= self.max_calls.get() {
            return Some(UnknownReason::Effort);
        }
        if !calls.is_multiple_of(CALLS_PER_CLOCK_READ) {
            return None;
        }
        if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(UnknownReason::Interrupted);
        }
        let is_late = self.deadline.get().is_some_and(|deadline| Instant::now() >= deadline)
            || self
                .processor_deadline
                .get()
                .is_some_and(|deadline| ProcessTime::now().as_duration() >= deadline);
        if is_late {
            return Some(UnknownReason::Time);
        }
        let is_short = self.memory.as_ref().is_some_and(|memory| memory.room() == 0);
        is_short.then_some(UnknownReason::Memory)
    }
}

extern "C" fn should_terminate(state: *mut c_void) -> i32 {
    // SAFETY: `state` is the termination state of the calling instance, which outlives it.
    let termination = unsafe { &*state.cast::<TerminationState>() };
    if termination.reason.get().is_none() {
        termination.reason.set(termination.count_call());
    }
    i32::from(termination.reason.get().is_some())
}

impl BitwuzlaInstance {
    /// An instance without assertions.
    pub fn new(terms: &TermFactory, options: &InstanceOptions) -> BitwuzlaInstance {
        let termination = Box::new(TerminationState {
            calls: Cell::new(0),
            max_calls: Cell::new(0),
            deadline: Cell::new(None),
            processor_deadline: Cell::new(None),
            interrupt: options.interrupt.clone(),
            memory: options.memory.clone(),
            reason: Cell::new(None),
        });
        // SAFETY: the instance copies its options, so that they may be deleted; the
        // termination state lives as long as the instance.
        let raw = unsafe {
            let raw_options = sys::bitwuzla_options_new();
            sys::bitwuzla_set_option(raw_options, sys::BitwuzlaOption::ProduceModels, 1);
            sys::bitwuzla_set_option(raw_options, sys::BitwuzlaOption::ProduceUnsatCores, 1);
            sys::bitwuzla_set_option(
                raw_options,
                sys::BitwuzlaOption::Preprocess,
                options.preprocess.into(),
            );
            let raw = sys::bitwuzla_new(terms.raw(), raw_options);
            sys::bitwuzla_options_delete(raw_options);
            let state = std::ptr::from_ref::<TerminationState>(&termination).cast_mut().cast();
            sys::bitwuzla_set_termination_callback(raw, should_terminate, state);
            raw
        };
        BitwuzlaInstance { raw, terms: terms.clone(), termination, levels: 0, effort: 0 }
    }

    /// The number of levels that can be popped.
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// The effort of all checks so far.
    pub fn effort(&self) -> u64 {
        self.effort
    }

    /// Asserts a Bool term on a level of its own.
    pub fn push(&mut self, term: &SmtTerm) {
        // SAFETY: the instance is alive.
        unsafe { sys::bitwuzla_push(self.raw, 1) };
        self.levels += 1;
        self.assert(term);
    }

    /// Asserts a Bool term on the newest level.
    pub fn assert(&mut self, term: &SmtTerm) {
        debug_assert!(term.is_bool());
        // SAFETY: the instance and the term are alive.
        unsafe { sys::bitwuzla_assert(self.raw, term.raw()) };
    }

    /// Pops the newest levels.
    pub fn pop(&mut self, levels: usize) {
        assert!(levels <= self.levels, "pops at most the levels that were pushed");
        // SAFETY: the instance is alive and has as many levels.
        unsafe { sys::bitwuzla_pop(self.raw, levels as u64) };
        self.levels -= levels;
    }

    /// Checks the satisfiability of all assertions. A check takes more than one step, so an
    /// effort limit of one allows none.
    pub fn check(&mut self, budget: QueryBudget) -> SatResult {
        let steps = budget.effort.unwrap_or(u64::MAX);
        if steps <= 1 {
            self.effort += steps;
            return SatResult::Unknown(UnknownReason::Effort);
        }
        self.termination.calls.set(0);
        self.termination.max_calls.set(steps - 1);
        self.termination.deadline.set(budget.time.map(|time| Instant::now() + time));
        self.termination.processor_deadline.set(budget.processor_time);
        self.termination.reason.set(None);
        // SAFETY: the instance and its termination state are alive.
        let result = unsafe { sys::bitwuzla_check_sat(self.raw) };
        self.effort += 1 + self.termination.calls.get();
        match result {
            sys::CheckResult::SAT => SatResult::Sat,
            sys::CheckResult::UNSAT => SatResult::Unsat,
            _ => SatResult::Unknown(self.termination.reason.get().unwrap_or(UnknownReason::GaveUp)),
        }
    }

    /// The value of a bit-vector of up to 64 bits in the model of the last check, which
    /// must have returned sat.
    pub fn value(&mut self, term: &SmtTerm) -> u64 {
        debug_assert!(term.width().is_some_and(|width| width <= 64));
        // SAFETY: the caller owns the value; the string is valid until the next call.
        let digits = unsafe {
            let value = self.terms.owned(sys::bitwuzla_get_value(self.raw, term.raw()));
            let digits = sys::bitwuzla_term_value_get_str_fmt(value.raw(), 2);
            std::ffi::CStr::from_ptr(digits).to_bytes()
        };
        digits.iter().fold(0, |value, &digit| value << 1 | u64::from(digit == b'1'))
    }

    /// Asserted terms that contradict each other. The last check must have returned unsat.
    pub fn core(&mut self) -> Vec<SmtTerm> {
        let mut size = 0;
        // SAFETY: the array is valid until the next call of the function, and the caller
        // owns a reference to each of its terms.
        unsafe {
            let core = sys::bitwuzla_get_unsat_core(self.raw, &mut size);
            (0..size).map(|i| self.terms.owned(*core.add(i))).collect()
        }
    }
}

impl Drop for BitwuzlaInstance {
    fn drop(&mut self) {
        // SAFETY: the instance is deleted once, before its term manager.
        unsafe { sys::bitwuzla_delete(self.raw) };
    }
}
