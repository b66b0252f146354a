//! Lowers LLVM bitcode to Byway's IR: the only crate that links LLVM.
//!
//! [`link`] reads bitcode, textual IR and archives and links them into one LLVM module;
//! [`lower`] translates it to a [`byway_ir::Module`]. [`mutation`] finds the mutation
//! points of a C source with libclang. The executable `byway-llvm` runs all of it in a
//! process of its own, so that a crash of LLVM on damaged input cannot stop the engine.

mod asm;
mod debug;
mod ffi;
mod headers;
pub mod intrinsics;
pub mod libm;
pub mod link;
pub mod llvm;
pub mod lower;
pub mod merge;
pub mod mutation;
pub mod native;
mod sanitizer;
pub mod shape;

/// Installs handlers for the executable: a crash inside LLVM ends the process with a
/// one-line message and exit code 2.
pub fn contain_crashes() {
    // SAFETY: installs handlers; called once at the start of the process.
    unsafe { ffi::bw_contain_crashes() };
}
