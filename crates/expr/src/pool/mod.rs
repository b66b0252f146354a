//! The pool: where terms live.
//!
//! One pool per worker, without locks. A term is a 32-bit id; the same term built
//! twice has the same id, since every new node is first looked for in a hash table
//! and compared in full. The hash is one of *structure*: it depends on operators,
//! numbers and the names of inputs, never on ids. It also orders the operands of
//! commutative operators, so that the same program gives the same terms whatever
//! was built, or collected, before.
//!
//! Terms are simplified as they are built (see [`crate::simplify`]), so whatever is
//! found in the table cannot be simplified further, and is returned at once.

mod collect;
mod memo;
mod number;
mod order;
mod walk;

pub use collect::{Collected, ExprMap, Roots, Sweep};
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

/// A symbolic input object: an argument, a file, a variable made symbolic.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InputId(pub(crate) u32);

impl InputId {
    /// Its number in the pool, from zero.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What the pool knows of an input object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct InputObject {
    /// Its name.
    pub name: Rc<str>,
    /// How many bytes it has.
    pub size: u32,
}

/// What a term takes where terms are evaluated: a stamp and a value for each, in the
/// scratch of the engine and in that of the solver.
const BYTES_EVALUATED: usize = 2 * (4 + 16);

/// What a set of input bytes takes that a term depends on, if it has a few.
const BYTES_PER_SUPPORT: usize = 96;

/// So many terms are moved in no time.
const LARGE: usize = 1 << 16;

/// A term's place: the node and what is always wanted with it.
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
    wide: number::WideNumbers,
    inputs: Vec<InputObject>,
    input_ids: FxHashMap<InputObject, InputId>,
    pub(crate) versions: Versions,
    pub(crate) supports: ExprMap<Support>,
    pub(crate) lanes: LaneCache,
    pub(crate) counters: RuleCounters,
    simplified: memo::Memo,
    generation: u32,
    raw: bool,
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
            known: KnownBits::NOTHING,
        };
        Pool {
            slots: vec![unused],
            table: HashTable::new(),
            free: Vec::new(),
            wide: number::WideNumbers::default(),
            inputs: Vec::new(),
            input_ids: FxHashMap::default(),
            versions: Versions::default(),
            supports: ExprMap::of_generation(0),
            lanes: LaneCache::new(0),
            counters: RuleCounters::default(),
            simplified: memo::Memo::default(),
            generation: 0,
            raw: false,
        }
    }

    /// A pool that keeps every term as it was asked for. Rules are proved, and the
    /// simplifier checked, against the terms of such a pool.
    pub fn raw() -> Pool {
        Pool { raw: true, ..Pool::new() }
    }

    /// How many terms are alive or not yet collected.
    pub fn len(&self) -> usize {
        self.slots.len() - 1 - self.free.len()
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One more than the largest id's number: how large a table of all ids must be.
    pub fn id_bound(&self) -> usize {
        self.slots.len()
    }

    /// Bytes that terms take: here, and where they are evaluated. Places of collected terms
    /// do not count, since the next terms go there. Where the next term would move all
    /// others, the room for that counts already.
    pub fn bytes(&self) -> usize {
        let full = self.free.is_empty() && self.slots.len() > self.slots.capacity() / 8 * 7;
        let moving = if full && self.slots.len() > LARGE { self.slots.len() } else { 0 };
        self.len() * (size_of::<TermSlot>() + BYTES_EVALUATED)
            + moving * size_of::<TermSlot>()
            + self.table.allocation_size()
            + self.free.capacity() * size_of::<u32>()
            + self.supports.len() * BYTES_PER_SUPPORT
            + self.versions.bytes()
            + self.lanes.bytes()
    }

    /// Counts the collections; a table that missed one is stale.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// The input object of this name and size; the same one for every caller.
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

    /// What an input object is.
    pub fn input_object(&self, input: InputId) -> &InputObject {
        &self.inputs[input.index()]
    }

    /// All input objects, in the order they were registered.
    pub fn input_objects(&self) -> impl ExactSizeIterator<Item = (InputId, &InputObject)> {
        self.inputs.iter().enumerate().map(|(i, object)| (InputId(i as u32), object))
    }

    /// A byte of the symbolic input.
    pub fn input_byte(&mut self, object: InputId, byte: u32) -> ExprId {
        debug_assert!(byte < self.inputs[object.index()].size);
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

    /// The input byte a term is, if it is one.
    pub fn as_input(&self, e: ExprId) -> Option<InputByte> {
        let node = self.node(e);
        (node.op == Op::Input)
            .then(|| InputByte { object: InputId(node.args[0]), byte: node.args[1] })
    }

    /// The bits every value of a term has, as far as they were found.
    #[inline]
    pub fn known(&self, e: ExprId) -> KnownBits {
        self.slots[index(e)].known
    }

    pub(crate) fn hash_of(&self, e: ExprId) -> u64 {
        self.slots[index(e)].hash
    }

    pub(crate) fn is_raw(&self) -> bool {
        self.raw
    }

    /// The term of a node: the one that is there, what a rule makes of it, or a
    /// new one.
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
        match self.simpler(node) {
            Ok(simpler) => {
                self.simplified.set(node, hash, simpler);
                simpler
            }
            Err(known) => self.insert(node, hash, known),
        }
    }

    /// What a rule makes of a node, or what is known of its bits if there is none.
    fn simpler(&mut self, node: Node) -> Result<ExprId, KnownBits> {
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
        let same = |&place: &u32| self.slots[place as usize].node == *node;
        self.table.find(hash, same).map(|&place| id(place))
    }

    fn insert(&mut self, node: Node, hash: u64, known: KnownBits) -> ExprId {
        let slot = TermSlot { node, hash, known };
        let place = match self.free.pop() {
            Some(place) => {
                self.slots[place as usize] = slot;
                place
            }
            None => {
                let place = u32::try_from(self.slots.len()).expect("fewer than 2^32 terms");
                self.slots.push(slot);
                place
            }
        };
        let slots = &self.slots;
        self.table.insert_unique(hash, place, |&other| slots[other as usize].hash);
        id(place)
    }

    /// A number too wide for a node, as a term.
    fn make_wide(&mut self, width: u32, value: BigUint) -> ExprId {
        let node = |place| Node {
            op: Op::Const,
            format: FormatTag::None,
            width: width as u16,
            args: [place, 0, 0],
        };
        let hash = order::wide_hash(width, &value);
        let same = |&place: &u32| {
            let other = self.slots[place as usize].node;
            other.op == Op::Const
                && other.width() == width
                && self.wide.get(other.args[0]) == &value
        };
        if let Some(&found) = self.table.find(hash, same) {
            return id(found);
        }
        let place = self.wide.add(value);
        self.insert(node(place), hash, KnownBits::NOTHING)
    }
}
