//! LLVM bitcode in, Byway IR out.

pub mod intrinsics;
pub mod shape;
