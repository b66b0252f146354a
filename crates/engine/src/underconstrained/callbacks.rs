//! The functions that a pointer of unconstrained input can refer to: those whose address the
//! user's code takes.

use std::collections::BTreeSet;

use byway_ir::{Const, FuncId, Function, Module, Origin, Symbol, Ty};

use super::{DebugLayout, UnconstrainedOptions};

/// The functions whose address the user's code takes, with their signatures.
pub fn callbacks(module: &Module, options: UnconstrainedOptions) -> Vec<(FuncId, String)> {
    let types = DebugLayout::new(module, options);
    let signature = |func: FuncId| {
        let function = &module.funcs[func];
        let in_source = function.ty.and_then(|ty| types.signature(ty));
        (func, in_source.unwrap_or_else(|| signature_of(function)))
    };
    address_taken(module).into_iter().map(signature).collect()
}

fn address_taken(module: &Module) -> BTreeSet<FuncId> {
    let is_user = |func: &&Function| func.origin == Origin::User;
    let in_code = module.funcs.values().filter(is_user).flat_map(|func| func.consts.values());
    let in_code = in_code.filter_map(|constant| match constant {
        Const::Address { symbol: Symbol::Func(func), .. } => Some(*func),
        _ => None,
    });
    let globals = module.globals.values().filter(|global| global.origin == Origin::User);
    let relocs = globals.filter_map(|global| global.init.as_ref()).flat_map(|init| &init.relocs);
    let in_data = relocs.filter_map(|reloc| match reloc.plus {
        Symbol::Func(func) => Some(func),
        _ => None,
    });
    in_code.chain(in_data).collect()
}

/// The signature of a function without debug information, as far as its values tell.
fn signature_of(function: &Function) -> String {
    let class = |ty: Ty| match ty {
        Ty::Ptr => "pointer".to_string(),
        Ty::Int(bits) => format!("int{bits}"),
        float => format!("float{}", float.bits()),
    };
    let mut text = function.rets.first().map_or("void".to_string(), |&ty| class(ty));
    for &param in &function.params {
        text += &format!(",{}", class(function.vals[param]));
    }
    if function.variadic { text + ",..." } else { text }
}
