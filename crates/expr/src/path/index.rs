//! An index of all facts of a path, which is fast to search whatever their number.
//!
//! The maps are persistent, so that the index of a longer path shares most of its memory with
//! that of its prefix. Conjuncts that share input bytes, directly or through others, form a
//! group; a union-find over the bytes maintains the groups. It is in a persistent map as well,
//! and therefore has no path compression.

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

/// The node of a byte in the union-find forest.
#[derive(Clone)]
enum UnionFindNode {
    /// Has this parent.
    Child(InputByte),
    /// The representative of a group.
    Root(ByteGroup),
}

/// Conjuncts that share input bytes, directly or through others.
#[derive(Clone)]
pub struct ByteGroup {
    /// The number of bytes that they mention.
    pub bytes: u32,
    /// The numbers of their links, in no particular order.
    members: List<u32>,
}

/// The facts of a path up to some link.
#[derive(Clone)]
pub struct PathIndex {
    /// Facts by the numbers of their links, including learnt ones.
    conjuncts: Vector<ExprId>,
    present: TrieSet<ExprId>,
    nodes: TrieMap<InputByte, UnionFindNode>,
    /// The domains of bytes, from facts on one byte alone.
    domains: TrieMap<InputByte, ByteSet>,
    /// Terms that a fact states to be equal to a constant, with that constant.
    constants: TrieMap<ExprId, ExprId>,
}

impl PathIndex {
    /// The index of an empty path.
    pub fn new() -> PathIndex {
        PathIndex {
            conjuncts: Vector::new(),
            present: TrieSet::new_with_hasher_with_ptr_kind(Hashing::default()),
            nodes: TrieMap::new_with_hasher_and_ptr_kind(Hashing::default()),
            domains: TrieMap::new_with_hasher_and_ptr_kind(Hashing::default()),
            constants: TrieMap::new_with_hasher_and_ptr_kind(Hashing::default()),
        }
    }

    /// Whether the index includes a link of the path.
    pub fn covers(&self, link: &Link) -> bool {
        (link.number as usize) < self.conjuncts.len()
    }

    /// Whether a term is a fact.
    pub fn contains(&self, e: ExprId) -> bool {
        self.present.contains(&e)
    }

    /// The constant that a fact states a term to be equal to.
    pub fn constant_of(&self, term: ExprId) -> Option<ExprId> {
        self.constants.get(&term).copied()
    }

    /// The domain of a byte, if a fact on it alone restricts it.
    pub fn domain(&self, byte: InputByte) -> Option<ByteSet> {
        self.domains.get(&byte).copied()
    }

    /// The group of a byte, with the byte that represents it; `None` if no fact mentions the
    /// byte.
    pub fn group(&self, byte: InputByte) -> Option<(InputByte, &ByteGroup)> {
        let mut at = byte;
        loop {
            match self.nodes.get(&at)? {
                UnionFindNode::Child(parent) => at = *parent,
                UnionFindNode::Root(group) => return Some((at, group)),
            }
        }
    }

    /// The conjuncts of a group with the numbers of their links, in no particular order.
    pub fn members(&self, group: &ByteGroup) -> impl Iterator<Item = (u32, ExprId)> {
        group.members.iter().map(|&number| (number, self.conjuncts[number as usize]))
    }

    /// Adds the next link.
    pub fn insert(&mut self, link: &Link) {
        let number = self.conjuncts.len() as u32;
        debug_assert_eq!(number, link.number);
        self.conjuncts.push_back_mut(link.conjunct);
        self.present.insert_mut(link.conjunct);
        if let [byte] = *link.support {
            self.domains.insert_mut(byte, link.domain);
        }
        if let Some((term, constant)) = link.equal {
            self.constants.insert_mut(term, constant);
        }
        match link.learnt {
            true => self.add_bytes(&link.support),
            false => self.merge(&link.support, number),
        }
    }

    /// Adds bytes that a learnt fact mentions, as groups without conjuncts.
    fn add_bytes(&mut self, bytes: &[InputByte]) {
        for &byte in bytes {
            if !self.nodes.contains_key(&byte) {
                let single = ByteGroup { bytes: 1, members: List::new() };
                self.nodes.insert_mut(byte, UnionFindNode::Root(single));
            }
        }
    }

    /// Merges the groups of some bytes and adds a conjunct.
    fn merge(&mut self, bytes: &[InputByte], number: u32) {
        let mut merged: Vec<(InputByte, ByteGroup)> = Vec::new();
        for &byte in bytes {
            let (root, group) = match self.group(byte) {
                Some((root, group)) => (root, group.clone()),
                None => (byte, ByteGroup { bytes: 1, members: List::new() }),
            };
            if merged.iter().all(|&(other, _)| other != root) {
                merged.push((root, group));
            }
        }
        // The largest group stays the root, so that the trees stay shallow and the longest
        // list is not copied.
        let Some(&(root, _)) = merged.iter().max_by_key(|(byte, group)| (group.bytes, *byte))
        else {
            return;
        };
        let bytes = merged.iter().map(|(_, group)| group.bytes).sum();
        merged.sort_by_key(|(_, group)| std::cmp::Reverse(group.members.len()));
        let mut members = merged[0].1.members.push_front(number);
        for (_, group) in &merged[1..] {
            group.members.iter().for_each(|&other| members.push_front_mut(other));
        }
        for (byte, _) in merged {
            if byte != root {
                self.nodes.insert_mut(byte, UnionFindNode::Child(root));
            }
        }
        self.nodes.insert_mut(root, UnionFindNode::Root(ByteGroup { bytes, members }));
    }
}
