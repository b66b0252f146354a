//! The path condition: what the decisions of a path say of the input, as a list of
//! conjuncts.
//!
//! Persistent: a chain of links, each with the conjunct that it adds. A clone is one
//! pointer, and a state that forked shares all but what it adds: a link of a hundred
//! bytes. The last few links are searched one by one, unless a filter tells that it is
//! in vain; what lies behind them is in an [`PathIndex`], which was made for a link some way
//! back, where all paths that part later share it. So no search takes long however long
//! the path is, and the index, which is large, is made once for many paths.
//!
//! A query need only carry the conjuncts that can matter to it: those that share input
//! bytes with it, directly or through others. What conjuncts on a single byte leave of
//! its values is kept apart, and so are terms that are numbers: much is known from that
//! alone. What follows from the conjuncts is learnt without becoming one: its link is
//! searched like others, and burdens no query.

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
use index::PathIndex;

/// How deep conjunctions are looked into.
const MOST_PARTS: u32 = 64;

/// An index is made for every so many links, once a path is that much longer: what is
/// searched one by one is less than twice as many.
const STRIDE: u32 = 8;

/// A conjunct that mentions more bytes is in an index at once: who searches links looks at
/// all of their bytes.
const FEW_BYTES: usize = 4;

/// What a link takes beside itself: counts of references to it, and the allocator's own.
const BYTES_PER_LINK: usize = 24;

/// About what an index takes that the one before it has not: for each of the links between
/// them an entry or two in each of its maps, and the nodes above these.
const BYTES_PER_INDEX: usize = 4 << 10;

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

/// One conjunct, or something learnt, and those before it.
struct Link {
    below: Option<Rc<Link>>,
    /// The conjuncts up to a link further down.
    index: Option<Rc<PathIndex>>,
    /// The conjuncts up to this one, if that was ever made.
    own_index: OnceCell<Rc<PathIndex>>,
    /// Of at least the conjuncts up to here that are not in the index.
    filter: Filter,
    /// The bytes it mentions.
    support: Support,
    /// If that is one byte: what conjuncts on it alone leave of its values up to here.
    domain: ByteSet,
    /// If it says so: a term, and the number that it is.
    equal: Option<(ExprId, ExprId)>,
    conjunct: ExprId,
    number: u32,
    /// How many conjuncts there are up to here.
    conjuncts: u32,
    /// Whether it is no conjunct, but follows from those before it.
    learnt: bool,
}

/// Conjuncts and the bytes they mention, as a bit for each: what has no bit here is not
/// among them.
#[derive(Copy, Clone, Default)]
struct Filter {
    terms: u64,
    bytes: u64,
}

impl Filter {
    fn of(fact: ExprId, equal: Option<(ExprId, ExprId)>, bytes: &[InputByte]) -> Filter {
        let bytes = bytes.iter().fold(0, |bits, &byte| bits | Filter::byte(byte));
        let equal = equal.map_or(0, |(term, _)| Filter::term(term));
        Filter { terms: Filter::term(fact) | equal, bytes }
    }

    fn and(self, other: Filter) -> Filter {
        Filter { terms: self.terms | other.terms, bytes: self.bytes | other.bytes }
    }

    fn term(e: ExprId) -> u64 {
        1 << (crate::node::index(e) % 64)
    }

    fn byte(byte: InputByte) -> u64 {
        1 << ((byte.object.index() * 7 + byte.byte as usize) % 64)
    }
}

impl Link {
    /// The index to search from here.
    fn index(&self) -> Option<&Rc<PathIndex>> {
        self.own_index.get().or(self.index.as_ref())
    }

