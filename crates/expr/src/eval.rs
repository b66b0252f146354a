//! Evaluation of terms under a model.
//!
//! An [`Evaluator`] owns reusable scratch memory, sized by the pool; an [`Evaluation`] uses it
//! for one model and computes every term at most once. Only the chosen operand of an if-then-
//! else is computed, and of memory only the writes that a read passes, so that a selection
//! over a large table costs its depth.

use std::rc::Rc;

use byway_base::ExprId;
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::memory::{MemoryVersion, VersionId};
use crate::node::{Node, index};
use crate::op::Op;
use crate::pool::{InputId, Pool, is_mostly_unused};
use crate::support::InputByte;
use crate::{semantics, wide};

/// Bytes of an object's reference and header in a model.
const BYTES_PER_OBJECT: usize = 48;

/// Values for input bytes. Unset bytes are zero. Cheap to clone.
///
/// Objects are in chunks, which models share: of thousands of objects, a change of one copies
/// its chunk alone.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Model {
    chunks: Rc<[ObjectChunk]>,
}

/// Up to [`CHUNK`] objects of a model.
type ObjectChunk = Rc<[Rc<[u8]>]>;

/// Objects in a chunk of a model.
const CHUNK: usize = 64;

impl Model {
    /// All zeros.
    pub fn new() -> Model {
        Model::default()
    }

    /// The value of a byte.
    #[inline]
    pub fn byte(&self, at: InputByte) -> u8 {
        self.object(at.object).get(at.byte as usize).copied().unwrap_or(0)
    }

    /// The bytes of an object, up to the last one that was set.
    #[inline]
    pub fn object(&self, object: InputId) -> &[u8] {
        let chunk = self.chunks.get(object.index() / CHUNK);
        chunk.and_then(|chunk| chunk.get(object.index() % CHUNK)).map_or(&[], |bytes| bytes)
    }

    /// Its bytes, except of objects in `seen`, which other models share; adds the counted ones to
    /// `seen`.
    pub fn bytes(&self, seen: &mut FxHashSet<usize>) -> usize {
        let mut is_new =
            |shared: *const u8, owners: usize| owners == 1 || seen.insert(shared as usize);
        let chunks = self.chunks.iter().filter(|shared| !shared.is_empty());
        let mut bytes = self.chunks.len() * BYTES_PER_OBJECT;
        for chunk in chunks {
            if is_new(chunk.as_ptr().cast(), Rc::strong_count(chunk)) {
                let own = chunk.iter().filter(|o| is_new(o.as_ptr(), Rc::strong_count(o)));
                bytes += own.map(|object| object.len() + BYTES_PER_OBJECT).sum::<usize>();
            }
        }
        bytes
    }

    /// Sets all bytes of an object.
    pub fn set_object(&mut self, object: InputId, bytes: impl Into<Rc<[u8]>>) {
        *self.object_mut(object) = bytes.into();
    }

    fn object_mut(&mut self, object: InputId) -> &mut Rc<[u8]> {
        let (chunk, place) = (object.index() / CHUNK, object.index() % CHUNK);
        grow(&mut self.chunks, chunk + 1);
        let chunk = &mut Rc::make_mut(&mut self.chunks)[chunk];
        grow(chunk, place + 1);
        &mut Rc::make_mut(chunk)[place]
    }

    /// Sets one byte.
    pub fn set_byte(&mut self, at: InputByte, value: u8) {
        if self.byte(at) == value {
            return;
        }
        let offset = at.byte as usize;
        if self.object(at.object).len() <= offset {
            let mut longer = Vec::with_capacity(offset + 1);
            longer.extend_from_slice(self.object(at.object));
            longer.resize(offset, 0);
            longer.push(value);
            return self.set_object(at.object, longer);
        }
        Rc::make_mut(self.object_mut(at.object))[offset] = value;
    }
}

/// Lengthens a shared slice to at least `len`.
fn grow<T: Clone + Default>(slice: &mut Rc<[T]>, len: usize) {
    if slice.len() < len {
        let mut longer = slice.to_vec();
        longer.resize(len, T::default());
        *slice = longer.into();
    }
}

/// Reusable scratch memory for evaluations.
#[derive(Default)]
pub struct Evaluator {
    /// The number of the evaluation that last computed each term.
    stamps: Vec<u32>,
    values: Vec<u128>,
    wide: FxHashMap<ExprId, BigUint>,
    stack: Vec<ExprId>,
    current: u32,
    generation: u32,
}

impl Evaluator {
    /// Empty scratch memory.
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// Starts an evaluation.
    pub fn under<'a>(&'a mut self, pool: &'a Pool, model: &'a Model) -> Evaluation<'a> {
        if self.current == u32::MAX {
            self.stamps.fill(0);
            self.current = 0;
        }
        self.current += 1;
        self.wide.clear();
        if self.generation != pool.generation() {
            self.generation = pool.generation();
            if is_mostly_unused(pool.id_bound(), self.stamps.capacity()) {
                (self.stamps, self.values) = Default::default();
            }
        }
        self.resume(pool, model)
    }

    /// Continues the last evaluation, which must have had the same model. The pool may have
    /// grown since, but must not have collected.
    pub fn resume<'a>(&'a mut self, pool: &'a Pool, model: &'a Model) -> Evaluation<'a> {
        debug_assert_eq!(self.generation, pool.generation(), "the pool collected since");
        if self.stamps.len() < pool.id_bound() {
            self.stamps.resize(pool.id_bound(), 0);
            self.values.resize(pool.id_bound(), 0);
        }
        Evaluation { scratch: self, pool, model }
    }
}

