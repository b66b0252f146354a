//! Sets of small numbers, each stored once.
//!
//! Most pointers of a large program have one of few sets of locations, and most functions one of
//! few sets of memory that they access. So a set is a number in a table, equal
//! sets have equal numbers, and a union that was computed once is looked up afterwards
//! (Barbar and Sui, "Hash Consed Points-To Sets", 2021). A set is a sorted list of blocks of 64
//! bits: most sets hold few numbers, a few hold thousands, and a union is one merge.

use std::hash::{Hash, Hasher};

use byway_base::entity::{PrimaryMap, entity_impl};
use rustc_hash::{FxHashMap, FxHasher};

/// The most results of operations that are remembered.
const MOST_REMEMBERED: usize = 1 << 20;

/// A set of numbers: numbers of blocks and their bits, not all zero; by ascending block.
type Blocks = Box<[(u32, u64)]>;

/// A set of a table.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InternedSet(u32);
entity_impl!(InternedSet, "set");

/// Sets of numbers. Equal sets have equal ids.
pub struct SetTable {
    sets: PrimaryMap<InternedSet, Blocks>,
    by_hash: FxHashMap<u64, InternedSet>,
    unions: FxHashMap<(InternedSet, InternedSet), InternedSet>,
    differences: FxHashMap<(InternedSet, InternedSet), InternedSet>,
    effort: u64,
}

impl SetTable {
    /// The set without elements.
    pub const EMPTY: InternedSet = InternedSet(0);

    /// A table of the empty set alone.
    pub fn new() -> SetTable {
        let mut table = SetTable {
            sets: PrimaryMap::new(),
            by_hash: FxHashMap::default(),
            unions: FxHashMap::default(),
            differences: FxHashMap::default(),
            effort: 0,
        };
        table.intern(Vec::new());
        table
    }

    /// The blocks of sets that operations read so far.
    pub fn effort(&self) -> u64 {
        self.effort
    }

    /// The set of these numbers.
    pub fn of(&mut self, numbers: impl IntoIterator<Item = u32>) -> InternedSet {
        let mut numbers: Vec<u32> = numbers.into_iter().collect();
        numbers.sort_unstable();
        let mut blocks: Vec<(u32, u64)> = Vec::new();
        for number in numbers {
            let bit = 1 << (number % 64);
            match blocks.last_mut().filter(|block| block.0 == number / 64) {
                Some(block) => block.1 |= bit,
                None => blocks.push((number / 64, bit)),
            }
        }
        self.intern(blocks)
    }

    /// The numbers of a set, ascending.
    pub fn iter(&self, set: InternedSet) -> impl Iterator<Item = u32> + '_ {
        self.sets[set].iter().flat_map(|&(block, mut bits)| {
            std::iter::from_fn(move || {
                let number = (bits != 0).then(|| block * 64 + bits.trailing_zeros());
                bits &= bits.wrapping_sub(1);
                number
            })
        })
    }

    /// The numbers that are in one of two sets.
    pub fn union(&mut self, a: InternedSet, b: InternedSet) -> InternedSet {
        if a == b || b == SetTable::EMPTY {
            return a;
        }
        if a == SetTable::EMPTY {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let union = merge(&self.sets[a], &self.sets[b]);
        let union = self.intern(union);
        self.effort += self.cost(a) + self.cost(b);
        remember(&mut self.unions, key, union);
        union
    }

    /// The numbers that are in one of some sets.
    pub fn union_of(&mut self, sets: &[InternedSet]) -> InternedSet {
        let mut all: Vec<u64> = Vec::new();
        for &(block, bits) in sets.iter().flat_map(|&set| &self.sets[set]) {
            let block = block as usize;
            all.resize(all.len().max(block + 1), 0);
            all[block] |= bits;
        }
        let blocks = all.iter().enumerate().filter(|(_, bits)| **bits != 0);
        let blocks = blocks.map(|(block, &bits)| (block as u32, bits)).collect();
        self.intern(blocks)
    }

    /// The numbers of a set that are not in another.
    pub fn difference(&mut self, a: InternedSet, b: InternedSet) -> InternedSet {
        if a == b || a == SetTable::EMPTY {
            return SetTable::EMPTY;
        }
        if b == SetTable::EMPTY {
            return a;
        }
        if let Some(&known) = self.differences.get(&(a, b)) {
            return known;
        }
        let difference = minus(&self.sets[a], &self.sets[b]);
        let difference = self.intern(difference);
        self.effort += self.cost(a);
        remember(&mut self.differences, (a, b), difference);
        difference
    }

    fn cost(&self, set: InternedSet) -> u64 {
        self.sets[set].len() as u64
    }

    fn intern(&mut self, blocks: Vec<(u32, u64)>) -> InternedSet {
        let mut hasher = FxHasher::default();
        blocks.hash(&mut hasher);
        let mut hash = hasher.finish();
        // Sets with equal hashes have the next free ones.
        while let Some(&id) = self.by_hash.get(&hash) {
            if *self.sets[id] == *blocks {
                return id;
            }
            hash = hash.wrapping_add(1);
        }
        let id = self.sets.push(blocks.into());
        self.by_hash.insert(hash, id);
        id
    }
}

fn remember(
    results: &mut FxHashMap<(InternedSet, InternedSet), InternedSet>,
    key: (InternedSet, InternedSet),
    result: InternedSet,
) {
    if results.len() >= MOST_REMEMBERED {
        results.clear();
    }
    results.insert(key, result);
}

fn merge(mut a: &[(u32, u64)], mut b: &[(u32, u64)]) -> Vec<(u32, u64)> {
    let mut blocks = Vec::with_capacity(a.len() + b.len());
    while let (Some(&x), Some(&y)) = (a.first(), b.first()) {
        let bits = if x.0 <= y.0 { x.1 } else { 0 } | if y.0 <= x.0 { y.1 } else { 0 };
        blocks.push((x.0.min(y.0), bits));
        a = &a[usize::from(x.0 <= y.0)..];
        b = &b[usize::from(y.0 <= x.0)..];
    }
    blocks.extend(a.iter().chain(b));
    blocks
}

fn minus(a: &[(u32, u64)], mut b: &[(u32, u64)]) -> Vec<(u32, u64)> {
    let mut blocks = Vec::new();
    for &(block, bits) in a {
        b = &b[b.partition_point(|it| it.0 < block)..];
        let known = b.first().filter(|it| it.0 == block).map_or(0, |it| it.1);
        if bits & !known != 0 {
            blocks.push((block, bits & !known));
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn they_behave_as_sets(
            a in prop::collection::btree_set(0..400u32, 0..40),
            b in prop::collection::btree_set(0..400u32, 0..40),
        ) {
            let mut table = SetTable::new();
            let (x, y) = (table.of(a.iter().copied()), table.of(b.iter().copied()));
            prop_assert_eq!(x == y, a == b);
            prop_assert!(table.iter(x).eq(a.iter().copied()));
            for _ in 0..2 {
                let (union, difference) = (table.union(x, y), table.difference(x, y));
                prop_assert!(table.iter(union).eq(a.union(&b).copied()));
                prop_assert!(table.iter(difference).eq(a.difference(&b).copied()));
                prop_assert_eq!(table.union(y, x), union);
                prop_assert_eq!(table.union_of(&[x, y, x]), union);
                prop_assert_eq!(table.of(a.union(&b).copied()), union);
            }
        }
    }
}
