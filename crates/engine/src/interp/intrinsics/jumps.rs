//! `setjmp` and `longjmp`.

use byway_base::FaultKind;
use byway_search::Decision;

use super::IntrinsicResult;
use crate::bytecode::ByteOp;
use crate::interp::Execution;
use crate::interp::symbolic::Oracle;
use crate::stop::{ExecResult, Stop, fault, symbolic};
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

    /// Returns from `setjmp` again. `word` reads a word of the buffer.
    pub(super) fn longjmp(
        &mut self,
        buffer: u64,
        value: Value,
        word: fn(&mut Self, u64) -> ExecResult<u64>,
    ) -> ExecResult<IntrinsicResult> {
        if word(self, buffer)? != JUMP_MAGIC {
            return Err(bad_jump("through a buffer that setjmp did not fill"));
        }
        let (serial, pc) = (word(self, buffer + 8)?, word(self, buffer + 16)?);
        if !self.unwind_to(serial) {
            return Err(bad_jump("to a function that has returned"));
        }
        let program = self.program;
        let top = self.top_mut();
        let code = program.code(top.func);
        let before = (pc as usize).checked_sub(1).and_then(|at| code.ops.get(at));
        let Some(&ByteOp::Call { index, .. }) = before else {
            return Err(bad_jump("through a buffer that was overwritten"));
        };
        top.pc = pc as u32;
        if let Some(dst) = code.calls[index as usize].dsts.first() {
            top.regs[dst.slot as usize] = value;
        }
        Ok(IntrinsicResult::Jumped)
    }

    /// A word of a jump buffer.
    pub(super) fn jump_word(&mut self, at: u64) -> ExecResult<u64> {
        let value = self.state.memory.load::<8>(at)?;
        if value.expr.is_some() { Err(symbolic()) } else { Ok(value.bits) }
    }

    /// A word of a jump buffer, which is a term where its object was written at symbolic offsets.
    pub(super) fn jump_word_in_terms(&mut self, at: u64) -> ExecResult<u64> {
        self.in_terms(|memory| {
            let term = memory.load(Value::word(at), 8)?;
            let word = memory.witnessed(term);
            let constant = memory.pool.constant(64, word.into());
            let is_word = memory.pool.eq(term, constant);
            match memory.resolver.holds(memory.pool, is_word, Decision::Check)? {
                true => Ok(word),
                false => Err(bad_jump("through a buffer that depends on input")),
            }
        })
    }
}

fn bad_jump(why: &str) -> Box<Stop> {
    fault(FaultKind::BadJump, format!("longjmp {why}"))
}
