//! Tests as files, and what they mean.
//!
//! [`ktest`] is the format tests are stored in, the one KLEE's tools read; [`atomic`]
//! writes a file whole or not at all. [`symbolic`] reads which inputs a program's
//! arguments ask for, and what a test of it consists of: arguments, environment, files.

pub mod atomic;
pub mod ktest;
pub mod symbolic;
