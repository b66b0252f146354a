//! KLEE's tools under their own names, with their options and the form of their output, so
//! that scripts written for KLEE run unchanged.

pub mod klee_replay;
pub mod klee_stats;
pub mod ktest_gen;
pub mod ktest_randgen;
pub mod ktest_tool;

mod python_text;
mod test_builder;

/// The size of symbolic standard output in KLEE's model, in bytes.
const STDOUT_SIZE: usize = 1024;
