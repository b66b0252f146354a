//! Test files and their meaning.
//!
//! [`ktest`] is the format of test files, which KLEE's tools share; [`atomic`] writes a file
//! whole or not at all. [`symbolic`] parses the options for symbolic input, and decodes a
//! test into the arguments, environment and files of its program.

#![forbid(unsafe_code)]

pub mod atomic;
pub mod ktest;
pub mod symbolic;
