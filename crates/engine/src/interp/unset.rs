//! `--unset-memory symbolic`: what the user's code reads before it is set is symbolic input. An
//! object becomes input when it is created, so that a rerun of the test on a concrete run gives
//! it the same bytes by its name.

use super::Execution;
use super::symbolic::{set, term_of};
use crate::UnsetMemory;
use crate::bytecode::{Special, TypedSlot};
use crate::memory::ObjectKind;
use crate::value::Value;

/// The largest object that becomes symbolic; a larger one is zero, and counted.
const MOST_BYTES: u64 = 1 << 12;

/// The start of the names of such inputs.
pub const UNSET_PREFIX: &str = "unset_";

impl Execution<'_, '_, '_> {
    /// Makes what an operation of the user's code created symbolic input.
    pub(super) fn make_unset_symbolic(&mut self, special: &Special) {
        let Some(top) = self.state.stack.last() else { return };
        if !self.program.is_user(top.func) {
            return;
        }
        match special {
            Special::Alloca { d: slot, .. } | Special::Lifetime { addr: slot, begins: true } => {
                let at = top.regs[*slot as usize];
                if at.expr.is_none() {
                    self.make_unset_object_symbolic(at.bits);
                }
            }
            Special::Undefined { d, name } => self.make_unset_variable_symbolic(*d, name),
            _ => {}
        }
    }

    /// Makes the unset bytes of a new object of the user's code symbolic input.
    pub(crate) fn make_unset_object_symbolic(&mut self, base: u64) {
        let user = self.state.stack.last().is_some_and(|top| self.program.is_user(top.func));
        let Some(object) = self.state.memory.live(base) else { return };
        if self.program.unset_memory != UnsetMemory::Symbolic || !user || object.base != base {
            return;
        }
        let name: String = match &object.kind {
            ObjectKind::Stack(name) if !name.is_empty() => (**name).into(),
            ObjectKind::Stack(_) => "local".into(),
            _ => "heap".into(),
        };
        let size = object.size();
        if size > MOST_BYTES || object.symbolic_size().is_some() {
            let what =
                format!("unset memory of symbolic size or above {MOST_BYTES} bytes, which is zero");
            *self.machine.warnings.entry(what).or_default() += 1;
            return;
        }
        for range in object.unwritten_ranges(0..size) {
            let bytes = self.unset_input(&name, range.end - range.start);
            for (at, byte) in range.zip(bytes) {
                let term = term_of(&mut self.machine.pool, byte, 8);
                self.state.memory.write_term(&mut self.machine.pool, base, at, 1, term);
            }
        }
    }

    fn make_unset_variable_symbolic(&mut self, d: TypedSlot, name: &str) {
        let name = if name.is_empty() { "variable" } else { name };
        let bytes = self.unset_input(name, u64::from(d.ty.bits().div_ceil(8)));
        let pool = &mut self.machine.pool;
        let terms = bytes.into_iter().map(|byte| term_of(pool, byte, 8)).collect::<Vec<_>>();
        let whole = terms.into_iter().reduce(|low, high| pool.concat(high, low));
        if let (Some(whole), Some(top)) = (whole, self.state.stack.last_mut()) {
            let value = pool.extract(whole, 0, d.ty.bits());
            set(pool, &mut std::rc::Rc::make_mut(top).regs, d, value);
        }
    }

    /// The bytes of a new input; those of the test in a concrete run.
    fn unset_input(&mut self, name: &str, size: u64) -> Vec<Value> {
        let name = format!("{UNSET_PREFIX}{name}");
        if !self.machine.exploring {
            let given = self.machine.env().input(&name, size);
            let bytes = given.unwrap_or_else(|| vec![0; size as usize]);
            return bytes.iter().map(|&byte| Value::word(u64::from(byte))).collect();
        }
        let input = self.state.path.new_input(&mut self.machine.pool, &name, size as u32);
        // With seeds, the new input changes the witness.
        self.machine.evaluator.forget();
        let byte = |at| Value::symbolic(self.machine.pool.input_byte(input, at));
        (0..size as u32).map(byte).collect()
    }
}
