//! Tests as files, and running them natively.
//!
//! [`ktest`] is the format tests are kept in, the one KLEE's tools read; [`atomic`]
//! puts a file in place whole or not at all; [`tempdir`] is for files nobody should
//! see afterwards.

pub mod atomic;
pub mod ktest;
pub mod tempdir;
