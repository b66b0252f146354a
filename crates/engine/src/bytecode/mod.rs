//! The register bytecode that the interpreter runs: one function of the IR, compiled when it
//! is first called.
//!
//! Values are in dense slots of the frame. A frame starts as a copy of the function's
//! template, which holds the constants (addresses resolved) in slots of their own, so that an
//! operand is always a slot. Values above 64 bits take two slots. A cast that keeps the bits
//! costs nothing: its result shares the slot of its operand, which SSA makes safe (an operand
//! cannot be redefined without passing the cast again). Phis become moves on the edges.
//!
//! | file | content |
//! |---|---|
//! | `compile.rs`, `insts.rs`, `control.rs` | from the IR to operations |
//! | `slots.rs` | which slot each value has |
//! | `slot_checker.rs` | checks `slots.rs` without its liveness analysis |
//! | `access_log.rs`, `value_log.rs` | operations that record what instructions access and compute |
//! | `switch.rs`, `moves.rs`, `executions.rs`, `uses.rs` | jump tables, edge moves, block counters, use counts |

pub mod access_log;
mod compile;
mod control;
mod executions;
mod insts;
mod moves;
pub mod observation;
#[cfg(any(test, debug_assertions))]
mod operands;
#[cfg(any(test, debug_assertions))]
mod slot_checker;
mod slots;
mod switch;
mod uses;
pub mod value_log;

use std::cell::Cell;
use std::rc::Rc;

use byway_base::{FaultKind, UnsupportedFeature};
use byway_ir::{
    BinOp, BlockId, CastOp, Const, FBinOp, FUnOp, Fcmp, FuncId, Icmp, InstId, LocId, OverflowOp,
    Ty, UnOp,
};

pub use access_log::PointsToCheck;
pub use compile::compile;

use observation::{Observation, ObservationLog};
pub use switch::SwitchTable;
use value_log::{ValueLog, ValueSite, ValueSource};

use crate::value::Value;
use crate::watch::{Watch, WatchId};

/// A slot of a frame.
pub type Slot = u32;
/// An index into [`Code::ops`].
pub type Pc = u32;

