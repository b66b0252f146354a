//! Tests as files, and running them natively.
//!
//! [`ktest`] is the format tests are kept in, the one KLEE's tools read; [`atomic`]
//! puts a file in place whole or not at all. [`native`] compiles a program for this
//! machine and runs tests on it. [`symbolic`] reads what was asked to be input.
//! [`snapshot`] tells what a program left in a directory, which is [`held`] meanwhile.
//! [`child`] runs a command under a watchful eye, [`tempdir`] is for files nobody
//! should see afterwards.

pub mod atomic;
pub mod child;
pub mod held;
pub mod ktest;
pub mod native;
pub mod sandbox;
pub mod snapshot;
pub mod symbolic;
pub mod tempdir;
