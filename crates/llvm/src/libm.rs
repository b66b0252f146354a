//! LLVM intrinsics that are a function of the C library under another name.
//!
//! A back end would turn `llvm.sin.f64` into a call of `sin`; so do we, before the
//! C library is linked, so that the function comes along.

use llvm_sys::core::{
    LLVMDoubleTypeInContext, LLVMFloatTypeInContext, LLVMFunctionType, LLVMGetModuleContext,
    LLVMInt32TypeInContext, LLVMPointerTypeInContext, LLVMVoidTypeInContext,
    LLVMX86FP80TypeInContext,
};
use llvm_sys::prelude::LLVMTypeRef;

use crate::ffi;
use crate::llvm::LlvmModule;

/// How the library function differs from the intrinsic.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// Not at all: same arguments, same result.
    Same,
    /// `frexp`: the integer comes back through a pointer.
    Frexp,
    /// `modf`: the integral part comes back through a pointer.
    Modf,
    /// `sincos`: both results come back through pointers.
    SinCos,
}

/// A library function that does what an intrinsic says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Libm {
    /// Its name.
    pub function: String,
    /// How it is called.
    pub form: Form,
    /// The intrinsic works on vectors: one call per lane.
    pub vector: bool,
    /// How many floats it takes.
    pub floats: u32,
    /// Whether an `int` follows them.
    pub takes_int: bool,
    /// The float format, as LLVM abbreviates it: f32, f64 or f80.
    pub format: String,
}

const ONE_FLOAT: &[&str] = &[
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "exp2", "exp10",
    "log", "log2", "log10",
];
const TO_INTEGER: &[&str] = &["lround", "llround", "lrint", "llrint"];

/// The library function for an intrinsic of this name, if it is one of those.
pub fn of(intrinsic: &str) -> Option<Libm> {
    let mut parts = intrinsic.strip_prefix("llvm.")?.split('.');
    let base = parts.next()?;
    let (form, floats, takes_int) = match base {
        "pow" | "atan2" => (Form::Same, 2, false),
        "ldexp" | "powi" => (Form::Same, 1, true),
        "frexp" => (Form::Frexp, 1, false),
        "modf" => (Form::Modf, 1, false),
        "sincos" => (Form::SinCos, 1, false),
        _ if ONE_FLOAT.contains(&base) || TO_INTEGER.contains(&base) => (Form::Same, 1, false),
        _ => return None,
    };
    let types: Vec<&str> = parts.collect();
    let float = *types.iter().find(|t| t.contains('f'))?;
    let (vector, format) = match float.split_once('f')? {
        ("", width) => (false, width),
        (lanes, width) if lanes.starts_with('v') => (true, width),
        _ => return None,
    };
    let (letter, suffix) = match format {
        "32" => ('s', "f"),
        "64" => ('d', ""),
        "80" => ('x', "l"),
        _ => return None,
    };
    let function = match base {
        "powi" => format!("__powi{letter}f2"),
        _ => format!("{base}{suffix}"),
    };
    Some(Libm { function, form, vector, floats, takes_int, format: format!("f{format}") })
}

/// Non-standard control flow that a function of the engine implements.
fn engine_function(intrinsic: &str) -> Option<&'static str> {
    match intrinsic {
        "llvm.eh.sjlj.setjmp" => Some("__byway_builtin_setjmp"),
        "llvm.eh.sjlj.longjmp" => Some("__byway_builtin_longjmp"),
        _ => None,
    }
}

/// Replaces such intrinsics by the functions, or declares the functions where the
/// lowering has to adapt the call.
pub fn replace_intrinsics(module: LlvmModule) {
    let intrinsics: Vec<_> = module.functions().filter(|f| f.is_intrinsic()).collect();
    for intrinsic in intrinsics {
        let name = intrinsic.name();
        let libm = of(&name);
        if let Some(function) = engine_function(&name)
            .map(str::to_owned)
            .or_else(|| libm.as_ref().filter(|l| l.is_plain()).map(|l| l.function.clone()))
        {
            // SAFETY: the handle is a function of the module; the string is lent.
            unsafe { ffi::bw_rename_function(module.0, intrinsic.0, ffi::Str::lend(&function)) };
        } else if let Some(libm) = libm {
            let ty = libm.function_type(module);
            // SAFETY: as above, with a type of the module's context.
            unsafe { ffi::bw_declare(module.0, ffi::Str::lend(&libm.function), ty) };
        }
    }
}

impl Libm {
    fn is_plain(&self) -> bool {
        self.form == Form::Same && !self.vector
    }

    fn function_type(&self, module: LlvmModule) -> LLVMTypeRef {
        // SAFETY: types are made in the module's own context and only used there.
        unsafe {
            let context = LLVMGetModuleContext(module.0);
            let float = match self.format.as_str() {
                "f32" => LLVMFloatTypeInContext(context),
                "f64" => LLVMDoubleTypeInContext(context),
                _ => LLVMX86FP80TypeInContext(context),
            };
            let pointer = LLVMPointerTypeInContext(context, 0);
            let mut params = vec![float; self.floats as usize];
            if self.takes_int {
                params.push(LLVMInt32TypeInContext(context));
            }
            let result = match self.form {
                Form::Same => float,
                Form::Frexp | Form::Modf => {
                    params.push(pointer);
                    float
                }
                Form::SinCos => {
                    params.extend([pointer, pointer]);
                    LLVMVoidTypeInContext(context)
                }
            };
            LLVMFunctionType(result, params.as_mut_ptr(), params.len() as u32, 0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let name = |intrinsic: &str| of(intrinsic).map(|l| (l.function, l.form, l.vector));
        assert_eq!(name("llvm.sin.f64"), Some(("sin".into(), Form::Same, false)));
        assert_eq!(name("llvm.pow.f32"), Some(("powf".into(), Form::Same, false)));
        assert_eq!(name("llvm.exp.f80"), Some(("expl".into(), Form::Same, false)));
        assert_eq!(name("llvm.log.v2f64"), Some(("log".into(), Form::Same, true)));
        assert_eq!(name("llvm.lround.i64.f32"), Some(("lroundf".into(), Form::Same, false)));
        assert_eq!(name("llvm.powi.f64.i32"), Some(("__powidf2".into(), Form::Same, false)));
        assert_eq!(name("llvm.frexp.f64.i32"), Some(("frexp".into(), Form::Frexp, false)));
        assert_eq!(name("llvm.sqrt.f64"), None);
        assert_eq!(name("llvm.sin.f128"), None);
        assert_eq!(name("llvm.memcpy.p0.p0.i64"), None);
    }
}
