//! Answers satisfiability queries over path conditions.
//!
//! A [`Query`] asks whether a path condition and one more condition can hold together.
//! The [`Answer`] is sat with a model that evaluation has confirmed, unsat with a core, or
//! unknown; an unknown is never treated as either of the others. Cheap layers answer most
//! queries (see [`Stack`]), a bit-blaster over a SAT solver of our own ([`BitBlaster`]) most
//! of the rest, and Bitwuzla, in incremental instances, what remains.
//!
//! This crate sees terms, never states or programs.

mod answer;
pub mod backend;
mod blast;
mod budget;
mod checked;
mod layer;
mod logging;
mod query;
mod query_error;
mod solver;
mod stack;
mod statistics;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use byway_base::MemoryGuard;
use byway_expr::Pool;

pub use answer::{Answer, Core, UnknownReason};
pub use backend::BareBackend;
pub use blast::BitBlaster;
pub use budget::{Cancellation, QueryBudget};
pub use checked::CheckedSolver;
pub use logging::LoggingSolver;
pub use query::{Assignment, Query, Slice};
pub use query_error::{ErrorHandler, QueryError};
pub use solver::Solver;
pub use stack::{Stack, StackPart};
pub use statistics::{Layer, LayerCount, SolverClock, Statistics};

/// Configures the solver of a run.
#[derive(Clone)]
pub struct SolverOptions {
    /// Compare every answer with a bare backend.
    pub check: bool,
    /// Write every query into this directory.
    pub log: Option<PathBuf>,
    /// Once set, pending and later queries soon end as unknown.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Queries end as unknown when the process is larger.
    pub memory: Option<MemoryGuard>,
    /// Receives disagreements and failures to write the log.
    pub on_error: ErrorHandler,
}

/// Builds the solver of a run: the stack, wrapped for checking and logging as configured.
pub fn solver(pool: &Pool, options: SolverOptions) -> io::Result<Box<dyn Solver>> {
    let SolverOptions { interrupt, memory, on_error, .. } = &options;
    let stack = Stack::new(pool, interrupt.clone()).within(memory.clone());
    let mut solver: Box<dyn Solver> = Box::new(stack);
    if options.check {
        solver = Box::new(CheckedSolver::new(solver, interrupt.clone(), on_error.clone()));
    }
    if let Some(directory) = options.log {
        solver = Box::new(LoggingSolver::new(solver, directory, options.on_error)?);
    }
    Ok(solver)
}
