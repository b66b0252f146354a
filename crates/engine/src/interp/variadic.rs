//! Variadic arguments: how a call passes them, and how `va_arg` reads them.

use byway_base::{ExprId, FaultKind};
use byway_ir::VarArg;

use super::Execution;
use super::access::SymbolicMemory;
use super::oracle::Resolver;
use super::special::store;
use crate::bytecode::CallSite;
use crate::memory::{Access, ObjectKind, PassedArgument};
use crate::stop::{ExecResult, fault};
use crate::value::Value;

impl Execution<'_, '_, '_> {
    /// Writes the variadic arguments, the last of the call, to an object of their own, in the
    /// layout that the callee's `va_arg` expects. Each fills whole words, as in a register or
    /// on the stack.
    pub(super) fn lay_out_varargs(&mut self, site: &CallSite, regs: &[Value]) -> ExecResult<u64> {
        let count: usize = site.varargs.iter().map(|arg| arg.operands as usize).sum();
        let mut rest = &site.args[site.args.len().saturating_sub(count)..];
        let mut pieces = Vec::with_capacity(site.varargs.len());
        let mut passed = Vec::with_capacity(site.varargs.len());
        let mut size = u64::from(VarArg::STACK);
        for arg in &site.varargs {
            let (covered, others) = rest.split_at((arg.operands as usize).min(rest.len()));
            rest = others;
            let bytes = covered.iter().map(|p| p.ty.store_bytes()).sum();
            let bytes = arg.by_value.unwrap_or(bytes);
            let offset = u64::from(arg.offset);
            size = size.max(offset + bytes.next_multiple_of(8));
            pieces.push((arg, covered, bytes.next_multiple_of(8)));
            passed.push(PassedArgument { offset, size: bytes });
        }
        let memory = &mut self.state.memory;
        let align = u64::from(VarArg::MAX_ALIGN);
        let kind = ObjectKind::Variadic(passed.into());
        let area = memory.allocate(size, align, kind, None).ok_or_else(|| {
            fault(FaultKind::StackExhausted, "the arguments do not fit on the stack")
        })?;
        for (arg, covered, words) in pieces {
            let mut at = area + u64::from(arg.offset);
            memory.fill(at, 0, words)?;
            for place in covered {
                match arg.by_value {
                    Some(bytes) => {
                        let path = &mut self.state.path;
                        let mut resolver =
                            Resolver { path, evaluator: &mut self.machine.evaluator };
                        let pool = &mut self.machine.pool;
                        let source = regs[place.slot as usize];
                        SymbolicMemory { pool, memory, resolver: &mut resolver }.copy(
                            Value::word(at),
                            source,
                            Value::word(bytes),
                        )?;
                    }
                    None => store(regs, memory, at, *place)?,
                }
                at += place.ty.store_bytes();
            }
        }
        Ok(area)
    }
}

impl SymbolicMemory<'_, '_> {
    /// Reads `len` bytes that may end with the padding of a structure which was passed in
    /// registers; `None` if they do not. At higher levels of optimisation, the program's own
    /// functions copy such a structure by words. The C library takes no structures.
    pub fn load_with_padding(&mut self, address: Value, len: u64) -> Option<ExecResult<ExprId>> {
        if address.expr.is_some() {
            return None;
        }
        let object = self.memory.live(address.bits)?;
        let ObjectKind::Variadic(passed) = &object.kind else { return None };
        let offset = address.bits.wrapping_sub(object.base);
        let may_be_padded = |it: &PassedArgument| it.offset == offset && it.size < len;
        let is_word = |it: &PassedArgument| it.offset + 8 == offset && it.size == 8;
        if offset >= u64::from(VarArg::VECTORS)
            || !passed.iter().any(may_be_padded)
            || !passed.iter().any(is_word)
        {
            return None;
        }
        let location = self.resolve(address, len, Access::Copy);
        Some(location.map(|location| self.read(location, len)))
    }
}
