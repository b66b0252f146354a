//! The stack of layers, in the order they are asked: see [`Stack::answer`].

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use byway_base::ExprId;
use byway_expr::{Collected, Evaluator, Model, Pool, Sweep};

use crate::answer::{Answer, Core, Why};
use crate::backend::bitwuzla::Setup;
use crate::backend::{Incremental, Verdict};
use crate::blast::FastPath;
use crate::budget::Budget;
use crate::layer::cache::{Cache, Fact};
use crate::layer::witness::{self, Recent};
use crate::layer::{domain, independence, known};
use crate::query::{Assignment, Query, Slice};
use crate::solver::Solver;
use crate::statistics::{Clock, Layer, Meter, Statistics};

/// The solver that runs use.
pub struct Stack {
    evaluator: Evaluator,
    recent: Recent,
    cache: Cache,
    fast: Option<FastPath>,
    backend: Incremental,
    meter: Meter,
}

impl Stack {
    /// A stack that knows nothing yet. A query ends soon after the flag is set.
    pub fn new(pool: &Pool, interrupt: Option<Arc<AtomicBool>>) -> Stack {
        let setup = Setup { preprocess: false, interrupt };
        Stack {
            evaluator: Evaluator::new(),
            recent: Recent::default(),
            cache: Cache::default(),
            fast: Some(FastPath::new(pool)),
            backend: Incremental::new(pool, setup),
            meter: Meter::default(),
        }
    }

    /// The same stack without the fast path, to measure what that is worth.
    pub fn without_fast_path(self) -> Stack {
        Stack { fast: None, ..self }
    }

    /// From the cheapest layer to the dearest.
    fn answer(&mut self, pool: &mut Pool, query: &Query, budget: Budget) -> Answer {
        let Stack { evaluator, recent, cache, fast, backend, meter } = self;

        if let Some(answer) = meter.layer(Layer::Known, || known::answer(pool, query)) {
            return answer;
        }
        let own = meter.layer(Layer::Witness, || witness::own(pool, evaluator, query));
        if let Some(model) = own {
            return Answer::Sat(model);
        }

        let slice = independence::slice(pool, query);
        meter.statistics.conjuncts += query.path.len() as u64;
        meter.statistics.conjuncts_kept += slice.conjuncts.len() as u64;

        let verdict = meter.layer(Layer::Domain, || domain::check(pool, evaluator, query, &slice));
        match verdict {
            Some(Verdict::Sat(assignment)) => return Answer::Sat(completed(query, &assignment)),
            Some(Verdict::Unsat(core)) => return Answer::Unsat(Core { conjuncts: core.into() }),
            _ => {}
        }

        let fact = meter
            .layer(Layer::Recent, || recent.find(pool, evaluator, &slice))
            .map(|assignment| Fact::Sat(assignment.into()))
            .or_else(|| meter.layer(Layer::Cache, || cache.find(&slice).cloned()));
        if let Some(fact) = fact {
            return from_fact(query, &slice, fact);
        }

        let fast = fast.as_mut().and_then(|fast| {
            meter.layer(Layer::Blast, || fast.check(pool, &slice, query.witness, budget))
        });
        let verdict = fast.unwrap_or_else(|| {
            let mut spent = Statistics::default();
            let verdict = meter.backend(|| backend.check(pool, &slice, budget, &mut spent));
            meter.statistics.add_backend(&spent);
            verdict
        });
        match verdict {
            Verdict::Sat(assignment) => self.confirmed(pool, query, &slice, assignment),
            Verdict::Unsat(core) => {
                let fact = Fact::Unsat(core.into_iter().chain([query.asked]).collect());
                self.cache.add(&slice, fact.clone());
                from_fact(query, &slice, fact)
            }
            Verdict::Unknown(why) => Answer::Unknown(why),
        }
    }

    /// The answer from the backend's model, if evaluation confirms it.
    fn confirmed(
        &mut self,
        pool: &Pool,
        query: &Query,
        slice: &Slice,
        assignment: Assignment,
    ) -> Answer {
        let model = completed(query, &assignment);
        if !slice.holds(pool, &mut self.evaluator, &model) {
            return Answer::Unknown(Why::WrongModel);
        }
        self.recent.add(model.clone());
        self.cache.add(slice, Fact::Sat(assignment.into()));
        Answer::Sat(model)
    }
}

/// The answer that a fact about the slice gives.
fn from_fact(query: &Query, slice: &Slice, fact: Fact) -> Answer {
    match fact {
        Fact::Sat(assignment) => Answer::Sat(completed(query, &assignment)),
        Fact::Unsat(core) => {
            let named = |e: &ExprId| *e != query.asked && core.contains(e);
            let conjuncts = slice.conjuncts.iter().copied().filter(named).collect();
            Answer::Unsat(Core { conjuncts })
        }
    }
}

/// The witness with some bytes changed.
fn completed(query: &Query, assignment: &Assignment) -> Model {
    let mut model = query.witness.cloned().unwrap_or_default();
    assignment.iter().for_each(|&(at, value)| model.set_byte(at, value));
    model
}

impl Solver for Stack {
    fn check(&mut self, pool: &mut Pool, query: &Query, budget: Budget) -> Answer {
        debug_assert!(query.witness.is_none_or(|witness| {
            let mut evaluation = self.evaluator.under(pool, witness);
            query.path.conjuncts().all(|conjunct| evaluation.holds(conjunct))
        }));
        self.meter.begin();
        let answer = self.answer(pool, query, budget);
        self.meter.statistics.count(&answer);
        answer
    }

    fn statistics(&self) -> Statistics {
        self.meter.statistics
    }

    fn clock(&self) -> Clock {
        self.meter.clock
    }
}

impl Sweep for Stack {
    fn sweep(&mut self, collected: &Collected) {
        self.cache.sweep(collected);
        self.fast.iter_mut().for_each(|fast| fast.sweep(collected));
        self.backend.sweep(collected);
    }
}
