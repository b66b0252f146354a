//! A start in any function: a function without parameters that makes the arguments as
//! unconstrained input, calls the function and returns 0, as if it were `main`.

use std::fmt;

use byway_base::entity::EntityRef;

use byway_ir::{
    Callee, CastOp, DebugTy, DebugTyId, FuncId, Function, FunctionBuilder, Inst, Module, Operand,
    Origin, Ty,
};

use super::layout::{DebugLayout, FieldKind, SpecialField};
use super::{ObjectLayout, UnconstrainedOptions};

/// The name of the function that starts the program, if it starts in a function other than
/// `main` and is not linked with the runtime.
pub(crate) const ENTRY: &str = "__byway_entry";

/// The intrinsic that makes one parameter.
const PARAMETER: &str = "__byway_parameter";
/// The intrinsic that makes the variables of the user's code.
const GLOBALS: &str = "__byway_unconstrained_globals";
/// The intrinsic that excludes a path.
const ASSUME: &str = "__byway_assume";

/// Why a path cannot start in a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EntryError {
    /// It is only declared.
    Declared,
    /// It takes variadic arguments.
    Variadic,
    /// The predicate takes more than the function, or something else.
    Predicate(String),
}

impl fmt::Display for EntryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EntryError::Declared => f.write_str("it is only declared"),
            EntryError::Variadic => f.write_str("it takes variadic arguments"),
            EntryError::Predicate(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for EntryError {}

/// Adds a function that calls `func` on unconstrained input. Its arguments are also passed to
/// the predicate `assume` before, if there is one; paths on which it returns 0 are excluded. It
/// may be called for any number of functions of a module, before the module is laid out.
pub fn add_entry(
    module: &mut Module,
    func: FuncId,
    assume: Option<FuncId>,
) -> Result<FuncId, EntryError> {
    check_callee(&module.funcs[func])?;
    if let Some(predicate) = assume {
        let predicate = &module.funcs[predicate];
        let name = &predicate.name;
        check_callee(predicate)
            .map_err(|why| EntryError::Predicate(format!("'{name}' cannot be called: {why}")))?;
    }
    let parameters = parameters(module, func);
    let predicate = match assume {
        Some(predicate) => {
            Some((predicate, predicate_arguments(module, func, predicate, &parameters)?))
        }
        None => None,
    };
    let intrinsics = Intrinsics {
        parameter: declare(module, PARAMETER, &[Ty::Ptr, Ty::Int(64), Ty::Int(64)]),
        globals: declare(module, GLOBALS, &[]),
        assume: declare(module, ASSUME, &[Ty::Int(64)]),
    };
    let name = match module.func_by_name(ENTRY) {
        None => ENTRY.to_string(),
        Some(_) => format!("{ENTRY}.{}", module.funcs[func].name),
    };
    let body = build(module, name, func, &parameters, predicate, &intrinsics);
    Ok(module.funcs.push(body))
}

/// Whether a function can be called on unconstrained input.
fn check_callee(callee: &Function) -> Result<(), EntryError> {
    match callee.is_declaration() {
        true => Err(EntryError::Declared),
        false if callee.variadic => Err(EntryError::Variadic),
        false => Ok(()),
    }
}

/// Starts the program in `entry`, a function that [`add_entry`] made, instead of `main`.
pub fn start_at(module: &mut Module, entry: FuncId) {
    let Some(main) = module.func_by_name("main") else { return };
    if module.funcs[main].is_declaration() {
        let mut body = module.funcs[entry].clone();
        body.name = "main".into();
        module.funcs[main] = body;
        return;
    }
    let runtime = |(id, func): &(FuncId, &mut Function)| {
        // The entry itself may call `main`.
        func.origin == Origin::Runtime && *id != entry
    };
    for (_, func) in module.funcs.iter_mut().filter(runtime) {
        for inst in func.insts.values_mut() {
            if let Inst::Call { callee: Callee::Direct(callee), args, .. } = inst
                && *callee == main
            {
                *callee = entry;
                *args = Box::default();
            }
        }
    }
}

/// The functions of the engine that an entry calls.
struct Intrinsics {
    parameter: FuncId,
    globals: FuncId,
    assume: FuncId,
}

fn declare(module: &mut Module, name: &str, params: &[Ty]) -> FuncId {
    module.func_by_name(name).unwrap_or_else(|| {
        let declaration = Function::declare(name.into(), Origin::Runtime, params, &[], false);
        module.funcs.push(declaration)
    })
}

/// A parameter of the source, and how it is passed.
struct EntryParameter {
    /// Its number in the source; `None` for the place of a result that is returned in memory.
    number: Option<u64>,
    layout: ObjectLayout,
    passed: Passed,
}

/// How a parameter is passed.
enum Passed {
    /// As these scalars, which are at these offsets in memory.
    Scalars(Vec<(Ty, u64)>),
    /// By the address of a copy.
    Address,
}

/// The parameters of a function: as its type in the source says, if that suits how they are
/// passed; otherwise one for each value that is passed.
fn parameters(module: &Module, func: FuncId) -> Vec<EntryParameter> {
    let function = &module.funcs[func];
    let passed: Vec<Ty> = function.params.iter().map(|&val| function.vals[val]).collect();
    let types = DebugLayout::new(module, UnconstrainedOptions::default());
    source_parameters(&types, function.ty, &passed).unwrap_or_else(|| {
        let unknown = |(number, &ty): (usize, &Ty)| EntryParameter {
            number: Some(number as u64),
            layout: ObjectLayout { element: None, count: 1, size: ty.store_bytes() },
            passed: Passed::Scalars(vec![(ty, 0)]),
        };
        passed.iter().enumerate().map(unknown).collect()
    })
}

/// The parameters that a type of the source has; `None` if they do not suit the values passed.
fn source_parameters(
    types: &DebugLayout,
    ty: Option<DebugTyId>,
    passed: &[Ty],
) -> Option<Vec<EntryParameter>> {
    let (_, DebugTy::Function { result, params, .. }) = types.resolve(ty)? else { return None };
    let mut parameters = Vec::new();
    let mut rest = passed;
    if types.size(*result).is_some_and(|size| size > 16)
        && rest.first() == Some(&Ty::Ptr)
        && matches!(types.resolve(*result), Some((_, DebugTy::Struct { .. })))
    {
        let size = types.size(*result)?;
        let layout = ObjectLayout { element: *result, count: 1, size };
        parameters.push(EntryParameter { number: None, layout, passed: Passed::Address });
        rest = &rest[1..];
    }
    for (number, &param) in params.iter().enumerate() {
        let size = types.size(param)?;
        let is_struct = matches!(types.resolve(param)?.1, DebugTy::Struct { .. });
        let passed = match is_struct {
            true if rest.first() == Some(&Ty::Ptr) && !starts_with_pointer(types, param, size) => {
                rest = &rest[1..];
                Passed::Address
            }
            true => Passed::Scalars(take_scalars(&mut rest, size)?),
            false => {
                let (&scalar, others) = rest.split_first()?;
                rest = others;
                (scalar.store_bytes() <= size).then_some(Passed::Scalars(vec![(scalar, 0)]))?
            }
        };
        let layout = ObjectLayout { element: param, count: 1, size };
        parameters.push(EntryParameter { number: Some(number as u64), layout, passed });
    }
    rest.is_empty().then_some(parameters)
}

/// Whether a structure is passed in registers and its first word is a pointer.
fn starts_with_pointer(types: &DebugLayout, ty: Option<DebugTyId>, size: u64) -> bool {
    let layout = ObjectLayout { element: ty, count: 1, size };
    size <= 16 && types.fields(&layout).iter().any(|field| field.offset == 0)
}

/// The scalars in which a structure of `size` bytes is passed in registers.
fn take_scalars(rest: &mut &[Ty], size: u64) -> Option<Vec<(Ty, u64)>> {
    let (mut scalars, mut offset) = (Vec::new(), 0u64);
    while offset < size {
        let (&ty, others) = rest.split_first()?;
        let bytes = ty.store_bytes();
        offset = offset.next_multiple_of(bytes.next_power_of_two());
        if offset + bytes > size.next_multiple_of(8) {
            return None;
        }
        scalars.push((ty, offset));
        offset += bytes;
        *rest = others;
        // The second register starts at the second word.
        if offset < 8 && size > 8 && rest.first().is_none_or(|next| offset + next.store_bytes() > 8)
        {
            offset = 8;
        }
    }
    Some(scalars)
}

/// How many of an entry's arguments a predicate takes.
fn predicate_arguments(
    module: &Module,
    entry: FuncId,
    predicate: FuncId,
    parameters: &[EntryParameter],
) -> Result<usize, EntryError> {
    let function = &module.funcs[predicate];
    let types = DebugLayout::new(module, UnconstrainedOptions::default());
    let in_source = |func: FuncId| types.parameters(module.funcs[func].ty);
    let name = &function.name;
    let error = |why: &str| Err(EntryError::Predicate(format!("'{name}' {why}")));
    let scalars = |parameter: &EntryParameter| match &parameter.passed {
        Passed::Scalars(scalars) => scalars.iter().map(|&(ty, _)| ty).collect(),
        Passed::Address => vec![Ty::Ptr],
    };
    let passed: Vec<Ty> =
        parameters.iter().filter(|it| it.number.is_some()).flat_map(scalars).collect();
    let taken: Vec<Ty> = function.params.iter().map(|&val| function.vals[val]).collect();
    if taken.len() > passed.len() {
        return error("takes more than the function");
    }
    // A structure in memory and a pointer are passed as the same value.
    let differs_in_source = match (in_source(entry), in_source(predicate)) {
        (Some(own), Some(other)) => !own.starts_with(&other),
        _ => false,
    };
    if taken != passed[..taken.len()] || differs_in_source {
        return error("takes other parameters than the function");
    }
    match function.rets.as_slice() {
        [Ty::Int(bits)] if *bits <= 64 => Ok(taken.len()),
        _ => error("does not return an integer"),
    }
}

/// The body of the function that calls `func`.
fn build(
    module: &Module,
    name: String,
    func: FuncId,
    parameters: &[EntryParameter],
    predicate: Option<(FuncId, usize)>,
    intrinsics: &Intrinsics,
) -> Function {
    let declaration = Function::declare(name, Origin::Runtime, &[], &[Ty::Int(32)], false);
    let mut b = FunctionBuilder::new(declaration);
    let block = b.create_block();
    b.switch_to(block);
    call(&mut b, intrinsics.globals, &[], &[]);
    let mut args = Vec::new();
    // The place of the result is no argument of the predicate.
    let mut hidden = 0;
    for parameter in parameters {
        let at = place(&mut b, parameter);
        match parameter.number {
            Some(number) => {
                // By number: an address would make it a function that pointers may refer to.
                let function = b.int(64, func.index() as i128);
                let number = b.int(64, number.into());
                call(&mut b, intrinsics.parameter, &[at, function, number], &[]);
            }
            None => hidden += 1,
        }
        match &parameter.passed {
            Passed::Address => args.push(at),
            Passed::Scalars(scalars) => {
                for &(ty, offset) in scalars {
                    let address = b.ptr_add(at, offset as i64, None, true);
                    args.push(b.load(ty, address, 1, false));
                }
            }
        }
    }
    if let Some((predicate, count)) = predicate {
        let rets = module.funcs[predicate].rets.clone();
        let holds = call(&mut b, predicate, &args[hidden..hidden + count], &rets);
        let holds = match rets[0] {
            Ty::Int(64) => holds[0],
            _ => b.cast(CastOp::Zext, holds[0], Ty::Int(64)),
        };
        call(&mut b, intrinsics.assume, &[holds], &[]);
    }
    let rets = module.funcs[func].rets.clone();
    call(&mut b, func, &args, &rets);
    let zero = b.int(32, 0);
    b.ret(&[zero]);
    b.finish()
}

/// A parameter of a function as input.
pub(crate) struct ParameterInput {
    /// Its name in the source.
    pub name: String,
    pub layout: ObjectLayout,
    /// The parts of it that are not plain bytes.
    pub fields: Vec<SpecialField>,
}

/// The parameter of this number; `None` if the function has none.
pub(crate) fn parameter(module: &Module, func: FuncId, number: u64) -> Option<ParameterInput> {
    let types = DebugLayout::new(module, UnconstrainedOptions::default());
    let all = parameters(module, func);
    let parameter = all.into_iter().find(|parameter| parameter.number == Some(number))?;
    let fields = match (&parameter.passed, parameter.layout.element) {
        // A pointer to an unknown type.
        (Passed::Scalars(scalars), None) if scalars.as_slice() == [(Ty::Ptr, 0)] => {
            let (path, kind) = (String::new(), FieldKind::Pointer(None));
            vec![SpecialField { offset: 0, path, kind }]
        }
        _ => types.fields(&parameter.layout),
    };
    let scope = module.funcs[func].scope.map(|scope| &module.debug.scopes[scope]);
    let name = scope.and_then(|scope| scope.params.get(number as usize));
    let name = name.filter(|name| !name.is_empty()).cloned();
    let name = name.unwrap_or_else(|| format!("arg{number}"));
    Some(ParameterInput { name, layout: parameter.layout, fields })
}

/// Memory for a parameter.
fn place(b: &mut FunctionBuilder, parameter: &EntryParameter) -> Operand {
    let dst = b.new_val(Ty::Ptr);
    // Loads of a structure in registers may reach into the rest of its last word.
    let size = parameter.layout.size.next_multiple_of(8);
    let count = b.int(64, 1);
    b.push(Inst::Alloca { dst, size, count, align: 16, name: Box::default() });
    dst.into()
}

fn call(b: &mut FunctionBuilder, func: FuncId, args: &[Operand], rets: &[Ty]) -> Vec<Operand> {
    let dsts: Box<[_]> = rets.iter().map(|&ty| b.new_val(ty)).collect();
    let results = dsts.iter().map(|&val| val.into()).collect();
    b.push(Inst::Call {
        callee: Callee::Direct(func),
        args: args.into(),
        varargs: Box::default(),
        dsts,
        tail: false,
    });
    results
}
