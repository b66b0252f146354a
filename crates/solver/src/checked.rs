//! Every answer compared with that of a bare backend (`--solver-check`).
//!
//! A model must satisfy all conjuncts and the asked term, a core must be excluded by
//! the bare backend as well, and where both know the answer it must be the same one.
//! Where the bare backend does not know, under the limits of the query, nothing was
//! shown either way: such an answer is neither confirmed nor contradicted.

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

/// A solver under watch.
pub struct CheckedSolver {
    inner: Box<dyn Solver>,
    bare: BareBackend,
    evaluator: Evaluator,
    on_error: ErrorHandler,
    /// What the solver did, and what comparing showed.
    statistics: Statistics,
}

/// What comparing an answer showed.
enum AnswerCheck {
    /// The answer is right.
    Confirmed,
    /// The bare backend does not know, or there was no answer.
    Nothing,
    /// The answer is wrong, and how.
    Wrong(&'static str),
}

impl CheckedSolver {
    /// Watches a solver. The bare backend ends soon after the flag is set.
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
            Answer::Unknown(_) => AnswerCheck::Nothing,
            Answer::Sat(model) => {
                if !whole.holds(pool, &mut self.evaluator, model) {
                    return AnswerCheck::Wrong("the model does not satisfy the query");
                }
                match self.bare.check_slice(pool, &whole, budget) {
                    Answer::Sat(_) => AnswerCheck::Confirmed,
                    Answer::Unsat(_) => AnswerCheck::Wrong("sat, the bare backend: unsat"),
                    Answer::Unknown(_) => AnswerCheck::Nothing,
                }
            }
            Answer::Unsat(core) => {
                if !core.conjuncts.iter().all(|&e| query.path.contains(e)) {
                    return AnswerCheck::Wrong("the core has terms that are not of the path");
                }
                // What excludes the core excludes all of the path.
                let core = Slice { conjuncts: core.conjuncts.to_vec(), condition: query.condition };
                match self.bare.check_slice(pool, &core, budget) {
                    Answer::Sat(_) => {
                        AnswerCheck::Wrong("unsat, the bare backend for the core: sat")
                    }
                    Answer::Unsat(_) => AnswerCheck::Confirmed,
                    Answer::Unknown(_) => AnswerCheck::Nothing,
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
            AnswerCheck::Nothing => {}
            AnswerCheck::Wrong(what) => {
                disagreements += 1;
                let terms: Vec<_> = Slice::whole(query).terms().collect();
                let query = smtlib::query(pool, &terms).unwrap_or_else(|error| error.to_string());
                (self.on_error)(&QueryError::Disagreement { what: what.into(), query });
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
