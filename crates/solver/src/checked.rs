//! Compares every answer with a bare backend (`--solver-check`).
//!
//! A model must satisfy all conjuncts and the condition, the bare backend must find a core
//! unsat as well, and where both solvers decide a query they must agree. If the bare backend
//! does not decide it within the query's budget, the answer counts as neither confirmed nor
//! contradicted.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use byway_expr::smtlib;
use byway_expr::{Collected, Evaluator, Pool, Sweep};

use crate::answer::Answer;
use crate::backend::BareBackend;
use crate::budget::QueryBudget;
use crate::query::{Query, Slice};
use crate::query_error::{ErrorHandler, QueryError};
use crate::solver::Solver;
use crate::statistics::{SolverClock, Statistics};

/// Checks the answers of another solver.
pub struct CheckedSolver {
    inner: Box<dyn Solver>,
    bare: BareBackend,
    evaluator: Evaluator,
    on_error: ErrorHandler,
    /// The inner solver's counts, with the counts of the comparisons.
    statistics: Statistics,
}

/// The result of comparing an answer.
enum AnswerCheck {
    Confirmed,
    /// The answer is unknown, or the bare backend's is.
    Inconclusive,
    /// The answer is wrong; says how.
    Wrong(&'static str),
}

impl CheckedSolver {
    /// Checks a solver. The bare backend stops soon after `interrupt` is set.
    pub fn new(
        inner: Box<dyn Solver>,
        interrupt: Option<Arc<AtomicBool>>,
        on_error: ErrorHandler,
    ) -> CheckedSolver {
        CheckedSolver {
            inner,
            bare: BareBackend::new(interrupt),
            evaluator: Evaluator::new(),
            on_error,
            statistics: Statistics::default(),
        }
    }

    fn compare(
        &mut self,
        pool: &mut Pool,
        query: &Query,
        budget: QueryBudget,
        answer: &Answer,
    ) -> AnswerCheck {
        let whole = Slice::whole(query);
        match answer {
            Answer::Unknown(_) => AnswerCheck::Inconclusive,
            Answer::Sat(model) => {
                if !whole.holds(pool, &mut self.evaluator, model) {
                    return AnswerCheck::Wrong("the model does not satisfy the query");
                }
                match self.bare.check_slice(pool, &whole, budget) {
                    Answer::Sat(_) => AnswerCheck::Confirmed,
                    Answer::Unsat(_) => AnswerCheck::Wrong("sat, the bare backend: unsat"),
                    Answer::Unknown(_) => AnswerCheck::Inconclusive,
                }
            }
            Answer::Unsat(core) => {
                if !core.conjuncts.iter().all(|&e| query.path.contains(e)) {
                    return AnswerCheck::Wrong("the core has terms that are not of the path");
                }
                // If the core is unsat, so is the whole path.
                let core = Slice { conjuncts: core.conjuncts.to_vec(), condition: query.condition };
                match self.bare.check_slice(pool, &core, budget) {
                    Answer::Sat(_) => {
                        AnswerCheck::Wrong("unsat, the bare backend for the core: sat")
                    }
                    Answer::Unsat(_) => AnswerCheck::Confirmed,
                    Answer::Unknown(_) => AnswerCheck::Inconclusive,
                }
            }
        }
    }
}

impl Solver for CheckedSolver {
    fn check(&mut self, pool: &mut Pool, query: &Query, budget: QueryBudget) -> Answer {
        let answer = self.inner.check(pool, query, budget);
        let Statistics { mut confirmed, mut disagreements, .. } = self.statistics;
        match self.compare(pool, query, budget, &answer) {
            AnswerCheck::Confirmed => confirmed += 1,
            AnswerCheck::Inconclusive => {}
            AnswerCheck::Wrong(difference) => {
                disagreements += 1;
                let terms: Vec<_> = Slice::whole(query).terms().collect();
                let query = smtlib::query(pool, &terms).unwrap_or_else(|error| error.to_string());
                let difference = difference.into();
                (self.on_error)(&QueryError::Disagreement { difference, query });
            }
        }
        self.statistics = Statistics { confirmed, disagreements, ..*self.inner.statistics() };
        answer
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn clock(&self) -> SolverClock {
        self.inner.clock()
    }

    fn bytes(&self) -> usize {
        self.inner.bytes()
    }

    fn clear_caches(&mut self, pool: &Pool) {
        self.inner.clear_caches(pool);
    }
}

impl Sweep for CheckedSolver {
    fn sweep(&mut self, collected: &Collected) {
        self.inner.sweep(collected);
    }
}