/// One operation. `d` is the slot written; `w` a width in bits, at most 64. `n` of a control
/// operation is the number of IR instructions since the last one, itself included; zero if it
/// belongs to an edge.
#[derive(Copy, Clone, Debug)]
#[rustfmt::skip] // a table, one operation per line
#[allow(missing_docs)] // named as the IR's instructions, whose text says what they do
pub enum ByteOp {
    Add { w: u8, d: Slot, a: Slot, b: Slot },
    Sub { w: u8, d: Slot, a: Slot, b: Slot },
    Mul { w: u8, d: Slot, a: Slot, b: Slot },
    And { d: Slot, a: Slot, b: Slot },
    Or { d: Slot, a: Slot, b: Slot },
    Xor { d: Slot, a: Slot, b: Slot },
    Shl { w: u8, d: Slot, a: Slot, b: Slot },
    LShr { w: u8, d: Slot, a: Slot, b: Slot },
    AShr { w: u8, d: Slot, a: Slot, b: Slot },
    UDiv { d: Slot, a: Slot, b: Slot },
    URem { d: Slot, a: Slot, b: Slot },
    SDiv { w: u8, d: Slot, a: Slot, b: Slot },
    SRem { w: u8, d: Slot, a: Slot, b: Slot },
    Eq { d: Slot, a: Slot, b: Slot },
    Ne { d: Slot, a: Slot, b: Slot },
    Ult { d: Slot, a: Slot, b: Slot },
    Ule { d: Slot, a: Slot, b: Slot },
    Slt { w: u8, d: Slot, a: Slot, b: Slot },
    Sle { w: u8, d: Slot, a: Slot, b: Slot },
    FAdd { d: Slot, a: Slot, b: Slot },
    FSub { d: Slot, a: Slot, b: Slot },
    FMul { d: Slot, a: Slot, b: Slot },
    FDiv { d: Slot, a: Slot, b: Slot },
    Trunc { w: u8, d: Slot, a: Slot },
    Sext { from: u8, to: u8, d: Slot, a: Slot },
    Select { d: Slot, c: Slot, a: Slot, b: Slot },
    /// `base + offset`.
    PtrOffset { d: Slot, base: Slot, offset: i32 },
    /// `base + sext(index) * scale`.
    PtrIndex { w: u8, d: Slot, base: Slot, index: Slot, scale: i32 },
    Load8 { d: Slot, addr: Slot, offset: i32 },
    Load16 { d: Slot, addr: Slot, offset: i32 },
    Load32 { d: Slot, addr: Slot, offset: i32 },
    Load64 { d: Slot, addr: Slot, offset: i32 },
    Store8 { addr: Slot, value: Slot, offset: i32 },
    Store16 { addr: Slot, value: Slot, offset: i32 },
    Store32 { addr: Slot, value: Slot, offset: i32 },
    Store64 { addr: Slot, value: Slot, offset: i32 },
    /// Any other pure operation, in [`Code::general`].
    General { index: u32 },
    /// Any other operation on memory or the frame, in [`Code::special`].
    Special { index: u32 },
    /// An optional check, in [`Code::checks`].
    Check { index: u32 },
    /// Counts instructions of a straight line too long for one `n`.
    Count { n: u16 },
    Jump { n: u16, target: Pc },
    /// Moves `Code::moves[first..first + count]`, then continues at `target`.
    MoveJump { n: u16, target: Pc, first: u32, count: u32 },
    /// Records that the path covers a site of the user's code, then continues at `target`.
    Cover { site: u32, target: Pc },
    /// Records that the condition of a branch holds or not, then continues at the next operation.
    TakeSide { holds: bool },
    Branch { n: u16, c: Slot, then: Pc, otherwise: Pc },
    BranchEq { n: u16, a: Slot, b: Slot, then: Pc, otherwise: Pc },
    BranchUlt { n: u16, a: Slot, b: Slot, then: Pc, otherwise: Pc },
    BranchSlt { n: u16, w: u8, a: Slot, b: Slot, then: Pc, otherwise: Pc },
    Switch { n: u16, value: Slot, index: u32 },
    Call { n: u16, index: u32 },
    Return { n: u16, index: u32 },
}

/// A typed scalar in one or two slots.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TypedSlot {
    /// The type decides the number of slots.
    pub ty: Ty,
    /// The slot of the low word; the next slot is the high word of a wide type.
    pub slot: Slot,
}

/// A pure operation that is rare or wide.
#[derive(Copy, Clone, Debug)]
#[rustfmt::skip]
#[allow(missing_docs)] // named as the IR's instructions, whose text says what they do
pub enum General {
    Bin { op: BinOp, d: TypedSlot, a: TypedSlot, b: TypedSlot },
    Un { op: UnOp, d: TypedSlot, a: TypedSlot },
    Overflow { op: OverflowOp, d: TypedSlot, overflow: Slot, a: TypedSlot, b: TypedSlot },
    Funnel { left: bool, d: TypedSlot, a: TypedSlot, b: TypedSlot, amount: TypedSlot },
    Icmp { pred: Icmp, d: Slot, a: TypedSlot, b: TypedSlot },
    FBin { op: FBinOp, d: TypedSlot, a: TypedSlot, b: TypedSlot },
    FUn { op: FUnOp, d: TypedSlot, a: TypedSlot },
    Fma { d: TypedSlot, a: TypedSlot, b: TypedSlot, c: TypedSlot },
    Fcmp { pred: Fcmp, d: Slot, a: TypedSlot, b: TypedSlot },
    FpClass { d: Slot, a: TypedSlot, mask: u16 },
    Cast { op: CastOp, d: TypedSlot, a: TypedSlot },
    /// `base + index * scale` where the scale is large.
    PtrIndex { d: Slot, base: Slot, index: TypedSlot, scale: i64 },
    /// `Select` of wide values.
    Select { d: TypedSlot, c: Slot, a: TypedSlot, b: TypedSlot },
}

