//! All conjuncts of a path in a form that is searched quickly however many there are.
//!
//! Persistent maps, so that a longer path's index shares most of a shorter one's. Conjuncts
//! that share input bytes, directly or through others, form a group; a union-find over the
//! bytes, in a persistent map and so without path compression, keeps the groups.

use std::hash::BuildHasherDefault;

use archery::RcK;
use byway_base::ExprId;
use rpds::{HashTrieMap, HashTrieSet, List, Vector};
use rustc_hash::FxHasher;

use super::Link;
use crate::lanes::ByteSet;
use crate::support::InputByte;

type Hashing = BuildHasherDefault<FxHasher>;
type TrieMap<K, V> = HashTrieMap<K, V, RcK, Hashing>;
type TrieSet<K> = HashTrieSet<K, RcK, Hashing>;

/// Where a byte stands in its group.
#[derive(Clone)]
enum UnionFindNode {
    /// Below another byte.
    Child(InputByte),
    /// At the top of a group.
    Root(ByteGroup),
}

/// Conjuncts that belong together.
#[derive(Clone)]
pub struct ByteGroup {
    /// How many bytes they mention.
    pub bytes: u32,
    /// Their numbers, in no order.
    members: List<u32>,
}

/// The conjuncts of a path up to one of them.
#[derive(Clone)]
pub struct PathIndex {
    /// By the numbers of their links; what was learnt takes its place.
    conjuncts: Vector<ExprId>,
    present: TrieSet<ExprId>,
    places: TrieMap<InputByte, UnionFindNode>,
    /// The values that conjuncts on one byte alone leave it.
    domains: TrieMap<InputByte, ByteSet>,
    /// Terms of which a fact says that they are a number.
    numbers: TrieMap<ExprId, ExprId>,
}

impl PathIndex {
    /// Of the path without conjuncts.
    pub fn new() -> PathIndex {
        PathIndex {
            conjuncts: Vector::new(),
            present: TrieSet::new_with_hasher_with_ptr_kind(Hashing::default()),
            places: TrieMap::new_with_hasher_and_ptr_kind(Hashing::default()),
            domains: TrieMap::new_with_hasher_and_ptr_kind(Hashing::default()),
            numbers: TrieMap::new_with_hasher_and_ptr_kind(Hashing::default()),
        }
    }

    /// Whether a link of the path is in it.
    pub fn covers(&self, link: &Link) -> bool {
        (link.number as usize) < self.conjuncts.len()
    }

    /// Whether a term is one of the conjuncts.
    pub fn contains(&self, e: ExprId) -> bool {
        self.present.contains(&e)
    }

    /// The number that a term is, if a fact says just that.
    pub fn number(&self, term: ExprId) -> Option<ExprId> {
        self.numbers.get(&term).copied()
    }

    /// The values a byte can have, if conjuncts on it alone tell.
    pub fn domain(&self, byte: InputByte) -> Option<ByteSet> {
        self.domains.get(&byte).copied()
    }

    /// The group of a byte, and the byte it goes by; `None` if no conjunct mentions the
    /// byte.
    pub fn group(&self, byte: InputByte) -> Option<(InputByte, &ByteGroup)> {
        let mut at = byte;
        loop {
            match self.places.get(&at)? {
                UnionFindNode::Child(above) => at = *above,
                UnionFindNode::Root(group) => return Some((at, group)),
            }
        }
    }

    /// The conjuncts of a group with their numbers, in no order.
    pub fn members(&self, group: &ByteGroup) -> impl Iterator<Item = (u32, ExprId)> {
        group.members.iter().map(|&number| (number, self.conjuncts[number as usize]))
    }

    /// Adds the next fact.
    pub fn insert(&mut self, link: &Link) {
        let number = self.conjuncts.len() as u32;
        debug_assert_eq!(number, link.number);
        self.conjuncts.push_back_mut(link.conjunct);
        self.present.insert_mut(link.conjunct);
        if let [byte] = *link.support {
            self.domains.insert_mut(byte, link.domain);
        }
        if let Some((term, number)) = link.equal {
            self.numbers.insert_mut(term, number);
        }
        match link.learnt {
            true => self.mention(&link.support),
            false => self.join(&link.support, number),
        }
    }

    /// Some bytes are mentioned by what belongs to no group.
    fn mention(&mut self, bytes: &[InputByte]) {
        for &byte in bytes {
            if !self.places.contains_key(&byte) {
                let alone = ByteGroup { bytes: 1, members: List::new() };
                self.places.insert_mut(byte, UnionFindNode::Root(alone));
            }
        }
    }

    /// The groups of some bytes become one, with a further conjunct.
    fn join(&mut self, bytes: &[InputByte], number: u32) {
        let mut joined: Vec<(InputByte, ByteGroup)> = Vec::new();
        for &byte in bytes {
            let (top, group) = match self.group(byte) {
                Some((top, group)) => (top, group.clone()),
                None => (byte, ByteGroup { bytes: 1, members: List::new() }),
            };
            if joined.iter().all(|&(known, _)| known != top) {
                joined.push((top, group));
            }
        }
        // The largest group stays on top, so that no byte is ever deep below, and the
        // longest list is the one that is not copied.
        let Some(&(top, _)) = joined.iter().max_by_key(|(byte, group)| (group.bytes, *byte)) else {
            return;
        };
        let bytes = joined.iter().map(|(_, group)| group.bytes).sum();
        joined.sort_by_key(|(_, group)| std::cmp::Reverse(group.members.len()));
        let mut members = joined[0].1.members.push_front(number);
        for (_, group) in &joined[1..] {
            group.members.iter().for_each(|&other| members.push_front_mut(other));
        }
        for (byte, _) in joined {
            if byte != top {
                self.places.insert_mut(byte, UnionFindNode::Child(top));
            }
        }
        self.places.insert_mut(top, UnionFindNode::Root(ByteGroup { bytes, members }));
    }
}