/// Terms evaluated under one model.
pub struct Evaluation<'a> {
    scratch: &'a mut Evaluator,
    pool: &'a Pool,
    model: &'a Model,
}

/// The result of trying to compute a term.
enum EvalStep {
    Value(u128),
    Wide(BigUint),
    /// Operands must be computed first; they are on the stack.
    Pending,
}

impl Evaluation<'_> {
    /// The value of a term of up to 128 bits.
    pub fn value(&mut self, e: ExprId) -> u128 {
        debug_assert!(self.pool.width(e) <= 128);
        self.compute(e);
        self.scratch.values[index(e)]
    }

    /// The value of a term of any width.
    pub fn value_wide(&mut self, e: ExprId) -> BigUint {
        self.compute(e);
        self.computed_wide(e)
    }

    /// Whether a term of one bit is true.
    pub fn holds(&mut self, e: ExprId) -> bool {
        self.value(e) != 0
    }

    fn is_computed(&self, e: ExprId) -> bool {
        self.scratch.stamps[index(e)] == self.scratch.current
    }

    fn computed(&self, e: ExprId) -> u128 {
        self.scratch.values[index(e)]
    }

    fn computed_wide(&self, e: ExprId) -> BigUint {
        match self.pool.width(e) {
            ..=128 => BigUint::from(self.computed(e)),
            _ => self.scratch.wide.get(&e).cloned().unwrap_or_default(),
        }
    }

    fn compute(&mut self, root: ExprId) {
        if self.is_computed(root) {
            return;
        }
        debug_assert!(self.scratch.stack.is_empty());
        self.scratch.stack.push(root);
        while let Some(&e) = self.scratch.stack.last() {
            if self.is_computed(e) {
                self.scratch.stack.pop();
                continue;
            }
            match self.step(e) {
                EvalStep::Value(value) => self.scratch.values[index(e)] = value,
                EvalStep::Wide(value) => {
                    self.scratch.wide.insert(e, value);
                }
                EvalStep::Pending => continue,
            }
            self.scratch.stamps[index(e)] = self.scratch.current;
            self.scratch.stack.pop();
        }
    }

    /// Whether a term is computed; puts it on the stack if not.
    #[inline]
    fn require(&mut self, e: ExprId) -> bool {
        let computed = self.is_computed(e);
        if !computed {
            self.scratch.stack.push(e);
        }
        computed
    }

    fn step(&mut self, e: ExprId) -> EvalStep {
        let node = self.pool.node(e);
        match node.op {
            Op::Const => match self.pool.value(e) {
                Some(value) => EvalStep::Value(value),
                None => EvalStep::Wide(self.pool.value_wide(e).unwrap_or_default()),
            },
            Op::Input => {
                let at = InputByte { object: InputId(node.args[0]), byte: node.args[1] };
                EvalStep::Value(u128::from(self.model.byte(at)))
            }
            Op::Read => self.read(&node),
            Op::Ite => {
                if !self.require(node.a()) {
                    return EvalStep::Pending;
                }
                let chosen = if self.computed(node.a()) != 0 { node.b() } else { node.c() };
                if !self.require(chosen) {
                    EvalStep::Pending
                } else if node.width > 128 {
                    EvalStep::Wide(self.computed_wide(chosen))
                } else {
                    EvalStep::Value(self.computed(chosen))
                }
            }
            _ => self.operation(&node),
        }
    }

    fn operation(&mut self, node: &Node) -> EvalStep {
        let mut ready = true;
        let mut values = [0; 3];
        let mut widths = [0; 3];
        for (i, operand) in node.operands().enumerate() {
            ready &= self.require(operand);
            values[i] = self.computed(operand);
            widths[i] = self.pool.width(operand);
        }
        if !ready {
            return EvalStep::Pending;
        }
        let first_two = [widths[0], widths[1]];
        if node.width <= 128 && widths[0] <= 128 && widths[1] <= 128 {
            return EvalStep::Value(semantics::apply(node, values, first_two));
        }
        let values: Vec<BigUint> = node.operands().map(|e| self.computed_wide(e)).collect();
        let result = wide::apply(node, &values, first_two);
        match u128::try_from(&result) {
            Ok(value) if node.width <= 128 => EvalStep::Value(value),
            _ => EvalStep::Wide(result),
        }
    }

    /// The value of the newest write to the index, or the byte of the base. Requires all
    /// written indices at once; stopping at each would restart the walk each time.
    fn read(&mut self, node: &Node) -> EvalStep {
        if !self.require(node.a()) {
            return EvalStep::Pending;
        }
        let index = self.computed(node.a());
        let pool = self.pool;
        let mut at = VersionId::from_word(node.extra());
        let mut ready = true;
        let base = loop {
            match pool.version(at) {
                MemoryVersion::Write { index: written, value, previous } => {
                    ready &= self.require(*written);
                    if ready && self.computed(*written) == index {
                        return match self.require(*value) {
                            true => EvalStep::Value(self.computed(*value)),
                            false => EvalStep::Pending,
                        };
                    }
                    at = *previous;
                }
                MemoryVersion::Base(base) => break base,
                MemoryVersion::Dead => unreachable!("{at:?} was collected"),
            }
        };
        if !ready {
            return EvalStep::Pending;
        }
        let offset = index as u64;
        match base.symbolic_at(offset) {
            Some(byte) if self.require(byte) => EvalStep::Value(self.computed(byte)),
            Some(_) => EvalStep::Pending,
            None => EvalStep::Value(u128::from(base.concrete_at(offset))),
        }
    }
}
