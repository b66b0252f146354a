//! `setjmp` and `longjmp`.

use byway_base::FaultKind;

use super::IntrinsicResult;
use crate::bytecode::ByteOp;
use crate::interp::Execution;
use crate::stop::{ExecResult, fault};
use crate::value::Value;

/// Marks a `jmp_buf` that `setjmp` filled.
const JUMP_MAGIC: u64 = u64::from_le_bytes(*b"bywayjmp");

/// The bytes of a `jmp_buf` that are used.
pub(super) const JUMP_BUFFER: u64 = 24;

impl Execution<'_, '_, '_> {
    /// Stores the innermost frame and its position in the buffer.
    pub(super) fn setjmp(&mut self, buffer: u64) -> ExecResult<()> {
        let top = self.top_mut();
        let (serial, pc) = (top.serial, u64::from(top.pc));
        let memory = &mut self.state.memory;
        memory.store::<8>(buffer, Value::word(JUMP_MAGIC))?;
        memory.store::<8>(buffer + 8, Value::word(serial))?;
        memory.store::<8>(buffer + 16, Value::word(pc))?;
        Ok(())
    }

    pub(super) fn longjmp(&mut self, buffer: u64, value: Value) -> ExecResult<IntrinsicResult> {
        let bad = |why: &str| fault(FaultKind::BadJump, format!("longjmp {why}"));
        let word = |at: u64| -> ExecResult<u64> {
            let value = self.state.memory.load::<8>(at)?;
            if value.expr.is_some() { Err(crate::stop::symbolic()) } else { Ok(value.bits) }
        };
        if word(buffer)? != JUMP_MAGIC {
            return Err(bad("through a buffer that setjmp did not fill"));
        }
        let (serial, pc) = (word(buffer + 8)?, word(buffer + 16)?);
        if !self.unwind_to(serial) {
            return Err(bad("to a function that has returned"));
        }
        let program = self.program;
        let top = self.top_mut();
        let code = program.code(top.func);
        let before = (pc as usize).checked_sub(1).and_then(|at| code.ops.get(at));
        let Some(&ByteOp::Call { index, .. }) = before else {
            return Err(bad("through a buffer that was overwritten"));
        };
        top.pc = pc as u32;
        if let Some(dst) = code.calls[index as usize].dsts.first() {
            top.regs[dst.slot as usize] = value;
        }
        Ok(IntrinsicResult::Jumped)
    }
}
