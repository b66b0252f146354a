//! The exact cache: answers by the set of terms they are about. Unknown answers are not
//! cached; the next query may have a larger budget.

use std::rc::Rc;

use byway_base::ExprId;
use byway_expr::{Collected, Sweep};
use rustc_hash::FxHashMap;

use crate::query::{Assignment, Slice};

/// The answer to a set of terms.
#[derive(Clone, Debug)]
pub enum CachedAnswer {
    /// These bytes satisfy all terms.
    Sat(Rc<Assignment>),
    /// These terms of the set contradict each other.
    Unsat(Rc<[ExprId]>),
}

/// Answers by their sets of terms. A key is the sorted ids of the set.
#[derive(Default)]
pub struct QueryCache {
    answers: FxHashMap<Box<[ExprId]>, CachedAnswer>,
    /// The number of ids in all keys.
    key_ids: usize,
}

/// The cache is cleared when its keys would exceed this many ids: sixteen megabytes.
const MAX_KEY_IDS: usize = 1 << 22;

/// Memory of an answer besides the ids in its key: its slot in the table, a short answer,
/// and the allocator's overhead.
const BYTES_PER_ANSWER: usize = 160;

fn key(slice: &Slice) -> Box<[ExprId]> {
    let mut terms: Vec<ExprId> = slice.terms().collect();
    terms.sort_unstable();
    terms.dedup();
    terms.into()
}

impl QueryCache {
    pub fn find(&self, slice: &Slice) -> Option<&CachedAnswer> {
        self.answers.get(&key(slice))
    }

    /// Approximate memory in bytes.
    pub fn bytes(&self) -> usize {
        self.key_ids * size_of::<ExprId>() + self.answers.len() * BYTES_PER_ANSWER
    }

    pub fn add(&mut self, slice: &Slice, answer: CachedAnswer) {
        let key = key(slice);
        if self.key_ids + key.len() > MAX_KEY_IDS {
            self.answers.clear();
            self.key_ids = 0;
        }
        let length = key.len();
        if self.answers.insert(key, answer).is_none() {
            self.key_ids += length;
        }
    }
}

impl Sweep for QueryCache {
    fn sweep(&mut self, collected: &Collected) {
        self.answers.retain(|key, _| key.iter().all(|&e| collected.is_alive(e)));
        self.key_ids = self.answers.keys().map(|key| key.len()).sum();
    }
}
