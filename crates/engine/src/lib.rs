//! The execution engine: runs a module of Byway's IR, instruction by instruction,
//! on memory of its own. It does no I/O: the world is reached only through [`Env`].

mod config;
mod env;

pub use config::{Checks, Config, Invocation};
pub use env::{Clock, Env};

use byway_base::Outcome;
use byway_ir::Module;

/// What a concrete run came to.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended.
    pub outcome: Outcome,
    /// What it took.
    pub stats: Stats,
    /// What was answered with "not implemented" on the way, and how often.
    pub warnings: Vec<(String, u64)>,
}

/// Deterministic measures of a run.
#[derive(Copy, Clone, Default, Debug)]
pub struct Stats {
    /// IR instructions executed, terminators included.
    pub instructions: u64,
    /// Calls executed, intrinsics included.
    pub calls: u64,
    /// Heap objects made.
    pub heap_allocations: u64,
}

/// Runs a program concretely from its entry to its end.
pub fn run(_module: &Module, _config: &Config, _call: &Invocation, _env: &mut dyn Env) -> Finished {
    Finished { outcome: Outcome::Exit(0), stats: Stats::default(), warnings: Vec::new() }
}
