//! Terms that depend on a single input byte, represented by their 256 values, one per value of
//! that byte. Most conditions of programs that read text are such terms; whether they can
//! hold, must hold, or which values they have is looked up, not solved.
//!
//! The values of a term are computed from the cached values of its operands.

use std::rc::Rc;

use byway_base::ExprId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::eval::Model;
use crate::memory::{MemoryVersion, VersionId};
use crate::node::Node;
use crate::op::Op;
use crate::pool::{Collected, ExprMap, Pool, Sweep};
use crate::semantics;
use crate::support::InputByte;

const LANES: usize = 256;

/// Terms that add more uncached nodes than this are not tabulated.
const MAX_NODES: usize = 4096;

/// How many terms wider than one bit are cached, at two kilobytes each, before the cache is
/// cleared.
const MAX_WORDS: usize = 1 << 14;

/// A set of byte values.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    /// All values.
    pub const ALL: ByteSet = ByteSet([u64::MAX; 4]);
    /// No value.
    pub const NONE: ByteSet = ByteSet([0; 4]);

    /// The values that satisfy a predicate.
    fn of(mut predicate: impl FnMut(usize) -> bool) -> ByteSet {
        let mut set = ByteSet::NONE;
        for value in 0..LANES {
            set.0[value / 64] |= u64::from(predicate(value)) << (value % 64);
        }
        set
    }

    fn insert(&mut self, value: usize) {
        self.0[value / 64] |= 1 << (value % 64);
    }

    /// Whether the set contains a value.
    pub fn contains(self, value: u8) -> bool {
        self.0[usize::from(value) / 64] >> (value % 64) & 1 == 1
    }

    /// Whether the set has no values.
    pub fn is_empty(self) -> bool {
        self == ByteSet::NONE
    }

    /// Intersection.
    pub fn and(self, other: ByteSet) -> ByteSet {
        self.zip(other, |a, b| a & b)
    }

    /// Difference.
    pub fn without(self, other: ByteSet) -> ByteSet {
        self.zip(other, |a, b| a & !b)
    }

    /// The values from `first` to `last`, both included.
    pub const fn between(first: u8, last: u8) -> ByteSet {
        let mut set = ByteSet::NONE;
        let mut value = first as usize;
        while value <= last as usize {
            set.0[value / 64] |= 1 << (value % 64);
            value += 1;
        }
        set
    }

    /// The values in ascending order.
    pub fn values(self) -> impl Iterator<Item = u8> {
        self.0.into_iter().zip([0, 64, 128, 192]).flat_map(|(mut bits, base)| {
            std::iter::from_fn(move || {
                let lowest = (bits != 0).then(|| base + bits.trailing_zeros() as u8);
                bits &= bits.wrapping_sub(1);
                lowest
            })
        })
    }

    fn zip(self, other: ByteSet, bits: impl Fn(u64, u64) -> u64) -> ByteSet {
        ByteSet(std::array::from_fn(|i| bits(self.0[i], other.0[i])))
    }
}

/// The values of a term, one per value of its byte.
#[derive(Clone)]
enum Lanes {
    /// For a term of one bit: the byte values that make it true.
    Bits(ByteSet),
    /// For a term of up to 64 bits.
    Words(Rc<[u64; LANES]>),
}

impl Lanes {
    fn get(&self, lane: usize) -> u64 {
        match self {
            Lanes::Bits(set) => u64::from(set.contains(lane as u8)),
            Lanes::Words(words) => words[lane],
        }
    }

    fn from_words(width: u32, word: impl Fn(usize) -> u64) -> Lanes {
        match width {
            1 => Lanes::Bits(ByteSet::of(|lane| word(lane) != 0)),
            _ => Lanes::Words(Rc::new(std::array::from_fn(word))),
        }
    }
}

/// The values computed so far; `None` for a term that is too large or contains one that is too
/// wide.
pub(crate) struct LaneCache {
    lanes: ExprMap<Option<Lanes>>,
    words: usize,
}

impl LaneCache {
    /// Empty, for a pool of this generation.
    pub fn new(generation: u32) -> LaneCache {
        LaneCache { lanes: ExprMap::of_generation(generation), words: 0 }
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        self.words * LANES * size_of::<u64>()
    }

    fn insert(&mut self, e: ExprId, lanes: Option<Lanes>) {
        self.words += usize::from(matches!(lanes, Some(Lanes::Words(_))));
        self.lanes.insert_own(e, lanes);
    }
}

