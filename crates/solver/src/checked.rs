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
use crate::backend::Bare;
use crate::budget::Budget;
use crate::query::{Query, Slice};
use crate::solver::Solver;
use crate::statistics::{Clock, Statistics};
use crate::trouble::{Report, Trouble};

/// A solver under watch.
pub struct Checked {
    inner: Box<dyn Solver>,
    bare: Bare,
    evaluator: Evaluator,
    report: Report,
    /// What the solver did, and what comparing showed.
    statistics: Statistics,
}

/// What comparing an answer showed.
enum Finding {
    /// The answer is right.
    Confirmed,
    /// The bare backend does not know, or there was no answer.
    Nothing,
    /// The answer is wrong, and how.
    Wrong(&'static str),
}

impl Checked {
    /// Watches a solver. The bare backend ends soon after the flag is set.
    pub fn new(
        inner: Box<dyn Solver>,
        interrupt: Option<Arc<AtomicBool>>,
        report: Report,
    ) -> Checked {
        Checked {
            inner,
            bare: Bare::new(interrupt),
            evaluator: Evaluator::new(),
            report,
            statistics: Statistics::default(),
        }
    }

    fn compare(
        &mut self,
        pool: &mut Pool,
        query: &Query,
        budget: Budget,
        answer: &Answer,
    ) -> Finding {
        let whole = Slice::whole(query);
        match answer {
            Answer::Unknown(_) => Finding::Nothing,
            Answer::Sat(model) => {
                if !whole.holds(pool, &mut self.evaluator, model) {
                    return Finding::Wrong("the model does not satisfy the query");
                }
                match self.bare.check_slice(pool, &whole, budget) {
                    Answer::Sat(_) => Finding::Confirmed,
                    Answer::Unsat(_) => Finding::Wrong("sat, the bare backend: unsat"),
                    Answer::Unknown(_) => Finding::Nothing,
                }
            }
            Answer::Unsat(core) => {
                if !core.conjuncts.iter().all(|&e| query.path.contains(e)) {
                    return Finding::Wrong("the core has terms that are not of the path");
                }
                // What excludes the core excludes all of the path.
                let core = Slice { conjuncts: core.conjuncts.to_vec(), asked: query.asked };
                match self.bare.check_slice(pool, &core, budget) {
                    Answer::Sat(_) => Finding::Wrong("unsat, the bare backend for the core: sat"),
                    Answer::Unsat(_) => Finding::Confirmed,
                    Answer::Unknown(_) => Finding::Nothing,
                }
            }
        }
    }
}

impl Solver for Checked {
    fn check(&mut self, pool: &mut Pool, query: &Query, budget: Budget) -> Answer {
        let answer = self.inner.check(pool, query, budget);
        let Statistics { mut confirmed, mut disagreements, .. } = self.statistics;
        match self.compare(pool, query, budget, &answer) {
            Finding::Confirmed => confirmed += 1,
            Finding::Nothing => {}
            Finding::Wrong(what) => {
                disagreements += 1;
                let terms: Vec<_> = Slice::whole(query).terms().collect();
                let query = smtlib::query(pool, &terms).unwrap_or_else(|error| error.to_string());
                (self.report)(&Trouble::Disagreement { what: what.into(), query });
            }
        }
        self.statistics = Statistics { confirmed, disagreements, ..*self.inner.statistics() };
        answer
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn clock(&self) -> Clock {
        self.inner.clock()
    }

    fn bytes(&self) -> usize {
        self.inner.bytes()
    }

    fn shed(&mut self, pool: &Pool) {
        self.inner.shed(pool);
    }
}

impl Sweep for Checked {
    fn sweep(&mut self, collected: &Collected) {
        self.inner.sweep(collected);
    }
}
