//! The bare backend: no layers, no sharing, a new instance for every query, and all of
//! Bitwuzla's preprocessing. Slow, and independent enough to check the stack against.

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

/// A solver without layers.
pub struct BareBackend {
    evaluator: Evaluator,
    meter: Meter,
    options: InstanceOptions,
}

impl BareBackend {
    /// Queries end soon after `interrupt` is set.
    pub fn new(interrupt: Option<Arc<AtomicBool>>) -> BareBackend {
        let options = InstanceOptions { preprocess: true, interrupt, memory: None };
        BareBackend { evaluator: Evaluator::new(), meter: Meter::default(), options }
    }

    /// Checks a slice and confirms its model.
    pub fn check_slice(&mut self, pool: &mut Pool, slice: &Slice, budget: QueryBudget) -> Answer {
        let mut spent = Statistics::default();
        let mut backend = IncrementalBackend::new(pool, self.options.clone());
        self.meter.begin(Instant::now());
        let answer = self.meter.backend(|| backend.check(pool, slice, budget, &mut spent));
        self.meter.statistics.add_backend(&spent);
        let answer = match answer {
            SliceAnswer::Sat(assignment) => {
                let mut model = Model::new();
                assignment.iter().for_each(|&(at, value)| model.set_byte(at, value));
                match slice.holds(pool, &mut self.evaluator, &model) {
                    true => Answer::Sat(model),
                    false => Answer::Unknown(UnknownReason::WrongModel),
                }
            }
            SliceAnswer::Unsat(core) => Answer::Unsat(Core { conjuncts: core.into() }),
            SliceAnswer::Unknown(reason) => Answer::Unknown(reason),
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
