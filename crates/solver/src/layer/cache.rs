//! The exact cache: what was found out about the same set of terms before. What is
//! unknown is not kept; the next budget may be larger.

use std::rc::Rc;

use byway_base::ExprId;
use byway_expr::{Collected, Sweep};
use rustc_hash::FxHashMap;

use crate::query::{Assignment, Slice};

/// What is known of a set of terms.
#[derive(Clone, Debug)]
pub enum CachedAnswer {
    /// They hold together under these bytes.
    Sat(Rc<Assignment>),
    /// These of them exclude each other.
    Unsat(Rc<[ExprId]>),
}

/// Facts by the sets of terms they are about. A set is its terms' ids, sorted.
#[derive(Default)]
pub struct QueryCache {
    facts: FxHashMap<Box<[ExprId]>, CachedAnswer>,
    /// The ids in all keys together.
    held: usize,
}

/// The cache starts over when its keys hold more ids: sixteen megabytes.
const MOST_HELD: usize = 1 << 22;

/// What a fact takes beside the ids in its key.
const BYTES_PER_FACT: usize = 160;

fn key(slice: &Slice) -> Box<[ExprId]> {
    let mut terms: Vec<ExprId> = slice.terms().collect();
    terms.sort_unstable();
    terms.dedup();
    terms.into()
}

impl QueryCache {
    /// What is known of a slice.
    pub fn find(&self, slice: &Slice) -> Option<&CachedAnswer> {
        self.facts.get(&key(slice))
    }

    /// About how many bytes it holds: the ids in its keys, and with each fact its place in
    /// the table, a short answer, and what the allocator adds.
    pub fn bytes(&self) -> usize {
        self.held * size_of::<ExprId>() + self.facts.len() * BYTES_PER_FACT
    }

    /// Remembers what was found out about a slice.
    pub fn add(&mut self, slice: &Slice, fact: CachedAnswer) {
        let key = key(slice);
        if self.held + key.len() > MOST_HELD {
            self.facts.clear();
            self.held = 0;
        }
        let length = key.len();
        if self.facts.insert(key, fact).is_none() {
            self.held += length;
        }
    }
}

impl Sweep for QueryCache {
    fn sweep(&mut self, collected: &Collected) {
        self.facts.retain(|key, _| key.iter().all(|&e| collected.is_alive(e)));
        self.held = self.facts.keys().map(|key| key.len()).sum();
    }
}
