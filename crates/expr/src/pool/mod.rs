//! The pool, which owns all terms of a worker.
//!
//! A worker has one pool, without locks. A term is a 32-bit id. Terms are hash-consed: every
//! new node is looked up in a hash table with a full comparison, so that equal terms have the
//! same id. The hash is *structural*: it depends on operators, constants and input names,
//! never on ids. It also orders the operands of commutative operators, so that a program
//! yields the same terms whatever was built or collected before.
//!
//! Terms are simplified when they are built (see [`crate::simplify`]), so a node found in the
//! table cannot be simplified further.

mod collect;
mod constant;
mod order;
mod simplify_cache;
mod walk;

pub use collect::{Collected, ExprMap, Roots, Sweep};
pub(crate) use collect::{compact, is_mostly_unused, shrink_table};
pub(crate) use order::mix;
pub use walk::WalkScope;

use std::rc::Rc;

use byway_base::ExprId;
use hashbrown::HashTable;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use crate::known::KnownBits;
use crate::lanes::LaneCache;
use crate::memory::Versions;
use crate::node::{FormatTag, Node, id, index};
use crate::op::Op;
use crate::simplify::{self, RuleCounters};
use crate::support::{InputByte, Support};

/// The id of a symbolic input object: an argument, a file, a variable made symbolic; or of an
/// undefined object, whose bytes no input determines ([`Pool::undefined`]).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InputId(pub(crate) u32);

/// Set in the ids of undefined objects, so that they follow all inputs in a sorted support.
const UNDEFINED: u32 = 1 << 31;

impl InputId {
    /// Its index in the pool, from zero. Undefined objects have indices of their own, above all
    /// others.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether no input determines its bytes.
    pub fn is_undefined(self) -> bool {
        self.0 & UNDEFINED != 0
    }
}

/// A symbolic input object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct InputObject {
    /// Unique together with the size.
    pub name: Rc<str>,
    /// The number of bytes.
    pub size: u32,
}

/// Memory of a term in evaluators: a stamp and a value, in the engine's scratch memory and in
/// the solver's.
const EVALUATOR_BYTES_PER_TERM: usize = 2 * (4 + 16);

/// Memory of a term's support, if it has a few bytes.
const BYTES_PER_SUPPORT: usize = 96;

/// The growth of a table with fewer terms than this is not accounted for.
const MIN_ACCOUNTED_GROWTH: usize = 1 << 16;

/// A term: its node and the attributes that are always needed with it.
pub(crate) struct TermSlot {
    node: Node,
    hash: u64,
    known: KnownBits,
}

/// All terms of one worker.
pub struct Pool {
    slots: Vec<TermSlot>,
    table: HashTable<u32>,
    free: Vec<u32>,
    wide: constant::WideConstants,
    inputs: Vec<InputObject>,
    input_ids: FxHashMap<InputObject, InputId>,
    undefined: Vec<InputObject>,
    undefined_ids: FxHashMap<InputObject, InputId>,
    pub(crate) versions: Versions,
    pub(crate) supports: ExprMap<Support>,
    pub(crate) lanes: LaneCache,
    pub(crate) counters: RuleCounters,
    simplified: simplify_cache::SimplifyCache,
    generation: u32,
    raw: bool,
    /// Reads are not expanded while the pool is larger, in bytes.
    expansion_limit: usize,
}

impl Default for Pool {
    fn default() -> Pool {
        Pool::new()
    }
}

impl Pool {
    /// An empty pool.
    pub fn new() -> Pool {
        let unused = TermSlot {
            node: Node { op: Op::Dead, format: FormatTag::None, width: 0, args: [0; 3] },
            hash: 0,
            known: KnownBits::UNKNOWN,
        };
        Pool {
            slots: vec![unused],
            table: HashTable::new(),
            free: Vec::new(),
            wide: constant::WideConstants::default(),
            inputs: Vec::new(),
            input_ids: FxHashMap::default(),
            undefined: Vec::new(),
            undefined_ids: FxHashMap::default(),
            versions: Versions::default(),
            supports: ExprMap::of_generation(0),
            lanes: LaneCache::new(0),
            counters: RuleCounters::default(),
            simplified: simplify_cache::SimplifyCache::default(),
            generation: 0,
            raw: false,
            expansion_limit: usize::MAX,
        }
    }

