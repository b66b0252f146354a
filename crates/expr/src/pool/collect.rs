//! Garbage collection of terms: mark from the roots, sweep the rest.
//!
//! Ids are reused, so tables keyed by ids must drop dead ones at once. The rule: the caller of
//! [`Pool::collect`] passes the returned [`Collected`] to every table that it owns.
//! [`ExprMap`] is such a table; with debug assertions, it panics if it missed a collection.
//!
//! Tables indexed by ids are as large as the largest id, so a collection also makes those that
//! have become sparse smaller. An exploration that begins again needs the memory.

use byway_base::ExprId;
use hashbrown::HashTable;
use rustc_hash::FxHashMap;

use super::Pool;
use crate::memory::{MemoryVersion, VersionId};
use crate::node::index;
use crate::op::Op;

/// A table with room for fewer entries than this keeps it.
const MIN_UNUSED: usize = 1 << 12;

/// The terms and versions that must survive a collection. Terms are recorded once: many states
/// share terms, and a collection is often triggered by memory pressure.
#[derive(Default)]
pub struct Roots {
    terms: Vec<ExprId>,
    recorded: Vec<u64>,
    versions: Vec<VersionId>,
}

impl Roots {
    /// Keeps a term and its operands.
    pub fn keep(&mut self, e: ExprId) {
        let slot = index(e);
        if self.recorded.len() <= slot / 64 {
            self.recorded.resize(slot / 64 + 1, 0);
        }
        if set(&mut self.recorded, slot) {
            self.terms.push(e);
        }
    }

    /// Keeps a version of a memory object and its terms.
    pub fn keep_version(&mut self, version: VersionId) {
        self.versions.push(version);
    }
}

/// The result of a collection, with which tables keyed by ids sweep themselves.
#[derive(Debug)]
pub struct Collected {
    alive: Vec<u64>,
    alive_versions: Vec<u64>,
    generation: u32,
    /// The number of collected terms.
    pub dead: usize,
}

impl Collected {
    /// Whether a term survived the collection.
    #[inline]
    pub fn is_alive(&self, e: ExprId) -> bool {
        bit(&self.alive, index(e))
    }

    /// Whether a version of a memory object survived the collection.
    pub fn is_version_alive(&self, version: VersionId) -> bool {
        bit(&self.alive_versions, version.index())
    }
}

fn bit(bits: &[u64], at: usize) -> bool {
    bits.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 != 0)
}

/// Sets a bit; returns whether it was clear.
fn set(bits: &mut [u64], at: usize) -> bool {
    let (word, mask) = (&mut bits[at / 64], 1 << (at % 64));
    let new = *word & mask == 0;
    *word |= mask;
    new
}

/// Whether a table that was once larger should give memory back.
pub(crate) fn is_mostly_unused(len: usize, capacity: usize) -> bool {
    capacity > (len * 4).max(MIN_UNUSED)
}

/// Gives up the free slots at the end, and lists the others so that the lowest is reused first:
/// with time, the slots in use come to lie together. The first slot is never used.
pub(crate) fn compact<T>(slots: &mut Vec<T>, free: &mut Vec<u32>, is_free: impl Fn(&T) -> bool) {
    let used = slots.iter().skip(1).rposition(|slot| !is_free(slot)).map_or(1, |last| last + 2);
    slots.truncate(used);
    free.clear();
    free.extend((1..used as u32).rev().filter(|&slot| is_free(&slots[slot as usize])));
    if is_mostly_unused(slots.len(), slots.capacity()) {
        slots.shrink_to(slots.len() * 2);
    }
    if is_mostly_unused(free.len(), free.capacity()) {
        free.shrink_to(free.len() * 2);
    }
}

/// Gives back most of the memory of a table that has become small.
pub(crate) fn shrink_table(table: &mut HashTable<u32>, hash: impl Fn(&u32) -> u64) {
    if is_mostly_unused(table.len(), table.capacity()) {
        table.shrink_to(table.len() * 2, hash);
    }
}

/// A table keyed by ids.
pub trait Sweep {
    /// Drops the entries of collected terms.
    fn sweep(&mut self, collected: &Collected);
}

/// A map keyed by terms that is safe against reused ids.
#[derive(Clone, Debug)]
pub struct ExprMap<T> {
    map: FxHashMap<ExprId, T>,
    generation: u32,
}

