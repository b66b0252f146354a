//! LLVM intrinsics that correspond to functions of the C library.
//!
//! Like a back end, this turns `llvm.sin.f64` into a call of `sin`. It does so before the
//! C library is linked, so that the function is linked too.

use llvm_sys::LLVMTypeKind as K;
use llvm_sys::core::LLVMFunctionType;
use llvm_sys::prelude::LLVMTypeRef;

use crate::ffi;
use crate::intrinsics::libm_function;
use crate::llvm::{LlvmModule, LlvmType, LlvmValue};

/// The functions to call for each lane, one per member of the intrinsic's result; empty
/// for an intrinsic that is not a library function.
pub fn functions(intrinsic: &str) -> Vec<String> {
    match intrinsic.strip_prefix("llvm.sincos.") {
        Some(types) => ["sin", "cos"]
            .iter()
            .filter_map(|base| libm_function(&format!("llvm.{base}.{types}")))
            .collect(),
        None => libm_function(intrinsic).into_iter().collect(),
    }
}

/// The engine function that implements an intrinsic with non-local control flow.
fn engine_function(intrinsic: &str) -> Option<&'static str> {
    match intrinsic {
        "llvm.eh.sjlj.setjmp" => Some("__byway_builtin_setjmp"),
        "llvm.eh.sjlj.longjmp" => Some("__byway_builtin_longjmp"),
        _ => None,
    }
}

/// Replaces these intrinsics by their functions. Where the lowering has to adapt the call
/// (vectors, metadata arguments), only declares the functions.
pub fn replace_intrinsics(module: LlvmModule) {
    let intrinsics: Vec<LlvmValue> = module.functions().filter(|f| f.is_intrinsic()).collect();
    for intrinsic in intrinsics {
        let name = intrinsic.name();
        if let Some(function) = engine_function(&name) {
            rename(module, intrinsic, function);
            continue;
        }
        let functions = functions(&name);
        match &functions[..] {
            [function] if has_plain_type(intrinsic) => rename(module, intrinsic, function),
            _ => functions.iter().for_each(|f| declare(module, f, scalar_type(intrinsic))),
        }
    }
}

fn rename(module: LlvmModule, intrinsic: LlvmValue, function: &str) {
    // SAFETY: the handle is a function of the module; the string outlives the call.
    unsafe { ffi::bw_rename_function(module.0, intrinsic.0, ffi::RawStr::lend(function)) };
}

fn declare(module: LlvmModule, function: &str, ty: LLVMTypeRef) {
    // SAFETY: a function type of the module's own context.
    unsafe { ffi::bw_declare(module.0, ffi::RawStr::lend(function), ty) };
}

/// Whether the intrinsic and the function take the same arguments.
fn has_plain_type(intrinsic: LlvmValue) -> bool {
    let ty = intrinsic.value_type();
    let mut types = ty.params().into_iter().chain([ty.result()]);
    types.all(|t| !matches!(t.kind(), K::LLVMVectorTypeKind | K::LLVMMetadataTypeKind))
}

/// The function's type: the intrinsic's with each vector replaced by its lane type.
fn scalar_type(intrinsic: LlvmValue) -> LLVMTypeRef {
    let lane = |ty: LlvmType| match ty.kind() {
        K::LLVMVectorTypeKind => ty.element(),
        _ => ty,
    };
    let ty = intrinsic.value_type();
    let result = ty.result().members_if_struct().first().copied().unwrap_or(ty.result());
    let mut params: Vec<LLVMTypeRef> = ty
        .params()
        .into_iter()
        .filter(|t| t.kind() != K::LLVMMetadataTypeKind)
        .map(|t| lane(t).0)
        .collect();
    // SAFETY: all types are of one context.
    unsafe { LLVMFunctionType(lane(result).0, params.as_mut_ptr(), params.len() as u32, 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intrinsics_map_to_one_or_two_functions() {
        assert_eq!(functions("llvm.pow.v2f64"), ["pow"]);
        assert_eq!(functions("llvm.sincos.f32"), ["sinf", "cosf"]);
        assert!(functions("llvm.sqrt.f64").is_empty());
        assert!(functions("llvm.memcpy.p0.p0.i64").is_empty());
    }
}