    /// A pool that does not simplify. Tests compare the rules and the simplifier with its terms.
    pub fn raw() -> Pool {
        Pool { raw: true, ..Pool::new() }
    }

    /// The number of terms that are not collected.
    pub fn len(&self) -> usize {
        self.slots.len() - 1 - self.free.len()
    }

    /// Whether the pool has no terms.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One more than the largest id: the size of a table indexed by id.
    pub fn id_bound(&self) -> usize {
        self.slots.len()
    }

    /// Memory of the terms in bytes, including that in evaluators. Free slots do not count,
    /// since new terms reuse them. If the next term would make the table grow, the space for
    /// copying it counts already.
    pub fn bytes(&self) -> usize {
        self.len() * (size_of::<TermSlot>() + EVALUATOR_BYTES_PER_TERM)
            + self.growth_bytes()
            + self.table.allocation_size()
            + self.free.capacity() * size_of::<u32>()
            + self.supports.len() * BYTES_PER_SUPPORT
            + self.versions.bytes()
            + self.lanes.bytes()
    }

    /// Sets the size in bytes up to which reads are expanded. Selections of one query can take more
    /// memory than all states.
    pub fn limit_expansions(&mut self, bytes: usize) {
        self.expansion_limit = bytes;
    }

    /// Whether the pool is too large to expand reads.
    pub fn is_too_large_to_expand(&self) -> bool {
        self.bytes() > self.expansion_limit
    }

    /// Bytes that the pool is about to allocate: its slots move when they are full.
    pub fn growth_bytes(&self) -> usize {
        let full = self.free.is_empty() && self.slots.len() > self.slots.capacity() / 8 * 7;
        match full && self.slots.len() > MIN_ACCOUNTED_GROWTH {
            true => self.slots.len() * size_of::<TermSlot>(),
            false => 0,
        }
    }

    /// The number of collections; a table of another generation is stale.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// The input object of this name and size, created on first use.
    pub fn input(&mut self, name: &str, size: u32) -> InputId {
        let object = InputObject { name: name.into(), size };
        if let Some(&known) = self.input_ids.get(&object) {
            return known;
        }
        let new = InputId(self.inputs.len() as u32);
        self.inputs.push(object.clone());
        self.input_ids.insert(object, new);
        new
    }

    /// The undefined object of this name and size, created on first use. Its bytes stand for
    /// values that nothing set; [`Pool::definedness`] tells where they matter.
    pub fn undefined(&mut self, name: &str, size: u32) -> InputId {
        let object = InputObject { name: name.into(), size };
        if let Some(&known) = self.undefined_ids.get(&object) {
            return known;
        }
        let new = InputId(UNDEFINED | self.undefined.len() as u32);
        self.undefined.push(object.clone());
        self.undefined_ids.insert(object, new);
        new
    }

    /// Whether any undefined object was created.
    #[inline]
    pub(crate) fn has_undefined(&self) -> bool {
        !self.undefined.is_empty()
    }

    /// The name and size of an input object.
    pub fn input_object(&self, input: InputId) -> &InputObject {
        match input.is_undefined() {
            false => &self.inputs[input.index()],
            true => &self.undefined[(input.0 & !UNDEFINED) as usize],
        }
    }

    /// All input objects, in the order of their creation.
    pub fn input_objects(&self) -> impl ExactSizeIterator<Item = (InputId, &InputObject)> {
        self.inputs.iter().enumerate().map(|(i, object)| (InputId(i as u32), object))
    }

    /// A byte of the symbolic input.
    pub fn input_byte(&mut self, object: InputId, byte: u32) -> ExprId {
        debug_assert!(byte < self.input_object(object).size);
        self.make(Node {
            op: Op::Input,
            format: FormatTag::None,
            width: 8,
            args: [object.0, byte, 0],
        })
    }

