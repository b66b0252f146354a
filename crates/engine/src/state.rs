//! A state: one path being executed. Everything in it is shared copy-on-write,
//! so that a copy costs what the two change afterwards.

use std::rc::Rc;

use byway_ir::FuncId;

use crate::bytecode::Pc;
use crate::memory::Memory;
use crate::path_info::PathInfo;
use crate::value::Value;

/// A call that has not returned.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Whose.
    pub func: FuncId,
    /// The next operation; the one before it is the one being executed, while one is.
    pub pc: Pc,
    /// Tells this call from every other one of the path, for `longjmp`.
    pub serial: u64,
    /// The registers.
    pub regs: Vec<Value>,
    /// The first bytes of the objects that end with this call, oldest first.
    pub locals: Vec<u64>,
    /// The arguments behind `...`, if the function takes any.
    pub variadic: Option<u64>,
}

/// A place of the program as one number.
pub fn place_of(frame: &Frame, pc: Pc) -> u64 {
    u64::from(frame.func.as_u32()) << 32 | u64::from(pc)
}

/// One path being executed.
#[derive(Clone)]
pub struct State {
    /// Open calls, outermost first.
    pub stack: Vec<Rc<Frame>>,
    /// Its memory.
    pub memory: Memory,
    /// What it decided and knows of its input.
    pub path: PathInfo,
    /// How many calls were ever made.
    pub calls: u64,
    /// How many heap objects were ever made.
    pub heap_allocations: u64,
}

impl State {
    /// A state with memory and no call yet.
    pub fn new(memory: Memory) -> State {
        let path = PathInfo::default();
        State { stack: Vec::new(), memory, path, calls: 0, heap_allocations: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// There can be millions; the allocator's next size is a quarter larger.
    #[test]
    fn a_state_is_small() {
        assert!(size_of::<State>() <= 256, "{} bytes", size_of::<State>());
    }
}