/// An operation on memory or the frame that is rare or wide.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // named as the IR's instructions, whose text says what they do
pub enum Special {
    Load {
        d: TypedSlot,
        addr: Slot,
    },
    Store {
        addr: Slot,
        value: TypedSlot,
    },
    Alloca {
        d: Slot,
        size: u64,
        count: TypedSlot,
        align: u32,
        name: Rc<str>,
    },
    Lifetime {
        addr: Slot,
        begins: bool,
    },
    /// An undefined value; zero if these are not tracked.
    Undefined {
        d: TypedSlot,
        name: Rc<str>,
    },
    StackSave {
        d: Slot,
    },
    StackRestore {
        mark: Slot,
    },
    MemCopy {
        dst: Slot,
        src: Slot,
        len: TypedSlot,
        may_overlap: bool,
    },
    MemSet {
        dst: Slot,
        byte: Slot,
        len: TypedSlot,
    },
    VaStart {
        list: Slot,
        general: u8,
        vector: u8,
        stack: u32,
    },
    IndirectJump {
        addr: Slot,
        targets: Box<[(u64, Pc)]>,
    },
    Fail {
        kind: FaultKind,
        message: &'static str,
    },
    /// Counts an execution of its block or coverage site.
    Execution {
        count: Rc<Cell<u64>>,
    },
    /// Records something about an instruction.
    Observe {
        log: Rc<dyn ObservationLog>,
        at: (FuncId, InstId),
        what: Observation,
    },
    /// Records a value.
    RecordValue {
        log: Rc<ValueLog>,
        site: ValueSite,
        source: ValueSource,
    },
    /// Reports that a path is at a watched point, if the watch is active.
    Watch {
        id: WatchId,
        watch: Watch,
    },
    Unsupported {
        feature: Box<UnsupportedFeature>,
    },
}

/// An optional check of the program.
#[derive(Copy, Clone, Debug)]
#[allow(missing_docs)] // named as the IR's instructions, whose text says what they do
pub enum Check {
    Aligned { addr: Slot, align: u32 },
    SignedOverflow { op: BinOp, a: TypedSlot, b: TypedSlot },
    Shift { amount: TypedSlot, width: u32 },
}

/// A call.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// The function called.
    pub callee: CallTarget,
    /// The arguments, variadic ones included.
    pub args: Box<[TypedSlot]>,
    /// The slots of the arguments, if they match the callee's parameters one to one: the call
    /// copies them to the first slots of the new frame.
    pub exact: Option<Box<[Slot]>>,
    /// The memory layout of the variadic arguments.
    pub varargs: Box<[byway_ir::VarArg]>,
    /// The slots of the results.
    pub dsts: Box<[TypedSlot]>,
    /// A tail call: the callee's frame replaces the caller's.
    pub tail: bool,
}

/// The callee of a call.
#[derive(Copy, Clone, Debug)]
pub enum CallTarget {
    /// A function known at compile time.
    Direct(FuncId),
    /// The function that the pointer in this slot points to.
    Indirect(Slot),
}

