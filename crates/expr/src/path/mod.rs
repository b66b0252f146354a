//! The path condition: the conjunction of a path's constraints.
//!
//! It is persistent: a chain of links, each of which adds a conjunct. A clone is one pointer,
//! and a forked state shares all but the links that it adds, of a hundred bytes each. A search
//! visits the last few links one by one, unless a filter excludes them; the others are in a
//! [`PathIndex`] that belongs to an earlier link, so that all paths that fork later share it.
//! Searches are therefore fast on long paths, and the large index is built once for many paths.
//!
//! A query needs only the conjuncts that share input bytes with it, directly or through
//! others. The domains of single bytes and the terms that equal a constant are recorded
//! separately; they decide many conditions by themselves. A condition that the conjuncts imply
//! can be learnt: it is found like a conjunct, but is not part of any query.
//!
//! Conjuncts and learnt conditions together are the *facts* of the path.

mod index;

use std::cell::OnceCell;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

use byway_base::ExprId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lanes::ByteSet;
use crate::op::Op;
use crate::pool::{Pool, Roots};
use crate::support::{InputByte, Support};
use index::PathIndex;

/// The highest depth to which conjunctions are decomposed when they are decided.
const MAX_DEPTH: u32 = 64;

/// An index is built at every link whose number is a multiple of this, when the path is that
/// much longer: fewer than twice as many links are searched one by one.
const INDEX_STRIDE: u32 = 8;

/// A conjunct that mentions more bytes is indexed at once, because a search visits all bytes
/// of the links.
const MAX_UNINDEXED_BYTES: usize = 4;

/// Memory of a link besides its fields: reference counts and the allocator's overhead.
const BYTES_PER_LINK: usize = 24;

/// The approximate memory that an index adds to the previous one: for each link between them
/// an entry or two in each map, and the inner nodes above these.
const BYTES_PER_INDEX: usize = 4 << 10;

/// The effect of adding a condition.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Added {
    /// At least one new conjunct was added.
    New,
    /// The condition was implied by facts, or is constant true.
    Known,
    /// The condition contradicts the path, and was not added.
    False,
}

/// A fact and the chain before it.
struct Link {
    previous: Option<Rc<Link>>,
    /// The facts up to an earlier link.
    index: Option<Rc<PathIndex>>,
    /// The facts up to this one, if that index was ever built.
    own_index: OnceCell<Rc<PathIndex>>,
    /// Covers at least the facts up to here that are not in the index.
    filter: Filter,
    /// The bytes that the fact mentions.
    support: Support,
    /// If that is one byte: its domain under the facts on it alone, up to here.
    domain: ByteSet,
    /// If the fact is such an equality: a term and the constant that it equals.
    equal: Option<(ExprId, ExprId)>,
    conjunct: ExprId,
    number: u32,
    /// The number of conjuncts up to here.
    conjuncts: u32,
    /// The fact is no conjunct, but implied by those before it.
    learnt: bool,
}

/// A Bloom filter of facts and of the bytes that they mention.
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

    fn union(self, other: Filter) -> Filter {
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

    /// The index of all facts up to here.
    fn index_all(&self) -> &Rc<PathIndex> {
        self.own_index.get_or_init(|| {
            let mut index =
                self.index.as_ref().map_or_else(PathIndex::new, |index| (**index).clone());
            let links = std::iter::successors(Some(self), |link| link.previous.as_deref());
            let missing: Vec<&Link> = links.take_while(|link| !index.covers(link)).collect();
            missing.into_iter().rev().for_each(|link| index.insert(link));
            Rc::new(index)
        })
    }
}

/// Iterative, because recursion would overflow the stack on a long path.
impl Drop for Link {
    fn drop(&mut self) {
        let mut previous = self.previous.take();
        while let Some(mut link) = previous.and_then(Rc::into_inner) {
            previous = link.previous.take();
        }
    }
}

/// A conjunction of conditions. Cheap to clone.
#[derive(Clone, Default)]
pub struct PathCondition {
    last: Option<Rc<Link>>,
}

/// Which beginnings of path conditions hold under one model. The paths outlive it, so that no link
/// is mistaken for another one at its address.
#[derive(Default)]
pub struct KnownPrefixes<'p> {
    links: FxHashMap<*const Link, bool>,
    paths: PhantomData<&'p Link>,
}

impl fmt::Debug for PathCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.conjuncts()).finish()
    }
}

impl PathCondition {
    /// The empty conjunction, which is true.
    pub fn new() -> PathCondition {
        PathCondition::default()
    }

