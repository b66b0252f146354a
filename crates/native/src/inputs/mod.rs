//! Runs a program on many inputs at native speed, counting the edges of its control flow.
//!
//! ```text
//! BuildSpec ─byway-llvm─▶ linked program, a counter on every edge ─clang─▶ object ─┐
//!                                                        server/server.c ──────────┴▶ executable
//!
//! InputRunner ─ shared memory: inputs ─▶ server, in the sandbox ─▶ the program
//!             ◀──────── endings, counts ─┘
//! ```
//!
//! The program is the one that is explored: the same bitcode, linked with the same C library and
//! the same model of the operating system, and the functions that the engine supplies are those
//! of `server/intrinsics.h`. So it makes no system calls, its arguments, files and standard input
//! come from the input as they do in an exploration, and its counters have the numbers of the
//! IR's blocks ([`EdgeTable`]).
//!
//! The server waits at the program's first request for input. [`RunMode::Fork`] runs each input in
//! a process of its own from there; [`RunMode::Loop`] runs one after the other in one process and
//! undoes their changes to memory. A run that crashes or exceeds its time ends its process alone.
//!
//! Inputs come from an [`InputGenerator`], or from files in AFL's layout ([`corpus`]).
//!
//! Not detected are faults that the machine does not notice, such as small overflows: a run on the
//! engine finds them.

mod build;
pub mod corpus;
mod dictionary;
mod edges;
mod ending;
mod generate;
mod memory;
mod runner;
mod server_process;
mod shared;

pub use build::{InputProgram, LoweringTools};
pub use dictionary::InputDictionary;
pub use edges::{CountedEdge, EdgeTable};
pub use ending::InputEnding;
pub use generate::{InputGenerator, InputSource};
pub use runner::{
    BatchResult, InputBatch, InputRun, InputRunner, NovelRun, RequestedObject, RunLimits, RunMode,
    RunnerError,
};
pub use shared::ProgramWords;

#[cfg(test)]
mod tests;