impl Sweep for LaneCache {
    fn sweep(&mut self, collected: &Collected) {
        self.lanes.sweep(collected);
        self.words =
            self.lanes.values().filter(|lanes| matches!(lanes, Some(Lanes::Words(_)))).count();
    }
}

impl Pool {
    /// The single byte that a term of one bit depends on, and the values of the byte that make
    /// it true. `None` if the term depends on several bytes or is too large.
    pub fn byte_set(&mut self, term: ExprId) -> Option<(InputByte, ByteSet)> {
        match self.lanes_of(term)? {
            (byte, Lanes::Bits(set)) => Some((byte, set)),
            _ => None,
        }
    }

    /// Whether a term of one bit holds under a model, if its [`Pool::byte_set`] is cached.
    pub fn holds_by_byte(&self, term: ExprId, model: &Model) -> Option<bool> {
        let Some(Lanes::Bits(set)) = self.lanes.lanes.get(self, term)? else { return None };
        let [byte] = **self.supports.get(self, term)? else { return None };
        Some(set.contains(model.byte(byte)))
    }

    /// The value of a term that depends on one byte, if it is the same for all values in the
    /// byte's domain.
    pub fn value_within(
        &mut self,
        term: ExprId,
        domain: impl FnOnce(InputByte) -> ByteSet,
    ) -> Option<u64> {
        let (byte, lanes) = self.lanes_of(term)?;
        let mut values = domain(byte).values().map(|value| lanes.get(usize::from(value)));
        let first = values.next()?;
        values.all(|value| value == first).then_some(first)
    }

    fn lanes_of(&mut self, term: ExprId) -> Option<(InputByte, Lanes)> {
        let [byte] = *self.support(term) else { return None };
        if let Some(known) = self.lanes.lanes.get(self, term) {
            return known.clone().map(|lanes| (byte, lanes));
        }
        if self.lanes.words > MAX_WORDS {
            self.lanes = LaneCache::new(self.generation());
        }
        let order = self.uncached(term);
        let all_known = order.is_some_and(|order| order.into_iter().all(|e| self.compute_lanes(e)));
        match all_known {
            true => self.lanes.lanes.get(self, term)?.clone().map(|lanes| (byte, lanes)),
            false => {
                self.lanes.insert(term, None);
                None
            }
        }
    }

    /// The nodes of a term without cached values, operands first; `None` if there are too
    /// many.
    fn uncached(&self, term: ExprId) -> Option<Vec<ExprId>> {
        let mut order = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![(term, false)];
        while let Some((e, operands_done)) = stack.pop() {
            if operands_done {
                order.push(e);
                continue;
            }
            if self.op(e) == Op::Const || !seen.insert(e) || self.lanes.lanes.contains(self, e) {
                continue;
            }
            if seen.len() > MAX_NODES {
                return None;
            }
            let node = self.node(e);
            stack.push((e, true));
            if node.op == Op::Read {
                let version = VersionId::from_word(node.extra());
                self.each_in_version(version, |inner| stack.push((inner, false)));
            }
            stack.extend(node.operands().map(|operand| (operand, false)));
        }
        Some(order)
    }

    /// Computes the values of a node from those of its operands; returns whether it could.
    fn compute_lanes(&mut self, e: ExprId) -> bool {
        let node = self.node(e);
        let lanes = match node.op {
            _ if node.width > 64 => None,
            Op::Input => Some(Lanes::from_words(8, |lane| lane as u64)),
            Op::Read => self.read_lanes(&node),
            _ => self.operation_lanes(&node),
        };
        let known = lanes.is_some();
        self.lanes.insert(e, lanes);
        known
    }

    /// The values of an operand; a constant has the same value in every lane.
    fn operand(&self, e: ExprId) -> Option<Lanes> {
        match (self.op(e), self.value(e)) {
            (Op::Const, Some(value)) => {
                let word = u64::try_from(value).ok()?;
                Some(Lanes::from_words(self.width(e), |_| word))
            }
            _ => self.lanes.lanes.get(self, e)?.clone(),
        }
    }

    fn operation_lanes(&self, node: &Node) -> Option<Lanes> {
        let operands: Vec<Lanes> =
            node.operands().map(|e| self.operand(e)).collect::<Option<_>>()?;
        if let Some(set) = boolean_lanes(node.op, &operands) {
            return Some(Lanes::Bits(set));
        }
        let mut widths = [0; 2];
        for (width, operand) in widths.iter_mut().zip(node.operands()) {
            *width = self.width(operand);
        }
        Some(Lanes::from_words(node.width(), |lane| {
            let mut values = [0; 3];
            for (value, operand) in values.iter_mut().zip(&operands) {
                *value = u128::from(operand.get(lane));
            }
            match node.op {
                Op::Ite if values[0] != 0 => values[1] as u64,
                Op::Ite => values[2] as u64,
                _ => semantics::apply(node, values, widths) as u64,
            }
        }))
    }

