//! Calls through a pointer to a function of an incompatible type.
//!
//! [`CallShape`] decides what is compatible.

use byway_base::FaultKind;
use byway_ir::analysis::{CallShape, SignatureMismatch, suits};
use byway_ir::{FuncId, Function, Ty};

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
        if is_equal(site, code, callee) {
            return Ok(());
        }
        let function = &self.program.module.funcs[caller.func];
        let inst = self.program.code(caller.func).insts.get(caller.pc as usize - 1);
        let call = inst.copied().flatten().map(|inst| &function.insts[inst]);
        let shape = call.and_then(|call| CallShape::of(function, call));
        match shape.and_then(|shape| shape.mismatch(callee)) {
            Some(mismatch) => {
                let message = format!("call of '{}' {}", callee.name, describe(mismatch));
                Err(fault(FaultKind::BadFunctionPointer, message))
            }
            None => Ok(()),
        }
    }
}

/// Whether the types of a call are those of the function, so that nothing else need be known.
fn is_equal(site: &CallSite, code: &Code, callee: &Function) -> bool {
    let args = site.args.iter().zip(&code.params).all(|(arg, param)| suits(arg.ty, param.ty));
    let results = site.dsts.iter().zip(&callee.rets).all(|(dst, &ret)| suits(ret, dst.ty));
    args && results && code.params.len() <= site.args.len() && site.dsts.len() <= callee.rets.len()
}

/// "with 1 argument; it takes 2"
fn describe(mismatch: SignatureMismatch) -> String {
    match mismatch {
        SignatureMismatch::Argument { index, passed, taken } => {
            format!("with {} as argument {}, for {}", name(passed), index + 1, name(taken))
        }
        SignatureMismatch::TooFew { passed, taken } => {
            let plural = if passed == 1 { "" } else { "s" };
            format!("with {passed} argument{plural}; it takes {taken}")
        }
        SignatureMismatch::NoResult => "for its result; it returns none".into(),
        SignatureMismatch::Result { wanted, returned } => {
            format!("for {}; it returns {}", name(wanted), name(returned))
        }
    }
}

/// "an integer of 32 bits"
fn name(ty: Ty) -> String {
    match ty {
        Ty::Int(bits) => format!("an integer of {bits} bits"),
        Ty::Ptr => "a pointer".into(),
        float => format!("a floating-point number of {} bits", float.bits()),
    }
}
