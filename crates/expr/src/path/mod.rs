//! The path condition: what the decisions of a path say of the input, as a list of
//! conjuncts.
//!
//! Persistent: a chain of links, each with the conjunct that it adds. A clone is one
//! pointer, and a state that forked shares all but what it adds: a link of a hundred
//! bytes. The last few links are searched one by one; what lies behind them is in an
//! [`Index`], which hangs on a link some way back, where all paths that part later
//! share it. So no search takes long however long the path is, and the index, which is
//! large, is made once for many paths.
//!
//! A query need only carry the conjuncts that can matter to it: those that share input
//! bytes with it, directly or through others. What conjuncts on a single byte leave of
//! its values is kept apart: much is known from that alone.

mod index;

use std::cell::OnceCell;
use std::fmt;
use std::rc::Rc;

use byway_base::ExprId;
use rustc_hash::FxHashSet;

use crate::lanes::ByteSet;
use crate::op::Op;
use crate::pool::{Pool, Roots};
use crate::support::{InputByte, Support};
use index::Index;

/// How deep conjunctions are looked into.
const MOST_PARTS: u32 = 64;

/// Indices hang so many links apart, the last of them at least so many back and less than
/// twice as many.
const STRIDE: u32 = 8;

/// A conjunct that mentions more bytes is in an index at once: who searches links looks at
/// all of their bytes.
const FEW_BYTES: usize = 4;

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

/// One conjunct, and those before it.
struct Link {
    below: Option<Rc<Link>>,
    /// Everything up to here and this, if it was ever made.
    index: OnceCell<Box<Index>>,
    /// The bytes it mentions.
    support: Support,
    /// If that is one byte: what conjuncts on it alone leave of its values up to here.
    domain: ByteSet,
    conjunct: ExprId,
    number: u32,
}

impl Link {
    /// Everything up to here and this.
    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let mut missing = vec![self];
            let mut at = self.below.as_deref();
            let mut index = loop {
                match at.map(|link| (link, link.index.get())) {
                    Some((_, Some(index))) => break index.clone(),
                    Some((link, None)) => {
                        missing.push(link);
                        at = link.below.as_deref();
                    }
                    None => break Box::new(Index::new()),
                }
            };
            missing.into_iter().rev().for_each(|link| index.insert(link));
            index
        })
    }
}

/// A chain is as long as a path: it is not taken down by recursion.
impl Drop for Link {
    fn drop(&mut self) {
        let mut below = self.below.take();
        while let Some(mut link) = below.and_then(Rc::into_inner) {
            below = link.below.take();
        }
    }
}

/// A conjunction. Cheap to clone.
#[derive(Clone, Default)]
pub struct PathCondition {
    last: Option<Rc<Link>>,
}

impl fmt::Debug for PathCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.conjuncts()).finish()
    }
}

impl PathCondition {
    /// True.
    pub fn new() -> PathCondition {
        PathCondition::default()
    }

