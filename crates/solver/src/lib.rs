//! The solver: a query in, an answer out.
//!
//! A [`Query`] asks whether a path condition and one more term can hold together. The
//! [`Answer`] is a model, which evaluation has confirmed, or conjuncts that exclude
//! the term, or that nobody knows; an unknown is never taken for either. Most queries
//! are answered by cheap layers (see [`Stack`]), most others by circuits over a SAT solver
//! of our own ([`FastPath`]), and the rest by Bitwuzla, in instances that grow along paths.
//!
//! This crate sees terms, never states or programs.

mod answer;
pub mod backend;
mod blast;
mod budget;
mod checked;
mod layer;
mod logged;
mod query;
mod solver;
mod stack;
mod statistics;
mod trouble;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use byway_expr::Pool;

pub use answer::{Answer, Core, Why};
pub use backend::Bare;
pub use blast::FastPath;
pub use budget::{Budget, Outside};
pub use checked::Checked;
pub use logged::Logged;
pub use query::{Assignment, Query, Slice};
pub use solver::Solver;
pub use stack::{Part, Stack};
pub use statistics::{Clock, Layer, LayerCount, Statistics};
pub use trouble::{Report, Trouble};

/// How a run wants its solver.
pub struct Options {
    /// Compare every answer with a bare backend.
    pub check: bool,
    /// Write every query into this directory.
    pub log: Option<PathBuf>,
    /// Once set, queries end soon, unanswered.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Who hears of disagreements, and of a log that cannot be written.
    pub report: Report,
}

/// The solver of a run: the stack, watched and written down as asked.
pub fn solver(pool: &Pool, options: Options) -> io::Result<Box<dyn Solver>> {
    let Options { interrupt, report, .. } = &options;
    let mut solver: Box<dyn Solver> = Box::new(Stack::new(pool, interrupt.clone()));
    if options.check {
        solver = Box::new(Checked::new(solver, interrupt.clone(), report.clone()));
    }
    if let Some(directory) = options.log {
        solver = Box::new(Logged::new(solver, directory, options.report)?);
    }
    Ok(solver)
}
