//! LLVM bitcode in, Byway IR out: the only crate that links LLVM.
//!
//! [`link`] reads bitcode, textual IR and archives and makes one LLVM module of
//! them; [`lower`] turns it into a [`byway_ir::Module`]. [`mutation`] asks libclang where
//! a C source can be changed. The executable `byway-llvm` does all of it in a process
//! of its own, so that whatever LLVM does on damaged input cannot take the engine down.

mod ar;
mod asm;
mod debug;
mod ffi;
pub mod intrinsics;
pub mod libm;
pub mod link;
pub mod llvm;
pub mod lower;
pub mod mutation;
pub mod shape;

/// For the executable: makes crashes inside LLVM end the process with one line
/// and exit code 2.
pub fn contain_crashes() {
    // SAFETY: installs handlers; called once at the start of the process.
    unsafe { ffi::bw_contain_crashes() };
}
