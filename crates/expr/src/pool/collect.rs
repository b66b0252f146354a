//! Collection of dead terms: mark from the roots, sweep the rest.
//!
//! Ids are used again, so a table keyed by them must forget the dead ones in the
//! same breath. The rule: whoever calls [`Pool::collect`] passes the [`Collected`]
//! it returns to every table it owns. [`ExprMap`] is such a table, and with debug
//! assertions on it refuses to work after it missed a collection.

use byway_base::ExprId;
use rustc_hash::FxHashMap;

use super::Pool;
use crate::memory::{MemoryVersion, VersionId};
use crate::node::index;
use crate::op::Op;

/// The terms and versions that must survive a collection. Each is noted once: many states
/// keep the same terms, and a collection often comes when memory is short.
#[derive(Default)]
pub struct Roots {
    terms: Vec<ExprId>,
    noted: Vec<u64>,
    versions: Vec<VersionId>,
}

impl Roots {
    /// Keeps a term and all it is made of.
    pub fn keep(&mut self, e: ExprId) {
        let place = index(e);
        if self.noted.len() <= place / 64 {
            self.noted.resize(place / 64 + 1, 0);
        }
        if set(&mut self.noted, place) {
            self.terms.push(e);
        }
    }

    /// Keeps a version of a memory object and all it holds.
    pub fn keep_version(&mut self, version: VersionId) {
        self.versions.push(version);
    }
}

/// What a collection did; tables keyed by ids sweep themselves with it.
#[derive(Debug)]
pub struct Collected {
    alive: Vec<u64>,
    alive_versions: Vec<u64>,
    generation: u32,
    /// How many terms were collected.
    pub dead: usize,
}

impl Collected {
    /// Whether a term that was alive before the collection is alive after it.
    #[inline]
    pub fn is_alive(&self, e: ExprId) -> bool {
        bit(&self.alive, index(e))
    }

    /// The same for a version of a memory object.
    pub fn is_version_alive(&self, version: VersionId) -> bool {
        bit(&self.alive_versions, version.index())
    }
}

fn bit(bits: &[u64], at: usize) -> bool {
    bits.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 != 0)
}

/// Sets a bit; whether it was clear.
fn set(bits: &mut [u64], at: usize) -> bool {
    let (word, mask) = (&mut bits[at / 64], 1 << (at % 64));
    let new = *word & mask == 0;
    *word |= mask;
    new
}

/// A table that holds ids and must forget the dead ones.
pub trait Sweep {
    /// Forgets what was collected.
    fn sweep(&mut self, collected: &Collected);
}

/// A map from terms that cannot confuse a term with a later one of the same id.
#[derive(Clone, Debug)]
pub struct ExprMap<T> {
    map: FxHashMap<ExprId, T>,
    generation: u32,
}

impl<T> ExprMap<T> {
    /// An empty map for a pool that collected so often. See [`ExprMap::for_pool`].
    pub(crate) fn of_generation(generation: u32) -> ExprMap<T> {
        ExprMap { map: FxHashMap::default(), generation }
    }

    /// An empty map.
    pub fn for_pool(pool: &Pool) -> ExprMap<T> {
        ExprMap::of_generation(pool.generation())
    }

    /// What terms have here, in no order.
    pub(crate) fn values(&self) -> impl Iterator<Item = &T> {
        self.map.values()
    }

    fn check(&self, pool: &Pool) {
        debug_assert_eq!(self.generation, pool.generation(), "a table missed a collection");
    }

    /// What a term has here.
    pub fn get(&self, pool: &Pool, e: ExprId) -> Option<&T> {
        self.check(pool);
        self.map.get(&e)
    }

    /// Whether a term has something here.
    pub fn contains(&self, pool: &Pool, e: ExprId) -> bool {
        self.check(pool);
        self.map.contains_key(&e)
    }

    /// Gives a term something; what it had before comes back.
    pub fn insert(&mut self, pool: &Pool, e: ExprId, value: T) -> Option<T> {
        self.check(pool);
        self.map.insert(e, value)
    }

    /// As [`ExprMap::insert`], for the pool's own tables.
    pub(crate) fn insert_own(&mut self, e: ExprId, value: T) {
        self.map.insert(e, value);
    }

    /// How many terms have something here.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Whether no term has anything here.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Forgets everything.
    pub fn clear(&mut self, pool: &Pool) {
        self.map.clear();
        self.generation = pool.generation();
    }
}

impl<T> Sweep for ExprMap<T> {
    fn sweep(&mut self, collected: &Collected) {
        debug_assert_eq!(self.generation + 1, collected.generation, "swept twice, or too late");
        self.map.retain(|&e, _| collected.is_alive(e));
        self.generation = collected.generation;
    }
}

impl Pool {
    /// Frees every term and version that the roots do not reach. All other ids
    /// are void from here on, and will name other terms.
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
        self.table.retain(|&mut place| bit(&alive, place as usize));
        for place in 1..self.slots.len() {
            let node = &mut self.slots[place].node;
            if node.op == Op::Dead || bit(&alive, place) {
                continue;
            }
            if node.op == Op::Const && node.width > 64 {
                self.wide.remove(node.args[0]);
            }
            node.op = Op::Dead;
            self.free.push(place as u32);
        }
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