    /// An index of everything up to here.
    fn index_all(&self) -> &Rc<PathIndex> {
        self.own_index.get_or_init(|| {
            let mut index =
                self.index.as_ref().map_or_else(PathIndex::new, |index| (**index).clone());
            let links = std::iter::successors(Some(self), |link| link.below.as_deref());
            let missing: Vec<&Link> = links.take_while(|link| !index.covers(link)).collect();
            missing.into_iter().rev().for_each(|link| index.insert(link));
            Rc::new(index)
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
        self.last.as_ref().map_or(0, |last| last.conjuncts as usize)
    }

    /// Whether it is simply true.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The conjuncts in the order they were added.
    pub fn conjuncts(&self) -> impl ExactSizeIterator<Item = ExprId> + use<> {
        let conjuncts = self.links().filter(|link| !link.learnt);
        let all: Vec<ExprId> = conjuncts.map(|link| link.conjunct).collect();
        all.into_iter().rev()
    }

    /// The links, the last first.
    fn links(&self) -> impl Iterator<Item = &Link> {
        std::iter::successors(self.last.as_deref(), |link| link.below.as_deref())
    }

    /// Searches links from the last, if the filter allows, and then what the others are
    /// indexed in.
    fn search<R>(
        &self,
        may_have: impl FnOnce(Filter) -> bool,
        in_link: impl FnMut(&Link) -> Option<R>,
        in_index: impl FnOnce(&PathIndex) -> Option<R>,
    ) -> Option<R> {
        let last = self.last.as_ref()?;
        if may_have(last.filter) {
            let found = self.tail().find_map(in_link);
            if found.is_some() {
                return found;
            }
        }
        in_index(last.index()?)
    }

    /// The links that are not indexed, the last first.
    fn tail(&self) -> impl Iterator<Item = &Link> {
        let index = self.last.as_ref().and_then(|last| last.index());
        self.links().take_while(move |link| index.is_none_or(|index| !index.covers(link)))
    }

    /// Whether a term is one of the conjuncts, or was learnt from them.
    pub fn contains(&self, e: ExprId) -> bool {
        self.decided(e, e).is_some()
    }

    /// The number that a term is, if a fact says just that.
    pub fn number(&self, term: ExprId) -> Option<ExprId> {
        let bit = Filter::term(term);
        let in_link =
            |link: &Link| link.equal.and_then(|(equal, number)| (equal == term).then_some(number));
        self.search(|filter| filter.terms & bit != 0, in_link, |index| index.number(term))
    }

    /// Which of a term and its opposite is a fact.
    fn decided(&self, e: ExprId, opposite: ExprId) -> Option<bool> {
        let bits = Filter::term(e) | Filter::term(opposite);
        let in_link = |link: &Link| {
            (link.conjunct == e || link.conjunct == opposite).then(|| link.conjunct == e)
        };
        let in_index = |index: &PathIndex| match index.contains(e) {
            true => Some(true),
            false => index.contains(opposite).then_some(false),
        };
        self.search(|filter| filter.terms & bits != 0, in_link, in_index)
    }

    /// The values a byte can have, as far as conjuncts on it alone tell.
    pub fn domain(&self, byte: InputByte) -> ByteSet {
        let bit = Filter::byte(byte);
        let in_link = |link: &Link| (*link.support == [byte]).then_some(link.domain);
        let found =
            self.search(|filter| filter.bytes & bit != 0, in_link, |index| index.domain(byte));
        found.unwrap_or(ByteSet::ALL)
    }

    /// Whether any fact mentions any of these bytes.
    pub fn mentions(&self, bytes: &[InputByte]) -> bool {
        let may_have = |filter: Filter| bytes.iter().any(|&b| filter.bytes & Filter::byte(b) != 0);
        let in_link =
            |link: &Link| link.support.iter().any(|byte| bytes.contains(byte)).then_some(());
        let in_index =
            |index: &PathIndex| bytes.iter().any(|&b| index.group(b).is_some()).then_some(());
        self.search(may_have, in_link, in_index).is_some()
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
        self.take_in(pool, condition, false)
    }

    /// Takes note of a condition that the conjuncts imply: from here on it is known, but it
    /// is no conjunct.
    pub fn learn(&mut self, pool: &mut Pool, implied: ExprId) {
        self.take_in(pool, implied, true);
    }

    fn take_in(&mut self, pool: &mut Pool, condition: ExprId, learnt: bool) -> Added {
        debug_assert_eq!(pool.width(condition), 1);
        // Most conditions have one part: no list is made for them.
        if parts(pool, condition).is_none() {
            let (added, left) = self.judge(pool, condition);
            if added == Added::New {
                self.insert(pool, condition, left, learnt);
            }
            return added;
        }
        let Some(new) = self.news(pool, condition) else { return Added::False };
        if new.is_empty() {
            return Added::Known;
        }
        for e in new {
            let left = self.left_with(pool, e);
            self.insert(pool, e, left, learnt);
        }
        Added::New
    }

    /// The parts of a condition that are not known; `None` if one of them is known to be
    /// false.
    fn news(&self, pool: &mut Pool, condition: ExprId) -> Option<Vec<ExprId>> {
        let mut new = Vec::new();
        let mut stack = vec![condition];
        while let Some(e) = stack.pop() {
            if let Some([a, b]) = parts(pool, e) {
                stack.extend([b, a]);
                continue;
            }
            match self.judge(pool, e).0 {
                Added::False => return None,
                Added::New if new.contains(&pool.not(e)) => return None,
                Added::New if !new.contains(&e) => new.push(e),
                Added::New | Added::Known => {}
            }
        }
        Some(new)
    }

    /// What a condition would leave of the values of its byte, if it depends on just one.
    fn left_with(&self, pool: &mut Pool, e: ExprId) -> Option<ByteSet> {
        pool.byte_set(e).map(|(byte, set)| self.domain(byte).and(set))
    }

    /// What would become of a condition without parts, and what it would leave of its byte.
    fn judge(&self, pool: &mut Pool, e: ExprId) -> (Added, Option<ByteSet>) {
        match pool.value(e) {
            Some(0) => return (Added::False, None),
            Some(_) => return (Added::Known, None),
            None => {}
        }
        let opposite = pool.not(e);
        let decided = self.decided(e, opposite);
        if decided == Some(false) {
            return (Added::False, None);
        }
        let left = self.left_with(pool, e);
        let added = match decided {
            _ if left.is_some_and(ByteSet::is_empty) => Added::False,
            Some(_) => Added::Known,
            None => Added::New,
        };
        (added, left)
    }

    fn insert(&mut self, pool: &mut Pool, e: ExprId, left: Option<ByteSet>, learnt: bool) {
        let support = pool.support(e);
        let node = pool.node(e);
        // What is said of one byte is in its domain.
        let says_equal = node.op == Op::Eq && pool.is_constant(node.a()) && support.len() > 1;
        let equal = says_equal.then(|| (node.b(), node.a()));
        let domain = match (&*support, left) {
            (_, Some(left)) => left,
            (&[byte], None) => self.domain(byte),
            _ => ByteSet::ALL,
        };
        let number = self.last.as_ref().map_or(0, |last| last.number + 1);
        let conjuncts = self.len() as u32 + u32::from(!learnt);
        let many = support.len() > FEW_BYTES;
        let mut filter = Filter::of(e, equal, &support);
        let index = match &self.last {
            // Where others part from here too, they share it.
            Some(last) if many => Some(Rc::clone(last.index_all())),
            Some(last) if number.is_multiple_of(STRIDE) => {
                let tail = self.links().take(STRIDE as usize);
                filter = tail.fold(filter, |all, link| {
                    all.and(Filter::of(link.conjunct, link.equal, &link.support))
                });
                match self.links().nth(STRIDE as usize) {
                    Some(link) if last.index().is_none_or(|index| !index.covers(link)) => {
                        Some(Rc::clone(link.index_all()))
                    }
                    _ => last.index().cloned(),
                }
            }
            Some(last) => {
                filter = filter.and(last.filter);
                last.index().cloned()
            }
            None => None,
        };
        let (below, own_index) = (self.last.take(), OnceCell::new());
        let conjunct = e;
        let link = Link {
            below,
            index,
            own_index,
            filter,
            support,
            domain,
            equal,
            conjunct,
            number,
            conjuncts,
            learnt,
        };
        if many {
            link.index_all();
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
        if bytes.len() <= FEW_BYTES && !self.mentions(bytes) {
            return Vec::new();
        }
        let index = self.last.as_ref().and_then(|last| last.index()).map(|index| &**index);
        let mut tail: Vec<&Link> = self.tail().collect();
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

    /// About how many bytes it takes, but for what it shares with conditions that were
    /// counted before; `seen` remembers that.
    pub fn bytes(&self, seen: &mut FxHashSet<usize>) -> usize {
        let mut bytes = 0;
        let mut next = self.last.as_ref();
        while let Some(link) = next {
            // What nobody shares need not be remembered.
            if Rc::strong_count(link) > 1 && !seen.insert(Rc::as_ptr(link) as usize) {
                break;
            }
            let index = if link.own_index.get().is_some() { BYTES_PER_INDEX } else { 0 };
            bytes += size_of::<Link>() + BYTES_PER_LINK + index;
            next = link.below.as_ref();
        }
        bytes
    }

    /// Keeps the facts alive in a collection; `seen` remembers what paths share.
    pub fn mark(&self, roots: &mut Roots, seen: &mut FxHashSet<usize>) {
        let new = self.links().take_while(|&link| seen.insert(std::ptr::from_ref(link) as usize));
        new.for_each(|link| roots.keep(link.conjunct));
    }
}

/// The two conditions that one is the conjunction of, if it is one.
fn parts(pool: &mut Pool, e: ExprId) -> Option<[ExprId; 2]> {
    let node = pool.node(e);
    if node.op == Op::And {
        return Some([node.a(), node.b()]);
    }
    if node.op == Op::Not && pool.op(node.a()) == Op::Or {
        let either = pool.node(node.a());
        let b = pool.not(either.b());
        return Some([pool.not(either.a()), b]);
    }
    None
}

/// Conjuncts that belong together, as far as they were found.
#[derive(Default)]
struct Related<'a> {
    index: Option<&'a PathIndex>,
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
        let belongs = !link.learnt && link.support.iter().any(|&byte| self.has(byte));
        if belongs {
            self.found.push((link.number, link.conjunct));
            link.support.iter().for_each(|&byte| self.add_byte(byte));
        }
        belongs
    }
}
