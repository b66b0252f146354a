//! An incremental instance of Bitwuzla, safely.
//!
//! Limits go through the one hook Bitwuzla offers, a callback it asks now and then
//! whether to stop. Preprocessing asks once a round, and the SAT solver below asks
//! about every ten decisions, conflicts or steps of its own simplifications. It does
//! so by counting, never by the clock: one more than the number of times the callback
//! was asked is the *effort* of a check, and a limit on it stops a check at the same
//! point in every run that asked the instance the same before. What no callback
//! interrupts, rewriting and bit-blasting, is bounded by the size of the terms.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use byway_bitwuzla_sys as sys;

use super::terms::{SmtTerm, TermFactory};
use crate::answer::UnknownReason;
use crate::budget::QueryBudget;

/// The answer of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SatResult {
    /// Satisfiable; the instance has a model until it is used for something else.
    Sat,
    /// Unsatisfiable; the instance has a core until it is used for something else.
    Unsat,
    /// A limit was reached, or Bitwuzla gave up.
    Unknown(UnknownReason),
}

/// How an instance is to be.
#[derive(Clone, Default, Debug)]
pub struct InstanceOptions {
    /// Whether assertions are preprocessed at every check. What helps a single hard
    /// query costs a long series of small ones a quarter of its time: the passes go
    /// over every level, and undo what the SAT solver could have kept.
    pub preprocess: bool,
    /// A check ends soon after this is set.
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// An instance: a stack of assertions, and what was learned from it.
pub struct BitwuzlaInstance {
    raw: *mut sys::Bitwuzla,
    terms: TermFactory,
    watch: Box<TerminationState>,
    levels: usize,
    effort: u64,
}

/// What the callback looks at. The instance hands out its address, so it stays put.
struct TerminationState {
    asked: Cell<u64>,
    effort: Cell<u64>,
    deadline: Cell<Option<Instant>>,
    interrupt: Option<Arc<AtomicBool>>,
    why: Cell<Option<UnknownReason>>,
}

/// The clock is looked at once in so many asks: an ask costs less than a look.
const ASKS_PER_LOOK: u64 = 16;

impl TerminationState {
    fn stop(&self) -> Option<UnknownReason> {
        let asked = self.asked.get();
        self.asked.set(asked + 1);
        if asked >= self.effort.get() {
            return Some(UnknownReason::Effort);
        }
        if !asked.is_multiple_of(ASKS_PER_LOOK) {
            return None;
        }
        if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(UnknownReason::Interrupted);
        }
        let late = |deadline| Instant::now() >= deadline;
        self.deadline.get().is_some_and(late).then_some(UnknownReason::Time)
    }
}

extern "C" fn asked_to_go_on(state: *mut c_void) -> i32 {
    // SAFETY: `state` is the watch of the instance that calls, which outlives it.
    let watch = unsafe { &*state.cast::<TerminationState>() };
    if watch.why.get().is_none() {
        watch.why.set(watch.stop());
    }
    i32::from(watch.why.get().is_some())
}

impl BitwuzlaInstance {
    /// An instance without assertions.
    pub fn new(terms: &TermFactory, setup: &InstanceOptions) -> BitwuzlaInstance {
        let watch = Box::new(TerminationState {
            asked: Cell::new(0),
            effort: Cell::new(0),
            deadline: Cell::new(None),
            interrupt: setup.interrupt.clone(),
            why: Cell::new(None),
        });
        // SAFETY: the options live until they are deleted, which the instance does
        // not mind; the watch lives as long as the instance.
        let raw = unsafe {
            let options = sys::bitwuzla_options_new();
            sys::bitwuzla_set_option(options, sys::Opt::ProduceModels, 1);
            sys::bitwuzla_set_option(options, sys::Opt::ProduceUnsatCores, 1);
            sys::bitwuzla_set_option(options, sys::Opt::Preprocess, setup.preprocess.into());
            let raw = sys::bitwuzla_new(terms.raw(), options);
            sys::bitwuzla_options_delete(options);
            let state = std::ptr::from_ref::<TerminationState>(&watch).cast_mut().cast();
            sys::bitwuzla_set_termination_callback(raw, asked_to_go_on, state);
            raw
        };
        BitwuzlaInstance { raw, terms: terms.clone(), watch, levels: 0, effort: 0 }
    }

    /// How many levels can be popped.
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

    /// Takes back the newest levels.
    pub fn pop(&mut self, levels: usize) {
        assert!(levels <= self.levels, "no more levels than were pushed");
        // SAFETY: the instance is alive and has as many levels.
        unsafe { sys::bitwuzla_pop(self.raw, levels as u64) };
        self.levels -= levels;
    }

    /// Whether all assertions can hold at once. A check takes more than one step, so a
    /// limit of one lets none be made.
    pub fn check(&mut self, budget: QueryBudget) -> SatResult {
        let steps = budget.effort.unwrap_or(u64::MAX);
        if steps <= 1 {
            self.effort += steps;
            return SatResult::Unknown(UnknownReason::Effort);
        }
        self.watch.asked.set(0);
        self.watch.effort.set(steps - 1);
        self.watch.deadline.set(budget.time.map(|time| Instant::now() + time));
        self.watch.why.set(None);
        // SAFETY: the instance and its watch are alive.
        let result = unsafe { sys::bitwuzla_check_sat(self.raw) };
        self.effort += 1 + self.watch.asked.get();
        match result {
            sys::CheckResult::SAT => SatResult::Sat,
            sys::CheckResult::UNSAT => SatResult::Unsat,
            _ => SatResult::Unknown(self.watch.why.get().unwrap_or(UnknownReason::GaveUp)),
        }
    }

    /// The value of a bit-vector of up to 64 bits in the model of the last check,
    /// which must have been satisfiable.
    pub fn value(&mut self, term: &SmtTerm) -> u64 {
        debug_assert!(term.width().is_some_and(|width| width <= 64));
        // SAFETY: the value is owned by us; the string is valid until the next call.
        let digits = unsafe {
            let value = self.terms.owned(sys::bitwuzla_get_value(self.raw, term.raw()));
            let digits = sys::bitwuzla_term_value_get_str_fmt(value.raw(), 2);
            std::ffi::CStr::from_ptr(digits).to_bytes()
        };
        digits.iter().fold(0, |value, &digit| value << 1 | u64::from(digit == b'1'))
    }

    /// Asserted terms that cannot hold at once. The last check must have been
    /// unsatisfiable.
    pub fn core(&mut self) -> Vec<SmtTerm> {
        let mut size = 0;
        // SAFETY: the array is valid until the next call of the function. Each of its
        // terms was handed over with a reference of ours.
        unsafe {
            let core = sys::bitwuzla_get_unsat_core(self.raw, &mut size);
            (0..size).map(|i| self.terms.owned(*core.add(i))).collect()
        }
    }
}

impl Drop for BitwuzlaInstance {
    fn drop(&mut self) {
        // SAFETY: the instance is deleted once, before its terms' manager.
        unsafe { sys::bitwuzla_delete(self.raw) };
    }
}
