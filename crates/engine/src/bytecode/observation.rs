//! Observations: operations that record what a program does.
//!
//! The code has an [`Observation`] before each access and each call, and after each call and
//! each instruction that makes an object; if the log follows paths, also at the beginning of each
//! block. A program without a log has none of these operations.

use byway_base::entity::SecondaryMap;
use byway_ir::analysis::points_to::MadeAddress;
use byway_ir::{BlockId, Callee, FuncId, Inst, InstId, Module, Operand};

use super::{Slot, TypedSlot};
use crate::intrinsic::Intrinsic;
use crate::memory::address::code_index;
use crate::memory::{Memory, Object};
use crate::value::Value;

/// The arguments of a call that are observed: no function of the engine reads or writes memory
/// through a later one but `AssertFail`, which ends the path.
pub const OBSERVED_ARGS: usize = 3;

/// An operation that records something about an instruction.
#[derive(Copy, Clone, Debug)]
pub enum Observation {
    /// Before an access. The operand is the one that the instruction names; nothing is accessed
    /// if there are no bytes.
    Access { operand: Operand, addr: Slot, offset: i32, len: Option<TypedSlot> },
    /// Before a call, with its first arguments.
    Call { callee: ObservedCallee, args: [Option<Slot>; OBSERVED_ARGS] },
    /// After an instruction that made a local variable.
    Local { addr: Slot },
    /// At the beginning of a block, if the log follows paths.
    Block { block: BlockId },
    /// At `va_start`: the function's variadic arguments.
    Variadic,
    /// After a call that may have made an object.
    Result { result: Option<Slot>, first_argument: Option<Slot> },
}

/// The callee of an observed call.
#[derive(Copy, Clone, Debug)]
pub enum ObservedCallee {
    Named(FuncId),
    /// The function that the pointer in this slot points to.
    Pointer(Slot),
}

impl ObservedCallee {
    /// The function; `None` if the pointer is a term or does not point to code.
    pub fn resolve(self, regs: &[Value]) -> Option<FuncId> {
        match self {
            ObservedCallee::Named(callee) => Some(callee),
            ObservedCallee::Pointer(slot) => {
                word(regs, slot).and_then(code_index).map(|index| FuncId::from_u32(index as u32))
            }
        }
    }
}

/// The word in a slot; `None` if it is a term.
pub fn word(regs: &[Value], slot: Slot) -> Option<u64> {
    let value = regs[slot as usize];
    value.expr.is_none().then_some(value.bits)
}

/// The address of an access; `None` if it is a term.
pub fn accessed_address(regs: &[Value], addr: Slot, offset: i32) -> Option<u64> {
    word(regs, addr).map(|at| at.wrapping_add_signed(i64::from(offset)))
}

/// The living object at an address, and the offset in it.
pub fn object_at(memory: &Memory, address: u64) -> Option<(&Object, i64)> {
    let object = memory.live(address)?;
    Some((object, address.wrapping_sub(object.base) as i64))
}

/// Where observations go.
pub trait ObservationLog: std::fmt::Debug {
    /// Whether it follows the path from block to block.
    fn follows_paths(&self) -> bool;

    /// Executes an observation.
    fn observe(
        &self,
        at: (FuncId, InstId),
        it: Observation,
        regs: &[Value],
        memory: &Memory,
        variadic: Option<u64>,
    );
}

/// The address that each function of the engine makes.
#[derive(Debug)]
pub struct MadeAddresses(SecondaryMap<FuncId, MadeAddress>);

impl MadeAddresses {
    pub fn new(module: &Module) -> MadeAddresses {
        let mut makes = SecondaryMap::new();
        for (id, func) in module.funcs.iter().filter(|(_, func)| func.is_declaration()) {
            let intrinsic = Intrinsic::by_name(&func.name);
            makes[id] = intrinsic.map_or(MadeAddress::None, Intrinsic::made_address);
        }
        MadeAddresses(makes)
    }

    /// The address that a function makes.
    pub fn of(&self, func: FuncId) -> MadeAddress {
        self.0[func]
    }
}

/// The address of the object that a call made, from the slots of its result and its first
/// argument.
pub fn made_by(
    makes: MadeAddress,
    result: Option<Slot>,
    first_argument: Option<Slot>,
    regs: &[Value],
    memory: &Memory,
) -> Option<u64> {
    match makes {
        MadeAddress::Object | MadeAddress::Moved(_) => word(regs, result?),
        MadeAddress::StoredObject(_) => {
            let stored = memory.load::<8>(word(regs, first_argument?)?).ok()?;
            stored.expr.is_none().then_some(stored.bits)
        }
        _ => None,
    }
}

/// The observations before an instruction, and those after it.
pub fn observations(
    inst: &Inst,
    slot: impl Fn(Operand) -> TypedSlot,
    address: impl Fn(Operand) -> (Slot, i32),
) -> (Vec<Observation>, Option<Observation>) {
    let access = |operand, len: Option<Operand>| {
        let (addr, offset) = address(operand);
        Observation::Access { operand, addr, offset, len: len.map(&slot) }
    };
    match inst {
        Inst::Load { addr, .. } | Inst::Store { addr, .. } => (vec![access(*addr, None)], None),
        Inst::MemCopy { dst, src, len, .. } => {
            (vec![access(*src, Some(*len)), access(*dst, Some(*len))], None)
        }
        Inst::MemSet { dst, len, .. } => (vec![access(*dst, Some(*len))], None),
        Inst::VaStart { list, .. } => (vec![access(*list, None), Observation::Variadic], None),
        Inst::Alloca { dst, .. } => {
            (Vec::new(), Some(Observation::Local { addr: slot((*dst).into()).slot }))
        }
        Inst::Call { callee, args, dsts, tail, .. } => {
            let callee = match *callee {
                Callee::Indirect(op) => ObservedCallee::Pointer(slot(op).slot),
                Callee::Direct(func) => ObservedCallee::Named(func),
            };
            let result = Observation::Result {
                result: dsts.first().map(|&dst| slot(dst.into()).slot),
                first_argument: args.first().map(|&arg| slot(arg).slot),
            };
            let args = std::array::from_fn(|index| args.get(index).map(|&arg| slot(arg).slot));
            (vec![Observation::Call { callee, args }], (!tail).then_some(result))
        }
        _ => (Vec::new(), None),
    }
}
