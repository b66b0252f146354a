//! What a path did, in order: enough to walk it again.

use std::cell::RefCell;
use std::rc::Rc;

use byway_ir::analysis::points_to::MadeAddress;
use byway_ir::{BlockId, FuncId, InstId, Module, Operand};

use crate::bytecode::observation::{
    MadeAddresses, OBSERVED_ARGS, Observation, ObservationLog, accessed_address, made_by,
    object_at, word,
};
use crate::memory::Memory;
use crate::value::Value;

/// Where an address points.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// Into the object at `base`.
    Object { base: u64, offset: i64, size: u64 },
    /// It depends on the input.
    Symbolic,
    /// To no object that is alive.
    Nowhere(u64),
    /// The call has no such argument.
    None,
}

impl Place {
    /// The object and the offset in it.
    pub fn pointer(self) -> Option<(u64, i64)> {
        match self {
            Place::Object { base, offset, .. } => Some((base, offset)),
            Place::Symbolic | Place::Nowhere(_) | Place::None => None,
        }
    }
}

/// An access to memory.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct LoggedAccess {
    /// The address, as the instruction names it.
    pub address: Operand,
    pub place: Place,
    /// The number of bytes, if the instruction does not determine it and the input neither.
    pub len: Option<u64>,
}

/// A decision of a path.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct LoggedDecision {
    /// Its index on the path.
    pub index: u32,
    /// The instruction; `None` for the branch at the end of the block.
    pub inst: Option<InstId>,
    /// Whether any other case ends the path at once: a check or an assumption.
    pub is_check: bool,
}

/// Something that happened on a path.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum PathEvent {
    /// A block begins.
    Block(FuncId, BlockId),
    /// An instruction is about to access memory.
    Access { inst: InstId, access: LoggedAccess },
    /// An instruction is about to call a function.
    Call { inst: InstId, callee: Option<FuncId>, args: [Place; OBSERVED_ARGS] },
    /// An instruction made an object.
    Made { inst: InstId, base: Option<u64> },
    /// A call returned; perhaps it made an object.
    Returned { func: FuncId, inst: InstId, made: Option<u64> },
    /// A decision was made.
    Decided(LoggedDecision),
}

/// What a path did.
#[derive(Debug)]
pub struct PathLog {
    makes: MadeAddresses,
    records: RefCell<LoggedEvents>,
}

#[derive(Default, Debug)]
struct LoggedEvents {
    events: Vec<PathEvent>,
    /// What the callee of the call at hand makes.
    callee_makes: MadeAddress,
}

impl PathLog {
    /// An empty log for a program.
    pub fn new(module: &Module) -> Rc<PathLog> {
        let makes = MadeAddresses::new(module);
        Rc::new(PathLog { makes, records: RefCell::default() })
    }

    /// Records a decision of the path.
    pub fn decide(&self, decision: LoggedDecision) {
        self.records.borrow_mut().events.push(PathEvent::Decided(decision));
    }

    /// Takes all events so far.
    pub fn take(&self) -> Vec<PathEvent> {
        std::mem::take(&mut self.records.borrow_mut().events)
    }
}

impl ObservationLog for PathLog {
    fn follows_paths(&self) -> bool {
        true
    }

    fn observe(
        &self,
        (func, inst): (FuncId, InstId),
        it: Observation,
        regs: &[Value],
        memory: &Memory,
        variadic: Option<u64>,
    ) {
        let place = |address: Option<u64>| {
            let Some(at) = address else { return Place::Symbolic };
            match object_at(memory, at) {
                Some((object, offset)) => {
                    Place::Object { base: object.base, offset, size: object.size() }
                }
                None => Place::Nowhere(at),
            }
        };
        let mut records = self.records.borrow_mut();
        let event = match it {
            Observation::Block { block } => PathEvent::Block(func, block),
            Observation::Access { operand, addr, offset, len } => {
                let place = place(accessed_address(regs, addr, offset));
                let len = len.and_then(|len| word(regs, len.slot));
                let access = LoggedAccess { address: operand, place, len };
                PathEvent::Access { inst, access }
            }
            Observation::Call { callee, args } => {
                let callee = callee.resolve(regs);
                let makes = callee.map_or(MadeAddress::None, |callee| self.makes.of(callee));
                records.callee_makes = makes;
                let args = args.map(|arg| arg.map_or(Place::None, |arg| place(word(regs, arg))));
                PathEvent::Call { inst, callee, args }
            }
            Observation::Local { addr } => PathEvent::Made { inst, base: word(regs, addr) },
            Observation::Variadic => PathEvent::Made { inst, base: variadic },
            Observation::Result { result, first_argument } => {
                let makes = std::mem::take(&mut records.callee_makes);
                let made = made_by(makes, result, first_argument, regs, memory);
                PathEvent::Returned { func, inst, made }
            }
        };
        records.events.push(event);
    }
}
