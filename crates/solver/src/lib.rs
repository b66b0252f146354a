//! The solver: a query in, an answer out.
//!
//! A [`Query`] asks whether a path condition and one more term can hold together. The
//! [`Answer`] is a model, which evaluation has confirmed, or conjuncts that exclude
//! the term, or that nobody knows; an unknown is never taken for either. Most queries
//! are answered by cheap layers (see [`Stack`]), most others by circuits over a SAT solver
//! of our own ([`BitBlaster`]), and the rest by Bitwuzla, in instances that grow along paths.
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

/// How a run wants its solver.
pub struct SolverOptions {
    /// Compare every answer with a bare backend.
    pub check: bool,
    /// Write every query into this directory.
    pub log: Option<PathBuf>,
    /// Once set, queries end soon, unanswered.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Who hears of disagreements, and of a log that cannot be written.
    pub on_error: ErrorHandler,
}

/// The solver of a run: the stack, watched and written down as asked.
pub fn solver(pool: &Pool, options: SolverOptions) -> io::Result<Box<dyn Solver>> {
    let SolverOptions { interrupt, on_error, .. } = &options;
    let mut solver: Box<dyn Solver> = Box::new(Stack::new(pool, interrupt.clone()));
    if options.check {
        solver = Box::new(CheckedSolver::new(solver, interrupt.clone(), on_error.clone()));
    }
    if let Some(directory) = options.log {
        solver = Box::new(LoggingSolver::new(solver, directory, options.on_error)?);
    }
    Ok(solver)
}
