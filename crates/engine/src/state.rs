//! A state: one path in progress. Its parts are shared copy-on-write, so that a fork costs what
//! the two states change afterwards.

use std::rc::Rc;

use byway_ir::FuncId;

use crate::bytecode::Pc;
use crate::memory::Memory;
use crate::path_info::PathInfo;
use crate::value::Value;

/// A call that has not returned.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function called.
    pub func: FuncId,
    /// The next operation. During execution, the current one is the one before it.
    pub pc: Pc,
    /// Unique among the calls of the path, for `longjmp`.
    pub serial: u64,
    /// The slots of [`Code::template`](crate::bytecode::Code::template).
    pub regs: Vec<Value>,
    /// The addresses of its local objects, oldest first; freed when the call returns.
    pub locals: Vec<u64>,
    /// The address of the variadic arguments, if the function takes any.
    pub variadic: Option<u64>,
}

/// A position in the program as one number.
pub fn position_of(frame: &Frame, pc: Pc) -> u64 {
    u64::from(frame.func.as_u32()) << 32 | u64::from(pc)
}

/// The inverse of [`position_of`].
pub fn split_position(position: u64) -> (FuncId, Pc) {
    (FuncId::from_u32((position >> 32) as u32), position as Pc)
}

/// One path in progress.
#[derive(Clone)]
pub struct State {
    /// Open calls, outermost first.
    pub stack: Vec<Rc<Frame>>,
    /// Objects and their contents.
    pub memory: Memory,
    /// Its decisions, path condition and witness.
    pub path: PathInfo,
    /// Calls executed.
    pub calls: u64,
}

impl State {
    /// A state without frames.
    pub fn new(memory: Memory) -> State {
        let path = PathInfo::default();
        State { stack: Vec::new(), memory, path, calls: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// There can be millions of states; the allocator's next size class is a quarter larger.
    #[test]
    fn a_state_is_small() {
        assert!(size_of::<State>() <= 256, "{} bytes", size_of::<State>());
    }
}