    /// The node of a term.
    #[inline(always)]
    pub fn node(&self, e: ExprId) -> Node {
        let node = self.slots[index(e)].node;
        debug_assert!(node.op != Op::Dead, "{e:?} was collected");
        node
    }

    /// The operator of a term.
    #[inline(always)]
    pub fn op(&self, e: ExprId) -> Op {
        self.node(e).op
    }

    /// The width of a term.
    #[inline(always)]
    pub fn width(&self, e: ExprId) -> u32 {
        self.node(e).width()
    }

    /// The input byte, if the term is one.
    pub fn as_input(&self, e: ExprId) -> Option<InputByte> {
        let node = self.node(e);
        (node.op == Op::Input)
            .then(|| InputByte { object: InputId(node.args[0]), byte: node.args[1] })
    }

    /// The bits of a term that are the same for all inputs.
    #[inline]
    pub fn known(&self, e: ExprId) -> KnownBits {
        self.slots[index(e)].known
    }

    /// A hash of a term's structure, which depends neither on ids nor on other terms.
    pub fn structural_hash_of(&self, e: ExprId) -> u64 {
        self.hash_of(e)
    }

    pub(crate) fn hash_of(&self, e: ExprId) -> u64 {
        self.slots[index(e)].hash
    }

    pub(crate) fn is_raw(&self) -> bool {
        self.raw
    }

    /// The term of a node: an existing one, the result of a rule, or a new one.
    pub(crate) fn make(&mut self, mut node: Node) -> ExprId {
        if node.op.commutes() && !self.raw && self.in_order(node.b(), node.a()) {
            node.args.swap(0, 1);
        }
        let hash = self.structural_hash(&node);
        if let Some(found) = self.find(&node, hash) {
            return found;
        }
        if self.raw {
            let known = KnownBits::of_node(self, &node);
            return self.insert(node, hash, known);
        }
        if let Some(simpler) = self.simplified.get(&node, hash) {
            return simpler;
        }
        match self.simplify(node) {
            Ok(simpler) => {
                self.simplified.set(node, hash, simpler);
                simpler
            }
            Err(known) => self.insert(node, hash, known),
        }
    }

    /// The result of a rule, or the node's known bits if no rule applies.
    fn simplify(&mut self, node: Node) -> Result<ExprId, KnownBits> {
        if let Some(simpler) = simplify::apply(self, node) {
            return Ok(simpler);
        }
        let known = KnownBits::of_node(self, &node);
        match known.constant(node.width()) {
            Some(value) if node.op != Op::Const => {
                self.counters.known_constant += 1;
                Ok(self.constant(node.width(), u128::from(value)))
            }
            _ => Err(known),
        }
    }

    #[inline]
    fn find(&self, node: &Node, hash: u64) -> Option<ExprId> {
        let same = |&slot: &u32| self.slots[slot as usize].node == *node;
        self.table.find(hash, same).map(|&slot| id(slot))
    }

    fn insert(&mut self, node: Node, hash: u64, known: KnownBits) -> ExprId {
        let slot = TermSlot { node, hash, known };
        let index = match self.free.pop() {
            Some(index) => {
                self.slots[index as usize] = slot;
                index
            }
            None => {
                let index = u32::try_from(self.slots.len()).expect("fewer than 2^32 terms");
                self.slots.push(slot);
                index
            }
        };
        let slots = &self.slots;
        self.table.insert_unique(hash, index, |&other| slots[other as usize].hash);
        id(index)
    }

    /// A term for a constant that is too wide for a node.
    fn make_wide(&mut self, width: u32, value: BigUint) -> ExprId {
        let node = |slot| Node {
            op: Op::Const,
            format: FormatTag::None,
            width: width as u16,
            args: [slot, 0, 0],
        };
        let hash = order::wide_hash(width, &value);
        let same = |&slot: &u32| {
            let other = self.slots[slot as usize].node;
            other.op == Op::Const
                && other.width() == width
                && self.wide.get(other.args[0]) == &value
        };
        if let Some(&found) = self.table.find(hash, same) {
            return id(found);
        }
        let slot = self.wide.add(value);
        self.insert(node(slot), hash, KnownBits::UNKNOWN)
    }
}
