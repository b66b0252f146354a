//! The names of states.
//!
//! A number is given out once and never again. Reused numbers would allow dense
//! tables, but a table that is told of the new owner before it has been told of
//! the old one's end would mix up the two, and a name in a log would mean several
//! states. Tables keyed by these ids are hashed, which costs nanoseconds beside
//! the microseconds of running a state, and their size follows the states that
//! live, not those that ever lived. And ids are ordered: the smaller is the older.

use std::fmt;
use std::num::NonZeroU64;

/// A state of one exploration.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(NonZeroU64);

impl StateId {
    /// Which it is, counted from zero in order of creation.
    pub fn number(self) -> u64 {
        self.0.get() - 1
    }
}

impl fmt::Display for StateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.number())
    }
}

impl fmt::Debug for StateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Gives out the ids of one exploration.
#[derive(Debug)]
pub struct StateIds {
    next: NonZeroU64,
}

impl Default for StateIds {
    fn default() -> StateIds {
        StateIds { next: NonZeroU64::MIN }
    }
}

impl StateIds {
    /// An id never given out before.
    pub fn fresh(&mut self) -> StateId {
        let id = StateId(self.next);
        self.next = self.next.saturating_add(1);
        id
    }
}
