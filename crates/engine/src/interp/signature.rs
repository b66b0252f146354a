//! Calls through a pointer to a function of an incompatible type.
//!
//! What counts is the x86-64 ABI, not the type in the source: pointers and integers share
//! registers, an integer may be narrower than what was passed, and arguments that the callee
//! does not take do no harm. So a callee must take each argument in the class of registers that
//! the caller passed it in, must not take more bits than were passed, and must return what the
//! caller uses. An argument or a result that is never used may be missing.

use byway_base::FaultKind;
use byway_ir::{FuncId, Function, Inst, Ty, Val};

use super::Execution;
use crate::bytecode::{CallSite, Code};
use crate::state::Frame;
use crate::stop::{ExecResult, fault};

impl Execution<'_, '_, '_> {
    /// Checks that a call through a pointer suits the function that it points to.
    pub(super) fn check_signature(
        &self,
        site: &CallSite,
        func: FuncId,
        code: &Code,
        caller: &Frame,
    ) -> ExecResult<()> {
        let callee = &self.program.module.funcs[func];
        let missing = code.params.len() > site.args.len();
        let fits = |(arg, param): (Ty, Ty)| arg == param || holds(arg, param);
        let types = site.args.iter().map(|it| it.ty).zip(code.params.iter().map(|it| it.ty));
        let wrong = types.clone().position(|pair| !fits(pair));
        let result = result_mismatch(site, callee);
        if !missing && wrong.is_none() && result.is_none() {
            return Ok(());
        }
        let name = &callee.name;
        let is_taken = |index: &usize| is_used(callee, callee.params[*index]);
        if let Some(index) = wrong.filter(is_taken)
            && let Some((arg, param)) = types.clone().nth(index)
        {
            let (arg, param, number) = (describe(arg), describe(param), index + 1);
            let message = format!("call of '{name}' with {arg} as argument {number}, for {param}");
            return Err(fault(FaultKind::BadFunctionPointer, message));
        }
        if (site.args.len()..code.params.len()).any(|index| is_taken(&index)) {
            let (passed, taken) = (site.args.len(), code.params.len());
            let plural = if passed == 1 { "" } else { "s" };
            let message =
                format!("call of '{name}' with {passed} argument{plural}; it takes {taken}");
            return Err(fault(FaultKind::BadFunctionPointer, message));
        }
        match result {
            Some(message) if self.is_result_used(site, caller) => {
                Err(fault(FaultKind::BadFunctionPointer, format!("call of '{name}' {message}")))
            }
            _ => Ok(()),
        }
    }

    /// Whether the caller uses a result of its current call.
    fn is_result_used(&self, site: &CallSite, caller: &Frame) -> bool {
        let function = &self.program.module.funcs[caller.func];
        let code = self.program.code(caller.func);
        let inst = code.insts.get(caller.pc as usize - 1).copied().flatten();
        match inst.map(|inst| &function.insts[inst]) {
            Some(Inst::Call { dsts, .. }) => {
                site.tail || dsts.iter().any(|&dst| is_used(function, dst))
            }
            _ => false,
        }
    }
}

/// Whether a value of one type can be received as the other.
fn holds(passed: Ty, received: Ty) -> bool {
    let is_general = |ty: Ty| matches!(ty, Ty::Int(_) | Ty::Ptr) && !ty.is_wide();
    // Arguments and results narrower than 32 bits are extended to that.
    is_general(passed) && is_general(received) && (received.bits() <= 32 || passed.bits() > 32)
}

fn result_mismatch(site: &CallSite, callee: &Function) -> Option<String> {
    for (index, wanted) in site.dsts.iter().enumerate() {
        match callee.rets.get(index) {
            None => return Some("for its result; it returns none".into()),
            Some(&returned) if returned != wanted.ty && !holds(returned, wanted.ty) => {
                let (wanted, returned) = (describe(wanted.ty), describe(returned));
                return Some(format!("for {wanted}; it returns {returned}"));
            }
            Some(_) => {}
        }
    }
    None
}

/// "a 32-bit integer"
fn describe(ty: Ty) -> String {
    match ty {
        Ty::Int(bits) => format!("an integer of {bits} bits"),
        Ty::Ptr => "a pointer".into(),
        float => format!("a floating-point number of {} bits", float.bits()),
    }
}

/// Whether some instruction uses a value.
fn is_used(function: &Function, val: Val) -> bool {
    let mut used = false;
    let mut see = |op: byway_ir::Operand| used |= op.as_val() == Some(val);
    function.insts.values().for_each(|inst| inst.for_each_use(&mut see));
    function.blocks.values().for_each(|block| block.term.for_each_use(&mut see));
    used
}
