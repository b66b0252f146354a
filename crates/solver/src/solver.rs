//! The interface of every solver.

use byway_expr::{Pool, Sweep};

use crate::answer::Answer;
use crate::budget::QueryBudget;
use crate::query::Query;
use crate::statistics::{SolverClock, Statistics};

/// Answers queries. Its owner must call [`Sweep::sweep`] after every collection of the pool.
pub trait Solver: Sweep {
    /// Decides whether the path condition and the query's condition can hold together. May
    /// add terms to the pool; existing ids stay valid.
    fn check(&mut self, pool: &mut Pool, query: &Query, budget: QueryBudget) -> Answer;

    /// Counts of all queries so far; the same in every run that asks the same queries.
    fn statistics(&self) -> &Statistics;

    /// Wall-clock time of all queries so far.
    fn clock(&self) -> SolverClock;

    /// Approximate memory held between queries, in bytes; the same in every run that asks
    /// the same queries.
    fn bytes(&self) -> usize {
        0
    }

    /// Drops all state that can be recomputed, to free its memory.
    fn clear_caches(&mut self, _pool: &Pool) {}
}
