//! The path condition: what the decisions of a path say of the input, as a list of
//! conjuncts.
//!
//! Persistent: a clone is a few pointers, and a state that forked shares all but what
//! it adds. Conjuncts that share input bytes, directly or through others, form a
//! group; a union-find over the bytes, in a persistent map and so without path
//! compression, keeps the groups, so that a query need only carry the conjuncts
//! that can matter to it. What conjuncts on a single byte leave of its values is kept
//! apart, and so are terms that are numbers: much is known from that alone. What follows
//! from the conjuncts is learnt without becoming one: it is known, and burdens no query.

use std::hash::BuildHasherDefault;

use archery::RcK;
use byway_base::ExprId;
use rpds::{HashTrieMap, HashTrieSet, List, Vector};
use rustc_hash::{FxHashSet, FxHasher};

use crate::lanes::ByteSet;
use crate::op::Op;
use crate::pool::{Pool, Roots};
use crate::support::InputByte;

type Hashing = BuildHasherDefault<FxHasher>;
type Map<K, V> = HashTrieMap<K, V, RcK, Hashing>;
type Set<K> = HashTrieSet<K, RcK, Hashing>;

/// How deep conjunctions are looked into.
const MOST_PARTS: u32 = 64;

/// What became of a condition that was added.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Added {
    /// It says something new.
    New,
    /// All of it was there, or it is always true.
    Known,
    /// With it the path condition is false; it was not added.
    False,
}

/// Where a byte stands in its group.
#[derive(Clone, Debug)]
enum Place {
    /// Below another byte.
    Below(InputByte),
    /// At the top of a group.
    Top(Group),
}

/// Conjuncts that belong together.
#[derive(Clone, Debug)]
struct Group {
    /// How many bytes they mention.
    bytes: u32,
    /// Their numbers, in no order.
    members: List<u32>,
}

/// A conjunction. Cheap to clone.
#[derive(Clone, Debug)]
pub struct PathCondition {
    conjuncts: Vector<ExprId>,
    /// The conjuncts, and what was learnt.
    present: Set<ExprId>,
    places: Map<InputByte, Place>,
    /// The values that conjuncts on one byte alone leave it.
    domains: Map<InputByte, ByteSet>,
    /// Terms of which a fact says that they are a number.
    numbers: Map<ExprId, ExprId>,
}

impl Default for PathCondition {
    fn default() -> PathCondition {
        PathCondition::new()
    }
}

impl PathCondition {
    /// True.
    pub fn new() -> PathCondition {
        PathCondition {
            conjuncts: Vector::new(),
            present: Set::new_with_hasher_with_ptr_kind(Hashing::default()),
            places: Map::new_with_hasher_and_ptr_kind(Hashing::default()),
            domains: Map::new_with_hasher_and_ptr_kind(Hashing::default()),
            numbers: Map::new_with_hasher_and_ptr_kind(Hashing::default()),
        }
    }

    /// How many conjuncts.
    pub fn len(&self) -> usize {
        self.conjuncts.len()
    }

    /// Whether it is simply true.
    pub fn is_empty(&self) -> bool {
        self.conjuncts.is_empty()
    }