/// A compiled function.
#[derive(Debug)]
pub struct Code {
    /// Its operations; a [`Pc`] is an index into them.
    pub ops: Vec<ByteOp>,
    /// The initial frame: parameters and computed values (zero), then constants.
    pub template: Vec<Value>,
    /// The slots of its parameters.
    pub params: Vec<TypedSlot>,
    /// Moves on edges: to, from.
    pub moves: Vec<(Slot, Slot)>,
    /// Rare pure operations, by [`ByteOp::General`]'s index.
    pub general: Vec<General>,
    /// Rare operations on memory and the frame, by [`ByteOp::Special`]'s index.
    pub special: Vec<Special>,
    /// Optional checks, by [`ByteOp::Check`]'s index.
    pub checks: Vec<Check>,
    /// Calls, by [`ByteOp::Call`]'s index.
    pub calls: Vec<CallSite>,
    /// Returned values, by [`ByteOp::Return`]'s index.
    pub returns: Vec<Box<[TypedSlot]>>,
    /// Jump tables, by [`ByteOp::Switch`]'s index.
    pub switches: Vec<SwitchTable>,
    /// The source location of each operation.
    pub locs: Vec<Option<LocId>>,
    /// The instruction of each operation; `None` for terminators and edges.
    pub insts: Vec<Option<InstId>>,
    /// The first operation of each block, in ascending order. The operations of an edge belong
    /// to its target block.
    pub blocks: Vec<(Pc, BlockId)>,
    /// The first operation to run.
    pub start: Pc,
    /// Execution counts by block; empty if they are not counted.
    pub executions: Vec<Rc<Cell<u64>>>,
    /// Branches whose sides are exchanged relative to the IR, in ascending order.
    pub swapped: Vec<Pc>,
    /// Branches one side of which reports a failed check of clang's sanitizer, in ascending
    /// order, and whether that is the operation's `then`.
    pub sanitizer_branches: Vec<(Pc, bool)>,
}

impl Code {
    /// Bytes of stack that a call takes natively, without its local variables: the return
    /// address and the frame pointer, and about one register saved for each parameter.
    pub fn frame_bytes(&self) -> u64 {
        (16 + 8 * self.params.len() as u64).next_multiple_of(16).max(32)
    }

    /// The block of an operation.
    pub fn block_at(&self, pc: Pc) -> BlockId {
        let after = self.blocks.partition_point(|&(start, _)| start <= pc);
        self.blocks[after.saturating_sub(1)].1
    }

    /// A number for the IR of an operation: that of its instruction, or that of its block for
    /// terminators and edges. It does not depend on what else the code records or counts.
    pub fn ir_position(&self, pc: Pc) -> u32 {
        const TERMINATOR: u32 = 1 << 31;
        match self.insts.get(pc as usize) {
            Some(Some(inst)) => inst.as_u32(),
            _ => TERMINATOR | self.block_at(pc).as_u32(),
        }
    }
}

/// What the compiler needs to know beyond the function itself.
pub trait CompileContext {
    /// The value of a constant address.
    fn address(&self, constant: &Const) -> u64;
    /// The parameter types of a function that has a body and is not variadic.
    fn signature(&self, func: FuncId) -> Option<Vec<Ty>>;
    /// Whether a call of a function may return more than once.
    fn returns_twice(&self, func: FuncId) -> bool;
    /// Whether a function is a handler of clang's sanitizer.
    fn is_sanitizer_handler(&self, func: FuncId) -> bool;
    /// The address of a label.
    fn label(&self, func: FuncId, block: BlockId) -> u64;
    /// The number of the first coverage site of a function, if it has sites: its entry, then
    /// the sides of its branches.
    fn first_site(&self, func: FuncId) -> Option<u32>;
    /// Whether block executions are counted.
    fn counts_executions(&self) -> bool;
    /// The counter of a coverage site, if executions of sites are counted.
    fn site_counter(&self, _site: u32) -> Option<&Rc<Cell<u64>>> {
        None
    }
    /// The watched points of a function with their watches, by ascending point.
    fn watches(&self, func: FuncId) -> &[(WatchId, Watch)];
    /// Where observations go, if there are any.
    fn observation_log(&self) -> Option<&Rc<dyn ObservationLog>> {
        None
    }
    /// The log of values, if those of a function are recorded.
    fn value_log(&self, _func: FuncId) -> Option<&Rc<ValueLog>> {
        None
    }
    /// Whether the sides of conditional branches that a path takes are recorded.
    fn traces_branches(&self) -> bool {
        false
    }
    /// The checks that are on.
    fn checks(&self) -> crate::Checks;
}
