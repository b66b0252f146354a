//! The values that the instructions of the user's code have, over all paths of an exploration.
//!
//! Two explorations of a program show the same behaviour if their sets of values are equal. So a
//! value is recorded as something that depends neither on the order of the paths nor on the rest
//! of a path: a term by its structural hash, a pointer only as a pointer, because an address
//! depends on the allocations before it. For the same reason terms are not narrowed by the path
//! condition while values are recorded.
//!
//! The code has an operation that records after each instruction with a result, after each store,
//! and at the start of each block. A program without a log has none of these operations.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use byway_base::ExprId;
use byway_expr::expand::Expander;
use byway_expr::{Intervals, Pool};
use byway_ir::{BlockId, CastOp, FuncId, Inst, InstId, Ty, Val};
use rustc_hash::{FxHashMap, FxHashSet};

use super::compile::FunctionCompiler;
use super::{Special, TypedSlot};

/// What a value is recorded for.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ValueSite {
    /// The start of a block, which has no value.
    Block(FuncId, BlockId),
    /// A parameter of a block, or the result of an instruction.
    Result(FuncId, Val),
    /// What an instruction stores.
    Store(FuncId, InstId),
}

/// A value, as far as it is the same in every exploration of the program.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RecordedValue {
    /// The site was executed; it has no value.
    Executed,
    /// An address.
    Pointer,
    /// A value that nothing determines: of memory that was never set.
    Undefined,
    /// A concrete value.
    Number(u128),
    /// The structural hash of a term.
    Term(u64),
}

/// The values of an exploration. They are equal for two complete explorations of a program,
/// unless its values depend on addresses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordedValues {
    /// The distinct values of each site.
    pub values: BTreeSet<(ValueSite, RecordedValue)>,
    /// A term with each hash, for people to read; large ones are abbreviated.
    pub terms: BTreeMap<u64, String>,
}

impl RecordedValues {
    /// Adds the values of another worker.
    pub fn add(&mut self, other: RecordedValues) {
        self.values.extend(other.values);
        self.terms.extend(other.terms);
    }
}

/// The values recorded so far.
#[derive(Default, Debug)]
pub struct ValueLog {
    values: RefCell<FxHashSet<(ValueSite, RecordedValue)>>,
    terms: RefCell<FxHashMap<u64, String>>,
}

impl ValueLog {
    /// Records what is known without a term.
    pub fn record(&self, site: ValueSite, value: RecordedValue) {
        self.values.borrow_mut().insert((site, value));
    }

    /// Records a term. A read from memory carries all writes to the object, so it is replaced by
    /// a selection among the bytes that its index can reach.
    pub fn record_term(&self, site: ValueSite, pool: &mut Pool, term: ExprId) {
        let mut intervals = Intervals::new(pool);
        let expanded = Expander::new(pool).term(pool, &mut intervals, term);
        let term = expanded.unwrap_or(term);
        // Which of the unset variables it was depends on the calls before.
        if pool.undefined_byte(term).is_some() {
            return self.record(site, RecordedValue::Undefined);
        }
        let hash = pool.structural_hash_of(term);
        self.record(site, RecordedValue::Term(hash));
        self.terms.borrow_mut().entry(hash).or_insert_with(|| pool.show(term));
    }

    /// What was recorded.
    pub fn recorded(&self) -> RecordedValues {
        RecordedValues {
            values: self.values.borrow().iter().copied().collect(),
            terms: self.terms.borrow().iter().map(|(&hash, text)| (hash, text.clone())).collect(),
        }
    }
}

/// The value that an operation records.
#[derive(Copy, Clone, Debug)]
pub enum ValueSource {
    /// None: the operation records that its site is executed.
    Execution,
    /// A pointer, whatever its address.
    Pointer,
    Slot(TypedSlot),
}

impl FunctionCompiler<'_> {
    /// Records that a block is executed, and its parameters, if values are recorded.
    pub(super) fn record_block(&mut self, block: BlockId) {
        if self.context.value_log(self.id).is_none() {
            return;
        }
        self.record(ValueSite::Block(self.id, block), ValueSource::Execution);
        let is_entry = self.func.blocks.keys().next() == Some(block);
        let params = if is_entry { &self.func.params } else { &self.func.blocks[block].params };
        params.iter().for_each(|&param| self.record_result(param));
    }

    /// Records the results of an instruction, and what it stores, if values are recorded.
    pub(super) fn record_inst(&mut self, id: InstId) {
        if self.context.value_log(self.id).is_none() {
            return;
        }
        let inst = &self.func.insts[id];
        match *inst {
            Inst::Store { value, .. } => {
                let source = self.source(self.typed_slot(value));
                self.record(ValueSite::Store(self.id, id), source);
            }
            Inst::Cast { op: CastOp::PtrToInt, dst, .. } => {
                self.record(ValueSite::Result(self.id, dst), ValueSource::Pointer);
            }
            // The callee's frame has replaced this one.
            Inst::Call { tail: true, .. } => {}
            _ => inst.for_each_def(|val| self.record_result(val)),
        }
    }

    fn record_result(&mut self, val: Val) {
        let source = self.source(self.dst(val));
        self.record(ValueSite::Result(self.id, val), source);
    }

    fn source(&self, slot: TypedSlot) -> ValueSource {
        match slot.ty {
            Ty::Ptr => ValueSource::Pointer,
            _ => ValueSource::Slot(slot),
        }
    }

    fn record(&mut self, site: ValueSite, source: ValueSource) {
        if let Some(log) = self.context.value_log(self.id) {
            self.special(Special::RecordValue { log: Rc::clone(log), site, source });
        }
    }
}