    /// The number of conjuncts.
    pub fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |last| last.conjuncts as usize)
    }

    /// Whether there are no conjuncts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The conjuncts, in the order in which they were added.
    pub fn conjuncts(&self) -> impl ExactSizeIterator<Item = ExprId> + use<> {
        let conjuncts = self.links().filter(|link| !link.learnt);
        let all: Vec<ExprId> = conjuncts.map(|link| link.conjunct).collect();
        all.into_iter().rev()
    }

    /// Whether all conjuncts hold, as `holds` says of each. What is known of the beginnings of paths
    /// is looked up in `known`, and added: over many paths of one exploration, each conjunct is
    /// asked about once.
    pub fn holds_with<'p>(
        &'p self,
        known: &mut KnownPrefixes<'p>,
        mut holds: impl FnMut(ExprId) -> bool,
    ) -> bool {
        let mut open: Vec<&Link> = Vec::new();
        let mut truth = true;
        for link in self.links() {
            if let Some(&known) = known.links.get(&std::ptr::from_ref(link)) {
                truth = known;
                break;
            }
            open.push(link);
        }
        for link in open.into_iter().rev() {
            truth = truth && (link.learnt || holds(link.conjunct));
            known.links.insert(link, truth);
        }
        truth
    }

    /// The links, last first.
    fn links(&self) -> impl Iterator<Item = &Link> {
        std::iter::successors(self.last.as_deref(), |link| link.previous.as_deref())
    }

    /// Searches the links that are not indexed, last first, if the filter admits a match, and
    /// then the index.
    fn search<R>(
        &self,
        may_match: impl FnOnce(Filter) -> bool,
        in_link: impl FnMut(&Link) -> Option<R>,
        in_index: impl FnOnce(&PathIndex) -> Option<R>,
    ) -> Option<R> {
        let last = self.last.as_ref()?;
        if may_match(last.filter) {
            let found = self.tail().find_map(in_link);
            if found.is_some() {
                return found;
            }
        }
        in_index(last.index()?)
    }

    /// The links that are not indexed, last first.
    fn tail(&self) -> impl Iterator<Item = &Link> {
        let index = self.last.as_ref().and_then(|last| last.index());
        self.links().take_while(move |link| index.is_none_or(|index| !index.covers(link)))
    }

    /// Whether a term is a fact.
    pub fn contains(&self, e: ExprId) -> bool {
        self.decided(e, e).is_some()
    }

    /// The constant that a fact states a term to be equal to.
    pub(crate) fn constant_of(&self, term: ExprId) -> Option<ExprId> {
        let bit = Filter::term(term);
        let in_link =
            |link: &Link| link.equal.and_then(|(equal, number)| (equal == term).then_some(number));
        self.search(|filter| filter.terms & bit != 0, in_link, |index| index.constant_of(term))
    }

    /// Whether a term, or its negation, is a fact.
    fn decided(&self, e: ExprId, negation: ExprId) -> Option<bool> {
        let bits = Filter::term(e) | Filter::term(negation);
        let in_link = |link: &Link| {
            (link.conjunct == e || link.conjunct == negation).then(|| link.conjunct == e)
        };
        let in_index = |index: &PathIndex| match index.contains(e) {
            true => Some(true),
            false => index.contains(negation).then_some(false),
        };
        self.search(|filter| filter.terms & bits != 0, in_link, in_index)
    }

    /// The domain of a byte, from facts on it alone.
    pub fn domain(&self, byte: InputByte) -> ByteSet {
        let bit = Filter::byte(byte);
        let in_link = |link: &Link| (*link.support == [byte]).then_some(link.domain);
        let found =
            self.search(|filter| filter.bytes & bit != 0, in_link, |index| index.domain(byte));
        found.unwrap_or(ByteSet::ALL)
    }

    /// Whether any fact mentions any of these bytes.
    pub fn mentions(&self, bytes: &[InputByte]) -> bool {
        let may_match = |filter: Filter| bytes.iter().any(|&b| filter.bytes & Filter::byte(b) != 0);
        let in_link =
            |link: &Link| link.support.iter().any(|byte| bytes.contains(byte)).then_some(());
        let in_index =
            |index: &PathIndex| bytes.iter().any(|&b| index.group(b).is_some()).then_some(());
        self.search(may_match, in_link, in_index).is_some()
    }

    /// The value of a term of one bit, if facts and the domains of single bytes determine it.
    pub fn decide(&self, pool: &mut Pool, term: ExprId) -> Option<bool> {
        self.decide_to_depth(pool, term, MAX_DEPTH)
    }

    fn decide_to_depth(&self, pool: &mut Pool, term: ExprId, depth: u32) -> Option<bool> {
        if let Some(value) = pool.value(term) {
            return Some(value != 0);
        }
        let negation = pool.not(term);
        let decided = self.decided(term, negation);
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
        // Conjunctions were split when they were added.
        let (both, yes) = if pool.op(term) == Op::And { (term, true) } else { (negation, false) };
        let node = pool.node(both);
        let depth = depth.checked_sub(1)?;
        if node.op != Op::And {
            return None;
        }
        let a = self.decide_to_depth(pool, node.a(), depth);
        if a == Some(false) {
            return Some(!yes);
        }
        match (a, self.decide_to_depth(pool, node.b(), depth)) {
            (_, Some(false)) => Some(!yes),
            (Some(true), Some(true)) => Some(yes),
            _ => None,
        }
    }

    /// Adds a condition; a conjunction is split.
    pub fn add(&mut self, pool: &mut Pool, condition: ExprId) -> Added {
        self.add_fact(pool, condition, false)
    }

    /// Records a condition that the conjuncts imply: it becomes a fact, but no conjunct.
    pub fn learn(&mut self, pool: &mut Pool, implied: ExprId) {
        self.add_fact(pool, implied, true);
    }

    fn add_fact(&mut self, pool: &mut Pool, condition: ExprId, learnt: bool) -> Added {
        debug_assert_eq!(pool.width(condition), 1);
        // Most conditions are no conjunctions and need no list.
        if conjunction_operands(pool, condition).is_none() {
            let (added, domain) = self.classify(pool, condition);
            if added == Added::New {
                self.insert(pool, condition, domain, learnt);
            }
            return added;
        }
        let Some(new) = self.new_parts(pool, condition) else { return Added::False };
        if new.is_empty() {
            return Added::Known;
        }
        for e in new {
            let domain = self.domain_with(pool, e);
            self.insert(pool, e, domain, learnt);
        }
        Added::New
    }

    /// The parts of a condition that are not facts; `None` if one of them contradicts a fact.
    fn new_parts(&self, pool: &mut Pool, condition: ExprId) -> Option<Vec<ExprId>> {
        let mut new = Vec::new();
        // Thousands, if the condition is the default of a large switch.
        let mut known = FxHashSet::default();
        let mut stack = vec![condition];
        while let Some(e) = stack.pop() {
            if let Some([a, b]) = conjunction_operands(pool, e) {
                stack.extend([b, a]);
                continue;
            }
            match self.classify(pool, e).0 {
                Added::False => return None,
                Added::New if known.contains(&pool.not(e)) => return None,
                Added::New if known.insert(e) => new.push(e),
                Added::New | Added::Known => {}
            }
        }
        Some(new)
    }

    /// The domain of a condition's byte with the condition added, if it depends on one byte.
    fn domain_with(&self, pool: &mut Pool, e: ExprId) -> Option<ByteSet> {
        pool.byte_set(e).map(|(byte, set)| self.domain(byte).and(set))
    }

    /// The effect of adding a condition that is no conjunction, and its [`Self::domain_with`].
    fn classify(&self, pool: &mut Pool, e: ExprId) -> (Added, Option<ByteSet>) {
        match pool.value(e) {
            Some(0) => return (Added::False, None),
            Some(_) => return (Added::Known, None),
            None => {}
        }
        let negation = pool.not(e);
        let decided = self.decided(e, negation);
        if decided == Some(false) {
            return (Added::False, None);
        }
        let domain = self.domain_with(pool, e);
        let added = match decided {
            _ if domain.is_some_and(ByteSet::is_empty) => Added::False,
            Some(_) => Added::Known,
            None => Added::New,
        };
        (added, domain)
    }

    fn insert(&mut self, pool: &mut Pool, e: ExprId, domain: Option<ByteSet>, learnt: bool) {
        let support = pool.support(e);
        let node = pool.node(e);
        // An equality on one byte is in its domain.
        let is_equality = node.op == Op::Eq && pool.is_constant(node.a()) && support.len() > 1;
        let equal = is_equality.then(|| (node.b(), node.a()));
        let domain = match (&*support, domain) {
            (_, Some(domain)) => domain,
            (&[byte], None) => self.domain(byte),
            _ => ByteSet::ALL,
        };
        let number = self.last.as_ref().map_or(0, |last| last.number + 1);
        let conjuncts = self.len() as u32 + u32::from(!learnt);
        let wide = support.len() > MAX_UNINDEXED_BYTES;
        let mut filter = Filter::of(e, equal, &support);
        let index = match &self.last {
            // Paths that fork off at the last link share its index.
            Some(last) if wide => Some(Rc::clone(last.index_all())),
            Some(last) if number.is_multiple_of(INDEX_STRIDE) => {
                let tail = self.links().take(INDEX_STRIDE as usize);
                filter = tail.fold(filter, |all, link| {
                    all.union(Filter::of(link.conjunct, link.equal, &link.support))
                });
                match self.links().nth(INDEX_STRIDE as usize) {
                    Some(link) if last.index().is_none_or(|index| !index.covers(link)) => {
                        Some(Rc::clone(link.index_all()))
                    }
                    _ => last.index().cloned(),
                }
            }
            Some(last) => {
                filter = filter.union(last.filter);
                last.index().cloned()
            }
            None => None,
        };
        let (previous, own_index) = (self.last.take(), OnceCell::new());
        let conjunct = e;
        let link = Link {
            previous,
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
        if wide {
            link.index_all();
        }
        self.last = Some(Rc::new(link));
    }

    /// The conjuncts that share input bytes with a term, directly or through others, in the
    /// order in which they were added.
    pub fn related(&self, pool: &mut Pool, term: ExprId) -> Vec<ExprId> {
        let bytes = pool.support(term);
        self.related_to(&bytes)
    }

    /// The conjuncts that share these input bytes, directly or through others, in the order in
    /// which they were added.
    pub(crate) fn related_to(&self, bytes: &[InputByte]) -> Vec<ExprId> {
        if bytes.len() <= MAX_UNINDEXED_BYTES && !self.mentions(bytes) {
            return Vec::new();
        }
        let index = self.last.as_ref().and_then(|last| last.index()).map(|index| &**index);
        let mut tail: Vec<&Link> = self.tail().collect();
        tail.reverse();
        let mut related = RelatedConjuncts { index, ..RelatedConjuncts::default() };
        bytes.iter().for_each(|&byte| related.add_byte(byte));
        loop {
            let before = tail.len();
            tail.retain(|link| !related.add_if_related(link));
            if tail.len() == before {
                break;
            }
        }
        related.found.sort_unstable_by_key(|&(number, _)| number);
        related.found.into_iter().map(|(_, conjunct)| conjunct).collect()
    }

    /// Approximate memory in bytes, excluding links in `seen`; adds shared links to it.
    pub fn bytes(&self, seen: &mut FxHashSet<usize>) -> usize {
        let mut bytes = 0;
        let mut next = self.last.as_ref();
        while let Some(link) = next {
            // An unshared link cannot be visited twice.
            if Rc::strong_count(link) > 1 && !seen.insert(Rc::as_ptr(link) as usize) {
                break;
            }
            let index = if link.own_index.get().is_some() { BYTES_PER_INDEX } else { 0 };
            bytes += size_of::<Link>() + BYTES_PER_LINK + index;
            next = link.previous.as_ref();
        }
        bytes
    }

    /// Marks the facts as roots of a collection, except links in `seen`; adds links to it.
    pub fn mark(&self, roots: &mut Roots, seen: &mut FxHashSet<usize>) {
        let new = self.links().take_while(|&link| seen.insert(std::ptr::from_ref(link) as usize));
        new.for_each(|link| roots.keep(link.conjunct));
    }
}

