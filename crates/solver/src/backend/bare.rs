//! The bare backend: no layers, no sharing, a new instance for every query, and all of
//! Bitwuzla's preprocessing. Slow, and different enough to judge the others by.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use byway_expr::{Collected, Evaluator, Model, Pool, Sweep};

use super::Verdict;
use super::bitwuzla::Setup;
use super::incremental::Incremental;
use crate::answer::{Answer, Core, Why};
use crate::budget::Budget;
use crate::query::{Query, Slice};
use crate::solver::Solver;
use crate::statistics::{Clock, Meter, Statistics};

/// A solver that is nothing but its backend.
pub struct Bare {
    evaluator: Evaluator,
    meter: Meter,
    setup: Setup,
}

impl Bare {
    /// A bare backend. A query ends soon after the flag is set.
    pub fn new(interrupt: Option<Arc<AtomicBool>>) -> Bare {
        let setup = Setup { preprocess: true, interrupt };
        Bare { evaluator: Evaluator::new(), meter: Meter::default(), setup }
    }

    /// Checks a slice.
    pub fn check_slice(&mut self, pool: &mut Pool, slice: &Slice, budget: Budget) -> Answer {
        let mut spent = Statistics::default();
        let setup = self.setup.clone();
        let mut backend = Incremental::new(pool, setup);
        self.meter.begin(Instant::now());
        let verdict = self.meter.backend(|| backend.check(pool, slice, budget, &mut spent));
        self.meter.statistics.add_backend(&spent);
        let answer = match verdict {
            Verdict::Sat(assignment) => {
                let mut model = Model::new();
                assignment.iter().for_each(|&(at, value)| model.set_byte(at, value));
                match slice.holds(pool, &mut self.evaluator, &model) {
                    true => Answer::Sat(model),
                    false => Answer::Unknown(Why::WrongModel),
                }
            }
            Verdict::Unsat(core) => Answer::Unsat(Core { conjuncts: core.into() }),
            Verdict::Unknown(why) => Answer::Unknown(why),
        };
        self.meter.statistics.count(&answer);
        answer
    }
}

impl Solver for Bare {
    fn check(&mut self, pool: &mut Pool, query: &Query, budget: Budget) -> Answer {
        self.check_slice(pool, &Slice::whole(query), budget)
    }

    fn statistics(&self) -> &Statistics {
        &self.meter.statistics
    }

    fn clock(&self) -> Clock {
        self.meter.clock
    }
}

impl Sweep for Bare {
    fn sweep(&mut self, _: &Collected) {}
}
