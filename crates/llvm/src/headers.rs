//! Directs a module's calls to the variants of libc's functions that suit the headers it was
//! compiled against.
//!
//! The C library is musl. Bitcode compiled against glibc's headers passes structures and
//! constants that differ from musl's to some functions. The runtime defines a variant of each
//! such function (`runtime/src/glibc_layouts.c`):
//!
//! - `__byway_any_f` accepts the arguments of both and replaces `f` in all of the program's
//!   modules;
//! - `__byway_glibc_f` accepts glibc's arguments alone and replaces `f` in modules compiled
//!   against glibc's headers. In a module that shows neither headers, a call of `f` ends the
//!   path by name.
//!
//! A function that the program itself defines is never replaced.

use std::ffi::c_void;

use llvm_sys::LLVMTypeKind;
use llvm_sys::prelude::LLVMTypeRef;

use crate::ffi;
use crate::llvm::{LlvmModule, LlvmType, LlvmValue};

/// The C library whose headers a module was compiled against.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Headers {
    Glibc,
    Musl,
    /// The module shows neither headers, or both.
    Unknown,
}

const ANY: &str = "__byway_any_";
const GLIBC: &str = "__byway_glibc_";

/// Symbols that glibc's headers alone refer to, by their beginnings.
const GLIBC_SYMBOLS: [&str; 8] = [
    "__isoc99_",
    "__isoc23_",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "__xpg_",
    "__sigsetjmp",
    "gnu_dev_",
];

/// Renames the functions that have variants in the declarations of a module of the program.
/// `compiled_here` modules are known to use musl's headers. `in_library` tells whether the
/// library defines a symbol, `in_program` whether the program does.
pub fn direct_calls(
    module: LlvmModule,
    compiled_here: bool,
    in_library: &dyn Fn(&str) -> bool,
    in_program: &dyn Fn(&str) -> bool,
) {
    let has_variant =
        |name: &str| [ANY, GLIBC].iter().any(|prefix| in_library(&format!("{prefix}{name}")));
    let candidates: Vec<LlvmValue> = module
        .functions()
        .filter(|f| f.is_declaration() && has_variant(&f.name()) && !in_program(&f.name()))
        .collect();
    if candidates.is_empty() {
        return;
    }
    let of_module = if compiled_here { Headers::Musl } else { detect(module, in_library) };
    for function in candidates {
        let name = function.name();
        let headers = headers_of_function(&name, function).unwrap_or(of_module);
        let any = format!("{ANY}{name}");
        let variant = match headers {
            _ if in_library(&any) => any,
            Headers::Glibc => format!("{GLIBC}{name}"),
            Headers::Musl => continue,
            Headers::Unknown => {
                format!(
                    "{name} (compiled against glibc's or musl's headers: the bitcode shows neither)"
                )
            }
        };
        // SAFETY: the function is of this module, and no other handle to it exists.
        unsafe { ffi::bw_rename_function(module.0, function.0, ffi::RawStr::lend(&variant)) };
    }
}

/// The headers that declare a function so, if its type shows it.
fn headers_of_function(name: &str, function: LlvmValue) -> Option<Headers> {
    let result = function.value_type().result().kind();
    match (name, result) {
        // glibc's headers call the variant with an integer result `__xpg_strerror_r`.
        ("strerror_r", LLVMTypeKind::LLVMIntegerTypeKind) => Some(Headers::Musl),
        ("strerror_r", LLVMTypeKind::LLVMPointerTypeKind) => Some(Headers::Glibc),
        _ => None,
    }
}

/// Looks for traces of the headers in a module.
fn detect(module: LlvmModule, in_library: &dyn Fn(&str) -> bool) -> Headers {
    let mut traces = Traces::default();
    for global in module.globals().filter(|g| g.is_declaration()) {
        if matches!(&*global.name(), "stdin" | "stdout" | "stderr") {
            // musl declares them const.
            traces.found(if global.is_constant_global() { Headers::Musl } else { Headers::Glibc });
        }
    }
    for function in module.functions().filter(|f| f.is_declaration()) {
        let name = function.name();
        let own_symbol = GLIBC_SYMBOLS.iter().any(|start| name.starts_with(start));
        // glibc declares most functions nothrow, musl none.
        // SAFETY: a function of this module.
        let nothrow = || unsafe { ffi::bw_is_declared_nothrow(function.0) };
        if own_symbol || nothrow() && in_library(&name) {
            traces.found(Headers::Glibc);
        }
    }
    // SAFETY: `visit` receives the pointer to `traces`, which outlives the call.
    unsafe { ffi::bw_each_struct(module.0, visit, (&raw mut traces).cast()) };
    traces.conclusion()
}

#[derive(Default)]
struct Traces {
    glibc: bool,
    musl: bool,
}

impl Traces {
    fn found(&mut self, headers: Headers) {
        self.glibc |= headers == Headers::Glibc;
        self.musl |= headers == Headers::Musl;
    }

    fn conclusion(&self) -> Headers {
        match (self.glibc, self.musl) {
            (true, false) => Headers::Glibc,
            (false, true) => Headers::Musl,
            _ => Headers::Unknown,
        }
    }
}

extern "C" fn visit(traces: *mut c_void, name: ffi::RawStr, ty: LLVMTypeRef) {
    // SAFETY: `detect` passes its traces; the name is the type's.
    let (traces, name) = unsafe { (&mut *traces.cast::<Traces>(), name.to_text()) };
    if let Some(headers) = headers_of_struct(&name, LlvmType(ty)) {
        traces.found(headers);
    }
}

/// The headers that define a structure so. LLVM numbers types of equal names.
fn headers_of_struct(name: &str, ty: LlvmType) -> Option<Headers> {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('.');
    let first = *ty.members().first()?;
    let is_long = first.kind() == LLVMTypeKind::LLVMIntegerTypeKind && first.int_width() == 64;
    match name {
        "struct._IO_FILE" => Some(Headers::Glibc),
        "struct.regmatch_t" | "struct.re_pattern_buffer" if is_long => Some(Headers::Musl),
        "struct.regmatch_t" | "struct.re_pattern_buffer" => Some(Headers::Glibc),
        _ => None,
    }
}
