//! State ids.
//!
//! Ids are never reused. Reuse would allow dense tables, but a table that learns of the new
//! state before the removal of the old one would mix up the two, and an id in a log would
//! be ambiguous. Tables keyed by id are hash maps: a lookup costs nanoseconds against the
//! microseconds of running a state, and the size of the table follows the live states. Ids
//! are ordered by age: the smaller is the older.

use std::fmt;
use std::num::NonZeroU64;

/// A state of one exploration.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(NonZeroU64);

impl StateId {
    /// Its index in order of creation, from zero.
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

/// Allocates the ids of one exploration.
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
    /// A new id, larger than all earlier ones.
    pub fn fresh(&mut self) -> StateId {
        let id = StateId(self.next);
        self.next = self.next.saturating_add(1);
        id
    }
}
