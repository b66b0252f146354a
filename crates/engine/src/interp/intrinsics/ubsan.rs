//! Calls of UBSan's handlers: the path ends with the fault that the handler reports, whether or
//! not a native run would go on after it.

use super::IntrinsicResult;
use crate::interp::Execution;
use crate::stop::{ExecResult, fault};
use crate::ubsan::{HandlerData, UbsanCheck, UbsanHandler};
use crate::value::Value;

impl Execution<'_, '_, '_> {
    /// Ends the path. Symbolic arguments are shown with the witness's values: this path is the
    /// one on which the check fails.
    pub(super) fn ubsan(
        &mut self,
        handler: UbsanHandler,
        args: &[Value],
    ) -> ExecResult<IntrinsicResult> {
        if handler.check == UbsanCheck::DynamicType && !handler.minimal {
            // A miss of a cache: the handler compares types of C++ itself.
            let what = "-fsanitize=vptr: dynamic types are not compared".to_string();
            *self.machine.warnings.entry(what).or_default() += 1;
            return Ok(IntrinsicResult::Value(Value::word(0)));
        }
        let args: Vec<u64> = args.iter().map(|&value| self.witnessed_word(value)).collect();
        let program = self.program;
        let function = |address| {
            let func = program.func_at(address)?;
            Some(program.module.funcs[func].name.clone())
        };
        let located = self.user_location().is_some();
        let read = &mut |at, len| self.witnessed_bytes(at, len).ok();
        let mut data = HandlerData { args: &args, read, function: &function };
        let (kind, mut message) = data.fault(handler);
        // Without debug information the handler's data alone has the line.
        if !located
            && !handler.minimal
            && let Some(location) = data.location()
        {
            message = format!("{message} ({location})");
        }
        Err(fault(kind, message))
    }

    fn witnessed_word(&mut self, value: Value) -> u64 {
        match value.expr {
            Some(term) => {
                let witness = &self.state.path.witness;
                self.machine.evaluator.value(&self.machine.pool, witness, term) as u64
            }
            None => value.bits,
        }
    }
}