/// The two operands of a conjunction.
fn conjunction_operands(pool: &mut Pool, e: ExprId) -> Option<[ExprId; 2]> {
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

/// The transitive closure of conjuncts that share bytes.
#[derive(Default)]
struct RelatedConjuncts<'a> {
    index: Option<&'a PathIndex>,
    bytes: FxHashSet<InputByte>,
    /// The representatives of the index's groups in it, and whether any has has_wide_group bytes.
    groups: FxHashSet<InputByte>,
    has_wide_group: bool,
    /// With the numbers of their links, in no particular order.
    found: Vec<(u32, ExprId)>,
}

impl RelatedConjuncts<'_> {
    /// Adds a byte and its group.
    fn add_byte(&mut self, byte: InputByte) {
        if !self.bytes.insert(byte) {
            return;
        }
        if let Some(index) = self.index
            && let Some((root, group)) = index.group(byte)
            && self.groups.insert(root)
        {
            self.has_wide_group |= group.bytes > 1;
            self.found.extend(index.members(group));
        }
    }

    /// Whether the closure contains a byte.
    fn contains(&self, byte: InputByte) -> bool {
        let group = || self.index?.group(byte).map(|(root, _)| root);
        self.bytes.contains(&byte)
            || self.has_wide_group && group().is_some_and(|root| self.groups.contains(&root))
    }

    /// Adds a link, if it shares a byte; returns whether it does.
    fn add_if_related(&mut self, link: &Link) -> bool {
        let belongs = !link.learnt && link.support.iter().any(|&byte| self.contains(byte));
        if belongs {
            self.found.push((link.number, link.conjunct));
            link.support.iter().for_each(|&byte| self.add_byte(byte));
        }
        belongs
    }
}
