//! Coverage measured natively: the program is built with the counters of gcc or clang, each
//! test runs on it in a sandbox, and its counters are decoded.
//!
//! ```text
//! [`build`] ──▶ an instrumented program ──[`measure`]──▶ counters of each test
//! [`units`]: its compilation units and their notes ──[`gcov`]──▶ covered lines, branch sides
//! ```

mod bitcode;
pub mod build;
pub mod gcov;
pub mod measure;
pub mod units;
