//! Rust declarations of the C++ shim (`src/shim/`), which adds what LLVM's C interface,
//! used through `llvm-sys`, lacks.

use std::ffi::{c_char, c_uint, c_void};

use llvm_sys::prelude::*;

/// A string owned by Rust or by LLVM, without a terminating zero.
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RawStr {
    /// May be null if `len` is zero.
    pub data: *const c_char,
    /// In bytes.
    pub len: usize,
}

impl RawStr {
    /// Borrows a Rust string for a call of the shim.
    pub fn lend(text: &str) -> RawStr {
        RawStr { data: text.as_ptr().cast(), len: text.len() }
    }

    /// The bytes of the string.
    ///
    /// # Safety
    /// The string must be alive for `'a`.
    pub unsafe fn bytes<'a>(self) -> &'a [u8] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the caller guarantees the lifetime, the shim the length.
        unsafe { std::slice::from_raw_parts(self.data.cast(), self.len) }
    }

    /// The string as UTF-8, invalid sequences replaced.
    ///
    /// # Safety
    /// The string must be alive.
    pub unsafe fn to_text(self) -> String {
        // SAFETY: as above.
        String::from_utf8_lossy(unsafe { self.bytes() }).into_owned()
    }
}

/// The low 128 bits of a constant, and its width.
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RawBits {
    pub low: u64,
    pub high: u64,
    pub width: u32,
}

/// One term of a GEP's offset: `bytes`, or `index * bytes` if `index` is not null.
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RawGepStep {
    pub index: LLVMValueRef,
    pub bytes: i64,
}

/// The `byval` attribute of a parameter or argument.
#[repr(C)]
#[derive(Copy, Clone)]
pub struct RawByVal {
    pub size: u64,
    pub align: u32,
    pub present: bool,
}

/// A node of debug information.
pub type MetadataPtr = *const c_void;

#[repr(C)]
#[derive(Copy, Clone)]
pub struct RawLocation {
    pub subprogram: MetadataPtr,
    pub file: MetadataPtr,
    pub inlined_at: MetadataPtr,
    pub line: u32,
    pub column: u32,
}

#[repr(C)]
#[derive(Copy, Clone)]
pub struct RawSubprogram {
    pub name: RawStr,
    pub file: MetadataPtr,
    pub ty: MetadataPtr,
    pub line: u32,
}

#[repr(C)]
#[derive(Copy, Clone)]
pub struct RawFile {
    pub directory: RawStr,
    pub name: RawStr,
    /// Empty if it is not known.
    pub md5: RawStr,
}

/// The kinds of [`RawType`]; the shim returns only these numbers.
pub mod type_kind {
    pub const BASE: u32 = 1;
    pub const POINTER: u32 = 2;
    pub const STRUCT: u32 = 3;
    pub const UNION: u32 = 4;
    pub const ARRAY: u32 = 5;
    pub const ENUM: u32 = 6;
    pub const TYPEDEF: u32 = 7;
    pub const FUNCTION: u32 = 8;
    pub const QUALIFIER: u32 = 9;
}

#[repr(C)]
#[derive(Copy, Clone)]
pub struct RawType {
    pub kind: u32,
    pub name: RawStr,
    pub bits: u64,
    pub is_signed: bool,
    pub is_float: bool,
    pub target: MetadataPtr,
    pub elements: u32,
}

#[repr(C)]
#[derive(Copy, Clone)]
pub struct RawElement {
    pub name: RawStr,
    pub offset: u64,
    pub bits: u64,
    pub ty: MetadataPtr,
    pub value: i64,
    pub variadic: bool,
}

#[repr(C)]
#[derive(Copy, Clone)]
pub struct RawVariable {
    pub name: RawStr,
    pub ty: MetadataPtr,
    pub file: MetadataPtr,
    pub subprogram: MetadataPtr,
    pub line: u32,
}

