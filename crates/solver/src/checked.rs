//! Every answer compared with that of a bare backend (`--solver-check`).
//!
//! A model must satisfy all conjuncts and the asked term, a core must be excluded by
//! the bare backend as well, and where both know the answer it must be the same one.

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
    disagreements: u64,
}

impl Checked {
    /// Watches a solver.
    pub fn new(inner: Box<dyn Solver>, report: Report) -> Checked {
        Checked { inner, bare: Bare::new(), evaluator: Evaluator::new(), report, disagreements: 0 }
    }

    /// What is wrong with an answer.
    fn fault(
        &mut self,
        pool: &mut Pool,
        query: &Query,
        budget: Budget,
        answer: &Answer,
    ) -> Option<String> {
        let whole = Slice::whole(query);
        match answer {
            Answer::Unknown(_) => None,
            Answer::Sat(model) => {
                if !whole.holds(pool, &mut self.evaluator, model) {
                    return Some("the model does not satisfy the query".into());
                }
                let bare = self.bare.check_slice(pool, &whole, budget);
                matches!(bare, Answer::Unsat(_)).then(|| "sat, the bare backend: unsat".into())
            }
            Answer::Unsat(core) => {
                if !core.conjuncts.iter().all(|&e| query.path.contains(e)) {
                    return Some("the core has terms that are not of the path".into());
                }
                let only_core = Slice { conjuncts: core.conjuncts.to_vec(), asked: query.asked };
                for (slice, of) in [(&only_core, " for the core"), (&whole, "")] {
                    if let Answer::Sat(_) = self.bare.check_slice(pool, slice, budget) {
                        return Some(format!("unsat, the bare backend{of}: sat"));
                    }
                }
                None
            }
        }
    }
}

impl Solver for Checked {
    fn check(&mut self, pool: &mut Pool, query: &Query, budget: Budget) -> Answer {
        let answer = self.inner.check(pool, query, budget);
        if let Some(what) = self.fault(pool, query, budget, &answer) {
            self.disagreements += 1;
            let terms: Vec<_> = Slice::whole(query).terms().collect();
            let query = smtlib::query(pool, &terms).unwrap_or_else(|error| error.to_string());
            (self.report)(&Trouble::Disagreement { what, query });
        }
        answer
    }

    fn statistics(&self) -> Statistics {
        Statistics { disagreements: self.disagreements, ..self.inner.statistics() }
    }

    fn clock(&self) -> Clock {
        self.inner.clock()
    }
}

impl Sweep for Checked {
    fn sweep(&mut self, collected: &Collected) {
        self.inner.sweep(collected);
    }
}
