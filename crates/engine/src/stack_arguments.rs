//! The arguments of the calls on a stack.
//!
//! A callee's slots of its parameters may serve other values by now. The frame of its caller still
//! has what it passed, because nothing in it changes before the call returns.

use std::rc::Rc;

use byway_base::StackArgument;
use byway_ir::{DebugTy, FuncId};

use crate::bytecode::{ByteOp, CallSite, CallTarget, TypedSlot};
use crate::program::Program;
use crate::state::Frame;
use crate::value::mask;

/// The arguments of the call at an index of a stack, outermost first. None if they are unknown: the
/// entry has no caller, and a tail call leaves none.
pub fn arguments_of(program: &Program, stack: &[Rc<Frame>], index: usize) -> Vec<StackArgument> {
    let Some((caller, callee)) =
        index.checked_sub(1).and_then(|i| stack.get(i).zip(stack.get(index)))
    else {
        return Vec::new();
    };
    let Some(site) =
        call_site(program, caller).filter(|site| calls(program, site, caller, callee.func))
    else {
        return Vec::new();
    };
    let params = &program.code(callee.func).params;
    let arguments = params.iter().zip(&site.args).enumerate();
    arguments
        .map(|(number, (param, argument))| StackArgument {
            name: parameter_name(program, callee.func, number),
            bits: param.ty.bits(),
            value: value_of_slot(caller, *argument),
        })
        .collect()
}

/// The call that a frame waits for.
fn call_site<'p>(program: &'p Program, caller: &Frame) -> Option<&'p CallSite> {
    let code = program.code(caller.func);
    match code.ops.get(caller.pc.checked_sub(1)? as usize)? {
        ByteOp::Call { index, .. } => code.calls.get(*index as usize),
        _ => None,
    }
}

/// Whether a call of this frame is a call of the function. The callee of a symbolic pointer is not
/// known any more.
fn calls(program: &Program, site: &CallSite, caller: &Frame, func: FuncId) -> bool {
    match site.callee {
        CallTarget::Direct(callee) => callee == func,
        CallTarget::Indirect(slot) => caller
            .regs
            .get(slot as usize)
            .is_some_and(|it| it.expr.is_none() && program.func_at(it.bits) == Some(func)),
    }
}

fn value_of_slot(frame: &Frame, place: TypedSlot) -> Option<u128> {
    let low = frame.regs.get(place.slot as usize).filter(|it| it.expr.is_none())?;
    if !place.ty.is_wide() {
        return Some(u128::from(low.bits & mask(place.ty.bits() as u8)));
    }
    let high = frame.regs.get(place.slot as usize + 1).filter(|it| it.expr.is_none())?;
    Some(u128::from(high.bits) << 64 | u128::from(low.bits))
}

/// The name of a parameter, where the parameters of the source are those of the code, one to one.
fn parameter_name(program: &Program, func: FuncId, number: usize) -> Option<String> {
    let module = program.module;
    let func = &module.funcs[func];
    let DebugTy::Function { params, .. } = &module.debug.types[func.ty?] else { return None };
    let names = &module.debug.scopes[func.scope?].params;
    let name = names.get(number).filter(|name| !name.is_empty());
    name.filter(|_| params.len() == func.params.len()).cloned()
}

#[cfg(test)]
mod tests {
    use byway_base::Outcome;

    use crate::{Config, DeterministicEnv, Invocation, run};

    #[test]
    fn arguments_are_what_the_caller_passed() {
        let text = "bwir 1
module \"test\"
func user @deep(v0:i8, v1:i1, v2:i128, v3:ptr) -> i32 {
b0:
  v4:i8 = add v0, 1:i8
  v5:i8 = mul v4, v4
  v6:i32 = zext v5
  v7:i32 = udiv v6, 0:i32
  ret v7
}
func user @main() -> i32 {
b0:
  v0:i8 = add 200:i8, 100:i8
  v1:i32 = call @deep(v0, 1:i1, 36893488147419103233:i128, @deep)
  ret v1
}
";
        let module = byway_ir::text::parse(text).expect("a module");
        let call = Invocation { args: vec![b"prog".to_vec()], ..Invocation::default() };
        for is_on in [true, false] {
            let config = Config { stack_arguments: is_on, ..Config::default() };
            let ended = run(&module, &config, &call, &mut DeterministicEnv::default());
            let Outcome::Fault(fault) = ended.outcome else { panic!("{:?}", ended.outcome) };
            let arguments = &fault.stack[0].arguments;
            let values: Vec<(u32, Option<u128>)> =
                arguments.iter().map(|it| (it.bits, it.value)).collect();
            match is_on {
                true => assert_eq!(
                    values[..3],
                    [(8, Some(44)), (1, Some(1)), (128, Some(36893488147419103233))]
                ),
                false => assert!(values.is_empty()),
            }
            assert!(fault.stack[1].arguments.is_empty(), "the entry has no caller");
        }
    }
}