    /// The conjuncts in the order they were added.
    pub fn conjuncts(&self) -> impl ExactSizeIterator<Item = ExprId> + '_ {
        self.conjuncts.iter().copied()
    }

    /// Whether a term is one of the conjuncts, or was learnt from them.
    pub fn contains(&self, e: ExprId) -> bool {
        self.present.contains(&e)
    }

    /// The values a byte can have, as far as conjuncts on it alone tell.
    pub fn domain(&self, byte: InputByte) -> ByteSet {
        self.domains.get(&byte).copied().unwrap_or(ByteSet::ALL)
    }

    /// Whether any fact mentions a byte.
    pub fn mentions(&self, byte: InputByte) -> bool {
        self.places.contains_key(&byte)
    }

    /// The number that a term is, if a fact says just that.
    pub fn number(&self, term: ExprId) -> Option<ExprId> {
        self.numbers.get(&term).copied()
    }

    /// What it says of a term of one bit, as far as that takes no reasoning but about
    /// single bytes.
    pub fn says(&self, pool: &mut Pool, term: ExprId) -> Option<bool> {
        self.says_within(pool, term, MOST_PARTS)
    }

    fn says_within(&self, pool: &mut Pool, term: ExprId, depth: u32) -> Option<bool> {
        if let Some(value) = pool.value(term) {
            return Some(value != 0);
        }
        if self.contains(term) {
            return Some(true);
        }
        let opposite = pool.not(term);
        if self.contains(opposite) {
            return Some(false);
        }
        if let Some((byte, holds)) = pool.byte_set(term) {
            let domain = self.domain(byte);
            let (can, can_fail) = (domain.and(holds), domain.without(holds));
            return match (can.is_empty(), can_fail.is_empty()) {
                (true, _) => Some(false),
                (false, true) => Some(true),
                (false, false) => None,
            };
        }
        // Conjunctions were taken apart when they were added.
        let (both, yes) = if pool.op(term) == Op::And { (term, true) } else { (opposite, false) };
        let node = pool.node(both);
        let depth = depth.checked_sub(1)?;
        if node.op != Op::And {
            return None;
        }
        let a = self.says_within(pool, node.a(), depth);
        if a == Some(false) {
            return Some(!yes);
        }
        match (a, self.says_within(pool, node.b(), depth)) {
            (_, Some(false)) => Some(!yes),
            (Some(true), Some(true)) => Some(yes),
            _ => None,
        }
    }

    /// Adds a condition, taken apart where it is a conjunction itself.
    pub fn add(&mut self, pool: &mut Pool, condition: ExprId) -> Added {
        let Some(new) = self.news(pool, condition) else { return Added::False };
        if new.is_empty() {
            return Added::Known;
        }
        for e in new {
            self.insert(pool, e);
        }
        Added::New
    }

    /// Takes note of a condition that the conjuncts imply: from here on it is known, but it
    /// is no conjunct.
    pub fn learn(&mut self, pool: &mut Pool, implied: ExprId) {
        for e in self.news(pool, implied).unwrap_or_default() {
            self.know(pool, e);
            for &byte in pool.support(e).iter() {
                if !self.mentions(byte) {
                    let alone = Group { bytes: 1, members: List::new() };
                    self.places.insert_mut(byte, Place::Top(alone));
                }
            }
        }
    }

    /// The parts of a condition that are not known; `None` if one of them is known to be
    /// false.
    fn news(&self, pool: &mut Pool, condition: ExprId) -> Option<Vec<ExprId>> {
        debug_assert_eq!(pool.width(condition), 1);
        let mut new = Vec::new();
        let mut stack = vec![condition];
        while let Some(e) = stack.pop() {
            let node = pool.node(e);
            if node.op == Op::And {
                stack.extend([node.b(), node.a()]);
                continue;
            }
            if node.op == Op::Not && pool.op(node.a()) == Op::Or {
                let either = pool.node(node.a());
                stack.extend([pool.not(either.b()), pool.not(either.a())]);
                continue;
            }
            match pool.value(e) {
                Some(0) => return None,
                Some(_) => continue,
                None => {}
            }
            let opposite = pool.not(e);
            if self.contains(opposite) || new.contains(&opposite) {
                return None;
            }
            if pool.byte_set(e).is_some_and(|(at, set)| self.domain(at).and(set).is_empty()) {
                return None;
            }
            if !self.contains(e) && !new.contains(&e) {
                new.push(e);
            }
        }
        Some(new)
    }

    fn insert(&mut self, pool: &mut Pool, e: ExprId) {
        let number = self.conjuncts.len() as u32;
        self.conjuncts.push_back_mut(e);
        self.know(pool, e);
        let mut joined: Vec<(InputByte, Group)> = Vec::new();
        for &byte in pool.support(e).iter() {
            let (top, group) =
                self.top(byte).unwrap_or((byte, Group { bytes: 1, members: List::new() }));
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
                self.places.insert_mut(byte, Place::Below(top));
            }
        }
        self.places.insert_mut(top, Place::Top(Group { bytes, members }));
    }

    /// Takes a fact in beside the conjuncts.
    fn know(&mut self, pool: &mut Pool, e: ExprId) {
        self.present.insert_mut(e);
        if let Some((byte, set)) = pool.byte_set(e) {
            self.domains.insert_mut(byte, self.domain(byte).and(set));
            return;
        }
        let node = pool.node(e);
        if node.op == Op::Eq && pool.is_constant(node.a()) {
            self.numbers.insert_mut(node.b(), node.a());
        }
    }

    /// The top of a byte's group, and the group; `None` if no conjunct mentions the
    /// byte.
    fn top(&self, byte: InputByte) -> Option<(InputByte, Group)> {
        let mut at = byte;
        loop {
            match self.places.get(&at)? {
                Place::Below(above) => at = *above,
                Place::Top(group) => return Some((at, group.clone())),
            }
        }
    }

    /// The conjuncts that share input bytes with a term, directly or through other
    /// conjuncts, in the order they were added.
    pub fn related(&self, pool: &mut Pool, asked: ExprId) -> Vec<ExprId> {
        let bytes = pool.support(asked);
        self.related_to(&bytes)
    }

    /// The conjuncts that share input bytes with these, directly or through other
    /// conjuncts, in the order they were added.
    pub fn related_to(&self, bytes: &[InputByte]) -> Vec<ExprId> {
        let mut tops = FxHashSet::default();
        let mut numbers: Vec<u32> = Vec::new();
        for &byte in bytes {
            let Some((top, group)) = self.top(byte) else { continue };
            if tops.insert(top) {
                numbers.extend(group.members.iter());
            }
        }
        numbers.sort_unstable();
        numbers.into_iter().map(|number| self.conjuncts[number as usize]).collect()
    }

    /// Keeps the conjuncts, and what was learnt, alive in a collection.
    pub fn mark(&self, roots: &mut Roots) {
        self.present.iter().for_each(|&e| roots.keep(e));
    }
}
