//! The bare backend: no layers, no sharing, a new instance for every query, and all of
//! Bitwuzla's preprocessing. Slow, and different enough to judge the others by.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use byway_expr::{Collected, Evaluator, Model, Pool, Sweep};

use super::SliceAnswer;
use super::bitwuzla::InstanceOptions;
use super::incremental::IncrementalBackend;
use crate::answer::{Answer, Core, UnknownReason};
use crate::budget::QueryBudget;
use crate::query::{Query, Slice};
use crate::solver::Solver;
use crate::statistics::{Meter, SolverClock, Statistics};

/// A solver that is nothing but its backend.
pub struct BareBackend {
    evaluator: Evaluator,
    meter: Meter,
    setup: InstanceOptions,
}

impl BareBackend {
    /// A bare backend. A query ends soon after the flag is set.
    pub fn new(interrupt: Option<Arc<AtomicBool>>) -> BareBackend {
        let setup = InstanceOptions { preprocess: true, interrupt };
        BareBackend { evaluator: Evaluator::new(), meter: Meter::default(), setup }
    }

    /// Checks a slice.
    pub fn check_slice(&mut self, pool: &mut Pool, slice: &Slice, budget: QueryBudget) -> Answer {
        let mut spent = Statistics::default();
        let setup = self.setup.clone();
        let mut backend = IncrementalBackend::new(pool, setup);
        self.meter.begin(Instant::now());
        let verdict = self.meter.backend(|| backend.check(pool, slice, budget, &mut spent));
        self.meter.statistics.add_backend(&spent);
        let answer = match verdict {
            SliceAnswer::Sat(assignment) => {
                let mut model = Model::new();
                assignment.iter().for_each(|&(at, value)| model.set_byte(at, value));
                match slice.holds(pool, &mut self.evaluator, &model) {
                    true => Answer::Sat(model),
                    false => Answer::Unknown(UnknownReason::WrongModel),
                }
            }
            SliceAnswer::Unsat(core) => Answer::Unsat(Core { conjuncts: core.into() }),
            SliceAnswer::Unknown(why) => Answer::Unknown(why),
        };
        self.meter.statistics.count(&answer);
        answer
    }
}

impl Solver for BareBackend {
    fn check(&mut self, pool: &mut Pool, query: &Query, budget: QueryBudget) -> Answer {
        self.check_slice(pool, &Slice::whole(query), budget)
    }

    fn statistics(&self) -> &Statistics {
        &self.meter.statistics
    }

    fn clock(&self) -> SolverClock {
        self.meter.clock
    }
}

impl Sweep for BareBackend {
    fn sweep(&mut self, _: &Collected) {}
}