    /// How many conjuncts.
    pub fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |last| last.number as usize + 1)
    }

    /// Whether it is simply true.
    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// The conjuncts in the order they were added.
    pub fn conjuncts(&self) -> impl ExactSizeIterator<Item = ExprId> + use<> {
        let all: Vec<ExprId> = self.links().map(|link| link.conjunct).collect();
        all.into_iter().rev()
    }

    /// The links, the last first.
    fn links(&self) -> impl Iterator<Item = &Link> {
        std::iter::successors(self.last.as_deref(), |link| link.below.as_deref())
    }

    /// Searches links from the last, and then what the others are indexed in.
    fn search<R>(
        &self,
        mut in_link: impl FnMut(&Link) -> Option<R>,
        in_index: impl FnOnce(&Index) -> Option<R>,
    ) -> Option<R> {
        for link in self.links() {
            if let Some(index) = link.index.get() {
                return in_index(index);
            }
            let found = in_link(link);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Whether a term is one of the conjuncts.
    pub fn contains(&self, e: ExprId) -> bool {
        let in_link = |link: &Link| (link.conjunct == e).then_some(());
        self.search(in_link, |index| index.contains(e).then_some(())).is_some()
    }

    /// Which of a term and its opposite is one of the conjuncts.
    fn decided(&self, e: ExprId, opposite: ExprId) -> Option<bool> {
        let in_link = |link: &Link| {
            (link.conjunct == e || link.conjunct == opposite).then(|| link.conjunct == e)
        };
        self.search(in_link, |index| match index.contains(e) {
            true => Some(true),
            false => index.contains(opposite).then_some(false),
        })
    }

    /// The values a byte can have, as far as conjuncts on it alone tell.
    pub fn domain(&self, byte: InputByte) -> ByteSet {
        let in_link = |link: &Link| (*link.support == [byte]).then_some(link.domain);
        self.search(in_link, |index| index.domain(byte)).unwrap_or(ByteSet::ALL)
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
        let opposite = pool.not(term);
        let decided = self.decided(term, opposite);
        if decided.is_some() {
            return decided;
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
                Some(0) => return Added::False,
                Some(_) => continue,
                None => {}
            }
            let opposite = pool.not(e);
            let decided = self.decided(e, opposite);
            if decided == Some(false) || new.contains(&opposite) {
                return Added::False;
            }
            if pool.byte_set(e).is_some_and(|(at, set)| self.domain(at).and(set).is_empty()) {
                return Added::False;
            }
            if decided.is_none() && !new.contains(&e) {
                new.push(e);
            }
        }
        if new.is_empty() {
            return Added::Known;
        }
        for e in new {
            self.insert(pool, e);
        }
        Added::New
    }

    fn insert(&mut self, pool: &mut Pool, e: ExprId) {
        let support = pool.support(e);
        let domain = match *support {
            [byte] => {
                let before = self.domain(byte);
                pool.byte_set(e).map_or(before, |(_, set)| before.and(set))
            }
            _ => ByteSet::ALL,
        };
        let number = self.len() as u32;
        if number.is_multiple_of(STRIDE) {
            self.links().nth(STRIDE as usize).into_iter().for_each(|link| {
                link.index();
            });
        }
        let many = support.len() > FEW_BYTES;
        if many && let Some(last) = &self.last {
            // Where others part from here too, they share it.
            last.index();
        }
        let (below, index) = (self.last.take(), OnceCell::new());
        let link = Link { below, index, support, domain, conjunct: e, number };
        if many {
            link.index();
        }
        self.last = Some(Rc::new(link));
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
        let mut tail: Vec<&Link> = Vec::new();
        let mut index = None;
        for link in self.links() {
            index = link.index.get().map(|index| &**index);
            if index.is_some() {
                break;
            }
            tail.push(link);
        }
        tail.reverse();
        let mut related = Related { index, ..Related::default() };
        bytes.iter().for_each(|&byte| related.add_byte(byte));
        loop {
            let left = tail.len();
            tail.retain(|link| !related.take(link));
            if tail.len() == left {
                break;
            }
        }
        related.found.sort_unstable_by_key(|&(number, _)| number);
        related.found.into_iter().map(|(_, conjunct)| conjunct).collect()
    }

    /// Keeps the conjuncts alive in a collection; `seen` remembers what paths share.
    pub fn mark(&self, roots: &mut Roots, seen: &mut FxHashSet<usize>) {
        let new = self.links().take_while(|&link| seen.insert(std::ptr::from_ref(link) as usize));
        new.for_each(|link| roots.keep(link.conjunct));
    }
}

/// Conjuncts that belong together, as far as they were found.
#[derive(Default)]
struct Related<'a> {
    index: Option<&'a Index>,
    bytes: FxHashSet<InputByte>,
    /// The groups of the index that belong to them, and whether any has several bytes.
    groups: FxHashSet<InputByte>,
    several: bool,
    /// With their numbers, in no order.
    found: Vec<(u32, ExprId)>,
}

impl Related<'_> {
    /// A byte belongs to them, and so does its group.
    fn add_byte(&mut self, byte: InputByte) {
        if !self.bytes.insert(byte) {
            return;
        }
        if let Some(index) = self.index
            && let Some((top, group)) = index.group(byte)
            && self.groups.insert(top)
        {
            self.several |= group.bytes > 1;
            self.found.extend(index.members(group));
        }
    }

    /// Whether a byte is known to belong to them.
    fn has(&self, byte: InputByte) -> bool {
        let group = || self.index?.group(byte).map(|(top, _)| top);
        self.bytes.contains(&byte)
            || self.several && group().is_some_and(|top| self.groups.contains(&top))
    }

    /// Takes a link, if it belongs to them.
    fn take(&mut self, link: &Link) -> bool {
        let belongs = link.support.iter().any(|&byte| self.has(byte));
        if belongs {
            self.found.push((link.number, link.conjunct));
            link.support.iter().for_each(|&byte| self.add_byte(byte));
        }
        belongs
    }
}
