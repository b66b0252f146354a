//! The seam: queries in, answers out.

use byway_expr::{Pool, Sweep};

use crate::answer::Answer;
use crate::budget::QueryBudget;
use crate::query::Query;
use crate::statistics::{SolverClock, Statistics};

/// Answers queries. Whoever owns it passes it on to [`Sweep::sweep`] when the pool
/// collects.
pub trait Solver: Sweep {
    /// Whether a path condition and one more term can hold together. The pool grows;
    /// ids stay what they are.
    fn check(&mut self, pool: &mut Pool, query: &Query, budget: QueryBudget) -> Answer;

    /// What it did so far.
    fn statistics(&self) -> &Statistics;

    /// What that took on the clock.
    fn clock(&self) -> SolverClock;

    /// About how many bytes it holds between queries: the same in every run that asked the
    /// same. Nothing, unless it says otherwise.
    fn bytes(&self) -> usize {
        0
    }

    /// Forgets what can be found out again, so that its memory is free.
    fn clear_caches(&mut self, _pool: &Pool) {}
}
