//! LLVM.