    /// The value of the newest write to the index, or the byte of the base. A write to a constant
    /// index costs a look-up, however many lanes are left: tables are filled by loops.
    fn read_lanes(&self, node: &Node) -> Option<Lanes> {
        let mut lanes = UnwrittenLanes::new(self.operand(node.a())?);
        let mut words = [0; LANES];
        let mut at = VersionId::from_word(node.extra());
        let base = loop {
            match self.version(at) {
                MemoryVersion::Write { index, value, previous } => {
                    let written = match self.value(*index) {
                        Some(index) => lanes.take(u64::try_from(index).ok()?),
                        None => lanes.take_equal(self.lanes.lanes.get(self, *index)?.as_ref()?),
                    };
                    self.set_lanes(&mut words, written, *value)?;
                    if lanes.left.is_empty() {
                        return Some(Lanes::Words(Rc::new(words)));
                    }
                    at = *previous;
                }
                MemoryVersion::Base(base) => break base,
                MemoryVersion::Dead => return None,
            }
        };
        for (&offset, readers) in &lanes.readers {
            let unwritten = readers.and(lanes.left);
            match base.symbolic_at(offset) {
                Some(byte) => self.set_lanes(&mut words, unwritten, byte)?,
                None => set_words(&mut words, unwritten, |_| u64::from(base.concrete_at(offset))),
            }
        }
        Some(Lanes::Words(Rc::new(words)))
    }

    /// Sets some lanes to the values of an operand.
    fn set_lanes(&self, words: &mut [u64; LANES], lanes: ByteSet, e: ExprId) -> Option<()> {
        if lanes.is_empty() {
            return Some(());
        }
        match self.value(e) {
            Some(value) => {
                let word = u64::try_from(value).ok()?;
                set_words(words, lanes, |_| word);
            }
            None => {
                let values = self.lanes.lanes.get(self, e)?.as_ref()?;
                set_words(words, lanes, |lane| values.get(lane));
            }
        }
        Some(())
    }
}

fn set_words(words: &mut [u64; LANES], lanes: ByteSet, word: impl Fn(usize) -> u64) {
    for lane in lanes.values().map(usize::from) {
        words[lane] = word(lane);
    }
}

/// The lanes of a read for which no write was found yet.
struct UnwrittenLanes {
    left: ByteSet,
    /// The index that each lane reads.
    index: Lanes,
    /// The lanes that read each index.
    readers: FxHashMap<u64, ByteSet>,
}

impl UnwrittenLanes {
    fn new(index: Lanes) -> UnwrittenLanes {
        let mut readers: FxHashMap<u64, ByteSet> = FxHashMap::default();
        for lane in 0..LANES {
            readers.entry(index.get(lane)).or_default().insert(lane);
        }
        UnwrittenLanes { left: ByteSet::ALL, index, readers }
    }

    /// Takes the lanes that read this index.
    fn take(&mut self, index: u64) -> ByteSet {
        let readers = self.readers.get(&index).copied().unwrap_or_default();
        self.take_all(readers)
    }

    /// Takes the lanes that read the index that is written in them.
    fn take_equal(&mut self, written: &Lanes) -> ByteSet {
        self.take_all(ByteSet::of(|lane| written.get(lane) == self.index.get(lane)))
    }

    fn take_all(&mut self, lanes: ByteSet) -> ByteSet {
        let taken = lanes.and(self.left);
        self.left = self.left.without(taken);
        taken
    }
}

/// Boolean operations on all lanes at once.
fn boolean_lanes(op: Op, operands: &[Lanes]) -> Option<ByteSet> {
    Some(match (op, operands) {
        (Op::Not, [Lanes::Bits(a)]) => ByteSet::ALL.without(*a),
        (Op::And, [Lanes::Bits(a), Lanes::Bits(b)]) => a.and(*b),
        (Op::Or, [Lanes::Bits(a), Lanes::Bits(b)]) => a.zip(*b, |a, b| a | b),
        (Op::Xor, [Lanes::Bits(a), Lanes::Bits(b)]) => a.zip(*b, |a, b| a ^ b),
        (Op::Ite, [Lanes::Bits(c), Lanes::Bits(a), Lanes::Bits(b)]) => {
            c.and(*a).zip(b.without(*c), |a, b| a | b)
        }
        _ => return None,
    })
}