impl<T> ExprMap<T> {
    /// An empty map for a pool of this generation.
    pub(crate) fn of_generation(generation: u32) -> ExprMap<T> {
        ExprMap { map: FxHashMap::default(), generation }
    }

    /// An empty map for a pool.
    pub fn for_pool(pool: &Pool) -> ExprMap<T> {
        ExprMap::of_generation(pool.generation())
    }

    /// All values, in no particular order.
    pub(crate) fn values(&self) -> impl Iterator<Item = &T> {
        self.map.values()
    }

    fn check(&self, pool: &Pool) {
        debug_assert_eq!(self.generation, pool.generation(), "the table missed a collection");
    }

    /// The value of a term.
    pub fn get(&self, pool: &Pool, e: ExprId) -> Option<&T> {
        self.check(pool);
        self.map.get(&e)
    }

    /// Whether a term has a value.
    pub fn contains(&self, pool: &Pool, e: ExprId) -> bool {
        self.check(pool);
        self.map.contains_key(&e)
    }

    /// Sets the value of a term; returns the previous one.
    pub fn insert(&mut self, pool: &Pool, e: ExprId, value: T) -> Option<T> {
        self.check(pool);
        self.map.insert(e, value)
    }

    /// Sets the value of a term, in the pool's own tables.
    pub(crate) fn insert_own(&mut self, e: ExprId, value: T) {
        self.map.insert(e, value);
    }

    /// The number of terms with a value.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Whether no term has a value.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Removes all values.
    pub fn clear(&mut self, pool: &Pool) {
        self.map.clear();
        self.generation = pool.generation();
    }
}

impl<T> Sweep for ExprMap<T> {
    fn sweep(&mut self, collected: &Collected) {
        debug_assert_eq!(self.generation + 1, collected.generation, "swept twice, or too late");
        self.map.retain(|&e, _| collected.is_alive(e));
        if is_mostly_unused(self.map.len(), self.map.capacity()) {
            self.map.shrink_to(self.map.len() * 2);
        }
        self.generation = collected.generation;
    }
}

impl Pool {
    /// Frees every term and version that is not reachable from the roots. Their ids become
    /// invalid and will be reused.
    pub fn collect(&mut self, roots: Roots) -> Collected {
        let mut alive = vec![0; self.slots.len().div_ceil(64)];
        let mut alive_versions = vec![0; self.versions.bound().div_ceil(64)];
        let (mut terms, mut versions) = (roots.terms, roots.versions);
        loop {
            if let Some(e) = terms.pop() {
                if set(&mut alive, index(e)) {
                    let node = self.node(e);
                    terms.extend(node.operands());
                    if node.op == Op::Read {
                        versions.push(VersionId::from_word(node.extra()));
                    }
                }
            } else if let Some(version) = versions.pop() {
                if set(&mut alive_versions, version.index()) {
                    match self.versions.get(version) {
                        MemoryVersion::Write { index, value, previous } => {
                            terms.extend([*index, *value]);
                            versions.push(*previous);
                        }
                        MemoryVersion::Base(base) => {
                            terms.extend(base.symbolic.iter().map(|&(_, e)| e));
                        }
                        MemoryVersion::Dead => {}
                    }
                }
            } else {
                break;
            }
        }
        let before = self.len();
        self.table.retain(|&mut slot| bit(&alive, slot as usize));
        for slot in 1..self.slots.len() {
            let node = &mut self.slots[slot].node;
            if node.op == Op::Dead || bit(&alive, slot) {
                continue;
            }
            if node.op == Op::Const && node.width > 64 {
                self.wide.remove(node.args[0]);
            }
            node.op = Op::Dead;
        }
        compact(&mut self.slots, &mut self.free, |slot| slot.node.op == Op::Dead);
        let slots = &self.slots;
        shrink_table(&mut self.table, |&slot| slots[slot as usize].hash);
        self.versions.sweep(|version| bit(&alive_versions, version));
        self.generation += 1;
        let collected = Collected {
            alive,
            alive_versions,
            generation: self.generation,
            dead: before - self.len(),
        };
        self.supports.sweep(&collected);
        self.lanes.sweep(&collected);
        self.simplified.clear();
        collected
    }
}
