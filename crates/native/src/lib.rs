//! Running programs natively.
//!
//! A program is compiled for this machine, linked with a library that takes its inputs from
//! a test, checked by clang's sanitizers, and run in a [`sandbox`]:
//!
//! ```text
//! BuildSpec ──Executable::build────────▶ with sanitizers ────────────┐
//!           ──Executable::build_exact──▶ with the exploration's libc ─┴─run(job)──▶ NativeRun
//!           ──UnitBuild::build─────────▶ objects, for recompiling single units
//!           ──InputProgram::build──────▶ with edge counters ──InputRunner────▶ millions of runs
//! ```
//!
//! The address sanitizer ends the program at a fault that Byway reports as a fault too. Findings
//! of the undefined behaviour sanitizer are only recorded as remarks, because many of them
//! are no faults to Byway (an inner array overrun inside its struct, a null pointer that is
//! offset but not read).
//!
//! [`inputs`] runs a program on many inputs, without sanitizers and faster than a process each.
//!
//! [`child`] runs a command with a time limit. [`snapshot`] fingerprints the directory that a
//! program leaves; [`dir_handle`] reads it without following links.

pub mod child;
pub mod dir_handle;
pub mod inputs;
pub mod sandbox;
pub mod snapshot;

mod build;
mod exact;
mod memory_build;
mod report;
mod run;
mod symbols;
mod unit_build;

pub use build::{
    BuildError, BuildSpec, Executable, NativeLinking, ProgramSource, SourceKind, write_library,
};
pub use exact::Musl;
pub use memory_build::UNINITIALISED;
pub use run::{FailedAssertion, NativeEnding, NativeJob, NativeRun, Remark, SanitizerReport};
pub use unit_build::UnitBuild;