unsafe extern "C" {
    pub fn bw_free(message: *mut c_char);
    pub fn bw_init();
    pub fn bw_contain_crashes();
    pub fn bw_context() -> LLVMContextRef;
    pub fn bw_parse(
        context: LLVMContextRef,
        data: RawStr,
        name: RawStr,
        lazy: bool,
        error: *mut *mut c_char,
    ) -> LLVMModuleRef;
    pub fn bw_empty_module(context: LLVMContextRef, name: RawStr) -> LLVMModuleRef;
    pub fn bw_drop_module(module: LLVMModuleRef);
    pub fn bw_verify(module: LLVMModuleRef) -> *mut c_char;
    pub fn bw_mark_origin(module: LLVMModuleRef, origin: RawStr);
    pub fn bw_origin(value: LLVMValueRef) -> RawStr;
    pub fn bw_drop_module_flags(module: LLVMModuleRef);
    pub fn bw_make_library(module: LLVMModuleRef, suffix: RawStr, keep_constructors: bool);
    pub fn bw_undefine(module: LLVMModuleRef, name: RawStr);
    pub fn bw_rename_function(module: LLVMModuleRef, from: LLVMValueRef, to: RawStr);
    pub fn bw_is_declared_nothrow(function: LLVMValueRef) -> bool;
    pub fn bw_each_struct(
        module: LLVMModuleRef,
        visit: extern "C" fn(*mut c_void, RawStr, LLVMTypeRef),
        context: *mut c_void,
    );
    pub fn bw_declare(module: LLVMModuleRef, name: RawStr, ty: LLVMTypeRef);
    pub fn bw_linker(destination: LLVMModuleRef) -> *mut c_void;
    pub fn bw_drop_linker(linker: *mut c_void);
    pub fn bw_link(linker: *mut c_void, source: LLVMModuleRef, only_needed: bool) -> *mut c_char;
    pub fn bw_decide_constants(module: LLVMModuleRef);
    pub fn bw_promote_locals(module: LLVMModuleRef);

    pub fn bw_count_entry(function: LLVMValueRef, counter: c_uint);
    pub fn bw_count_edge(from: LLVMBasicBlockRef, to: LLVMBasicBlockRef, counter: c_uint) -> bool;
    pub fn bw_define_stub(function: LLVMValueRef, stub: RawStr);
    pub fn bw_drop_body(function: LLVMValueRef);
    pub fn bw_prepare_native(module: LLVMModuleRef);

    pub fn bw_value_kind(value: LLVMValueRef) -> u32;
    pub fn bw_int_bits(constant: LLVMValueRef) -> RawBits;
    pub fn bw_int_word(constant: LLVMValueRef, n: c_uint) -> u64;
    pub fn bw_fp_bits(constant: LLVMValueRef) -> RawBits;
    pub fn bw_data_bytes(constant: LLVMValueRef) -> RawStr;
    pub fn bw_gep_steps(
        gep: LLVMValueRef,
        module: LLVMModuleRef,
        out: *mut RawGepStep,
        room: usize,
    ) -> usize;
    pub fn bw_param_byval(function: LLVMValueRef, n: c_uint) -> RawByVal;
    pub fn bw_arg_byval(call: LLVMValueRef, n: c_uint) -> RawByVal;
    pub fn bw_constrained_predicate(call: LLVMValueRef) -> RawStr;
    pub fn bw_alloca_name(alloca: LLVMValueRef) -> RawStr;
    pub fn bw_undefined_variable(inst: LLVMValueRef, name: *mut RawStr) -> bool;
    pub fn bw_parameter_name(function: LLVMValueRef, record: c_uint, name: *mut RawStr) -> c_uint;
    pub fn bw_is_used(value: LLVMValueRef) -> bool;
    pub fn bw_is_optimised(function: LLVMValueRef) -> bool;
    pub fn bw_is_scalable(ty: LLVMTypeRef) -> bool;
    pub fn bw_is_metadata(value: LLVMValueRef) -> bool;
    pub fn bw_access_align(value: LLVMValueRef) -> c_uint;

    pub fn bw_inst_location(inst: LLVMValueRef) -> MetadataPtr;
    pub fn bw_location(metadata: MetadataPtr) -> RawLocation;
    pub fn bw_function_subprogram(function: LLVMValueRef) -> MetadataPtr;
    pub fn bw_subprogram(metadata: MetadataPtr) -> RawSubprogram;
    pub fn bw_file(metadata: MetadataPtr) -> RawFile;
    pub fn bw_global_variable(global: LLVMValueRef, out: *mut RawVariable) -> bool;
    pub fn bw_type(metadata: MetadataPtr) -> RawType;
    pub fn bw_type_element(metadata: MetadataPtr, n: u32, out: *mut RawElement) -> bool;
}
