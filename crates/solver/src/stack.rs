//! The stack of layers, in the order they are asked: see [`Stack::answer`].

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use byway_base::ExprId;
use byway_expr::{Collected, Evaluator, Model, Pool, Sweep};

use crate::answer::{Answer, Core, UnknownReason};
use crate::backend::bitwuzla::InstanceOptions;
use crate::backend::{IncrementalBackend, SliceAnswer, size};
use crate::blast::BitBlaster;
use crate::budget::{Cancellation, QueryBudget};
use crate::layer::cache::{CachedAnswer, QueryCache};
use crate::layer::{domain, independence, known, witness};
use crate::query::{Assignment, Query, Slice};
use crate::solver::Solver;
use crate::statistics::{Layer, Meter, SolverClock, Statistics};

/// The largest circuit that the backend is given. It takes a gigabyte or so.
const MOST_GATES: u64 = 2_000_000;

/// What the backend takes before it looks at a clock, by gates: a query that it could
/// not even set up in the time left is not begun.
const TIME_PER_GATE: Duration = Duration::from_micros(3);

/// What can be left out of a stack.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum StackPart {
    /// A layer, but not the backend.
    Layer(Layer),
    /// Leaving only what shares input bytes with what is asked.
    Independence,
}

/// The solver that runs use.
pub struct Stack {
    evaluator: Evaluator,
    cache: QueryCache,
    fast: BitBlaster,
    backend: IncrementalBackend,
    interrupt: Option<Arc<AtomicBool>>,
    left_out: Option<StackPart>,
    meter: Meter,
}

impl Stack {
    /// A stack that knows nothing yet. A query ends soon after the flag is set.
    pub fn new(pool: &Pool, interrupt: Option<Arc<AtomicBool>>) -> Stack {
        let setup = InstanceOptions { preprocess: false, interrupt: interrupt.clone() };
        Stack {
            evaluator: Evaluator::new(),
            cache: QueryCache::default(),
            fast: BitBlaster::new(pool),
            backend: IncrementalBackend::new(pool, setup),
            interrupt,
            left_out: None,
            meter: Meter::default(),
        }
    }

    /// The same stack without a part, to measure what that is worth.
    pub fn without(self, part: StackPart) -> Stack {
        Stack { left_out: Some(part), ..self }
    }

    /// From the cheapest layer to the dearest.
    fn answer(&mut self, pool: &mut Pool, query: &Query, budget: QueryBudget) -> Answer {
        let Stack { evaluator, cache, fast, backend, interrupt, left_out, meter } = self;
        let asked = |layer| *left_out != Some(StackPart::Layer(layer));
        let cancellation = Cancellation::new(budget, interrupt.as_deref());

        if asked(Layer::Known)
            && let Some(answer) = meter.layer(Layer::Known, || known::answer(pool, query))
        {
            return answer;
        }
        if asked(Layer::Witness)
            && let Some(model) =
                meter.layer(Layer::Witness, || witness::own(pool, evaluator, query))
        {
            return Answer::Sat(model);
        }

        let slice = match left_out {
            Some(StackPart::Independence) => Slice::whole(query),
            _ => independence::slice(pool, query),
        };
        meter.statistics.conjuncts += query.path.len() as u64;
        meter.statistics.conjuncts_kept += slice.conjuncts.len() as u64;

        if asked(Layer::Domain) {
            let ask = || domain::check(pool, evaluator, query, &slice);
            match meter.layer(Layer::Domain, ask) {
                Some(SliceAnswer::Sat(assignment)) => {
                    return Answer::Sat(completed(query, &assignment));
                }
                Some(SliceAnswer::Unsat(core)) => {
                    return Answer::Unsat(Core { conjuncts: core.into() });
                }
                _ => {}
            }
        }
        if asked(Layer::Cache)
            && let Some(fact) = meter.layer(Layer::Cache, || cache.find(&slice).cloned())
        {
            return from_fact(query, &slice, fact);
        }

        let steps = fast.steps();
        let searched = match asked(Layer::Blast) {
            true => meter.layer(Layer::Blast, || {
                fast.check(pool, &slice, query.witness, budget, cancellation)
            }),
            false => None,
        };
        meter.statistics.effort += fast.steps() - steps;
        let verdict = searched.unwrap_or_else(|| {
            let gates = size::gates(pool, &slice);
            if let Some(why) = refused(gates, &cancellation) {
                return SliceAnswer::Unknown(why);
            }
            let mut spent = Statistics::default();
            let (effort, time) = (budget.steps(gates), cancellation.time_left());
            let budget = QueryBudget { effort, time, effort_by_size: false };
            let hard = asked(Layer::Blast) && fast.in_vain();
            let verdict = meter.backend(|| match hard {
                true => backend.check_hard(pool, &slice, budget, &mut spent),
                false => backend.check(pool, &slice, budget, &mut spent),
            });
            meter.statistics.add_backend(&spent);
            verdict
        });
        match verdict {
            SliceAnswer::Sat(assignment) => self.confirmed(pool, query, &slice, assignment),
            SliceAnswer::Unsat(core) => {
                let fact = CachedAnswer::Unsat(core.into_iter().chain([query.condition]).collect());
                self.cache.add(&slice, fact.clone());
                from_fact(query, &slice, fact)
            }
            SliceAnswer::Unknown(why) => Answer::Unknown(why),
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
            return Answer::Unknown(UnknownReason::WrongModel);
        }
        self.cache.add(slice, CachedAnswer::Sat(assignment.into()));
        Answer::Sat(model)
    }
}

/// Why a query does not even come to the backend.
fn refused(gates: u64, cancellation: &Cancellation) -> Option<UnknownReason> {
    let needed = TIME_PER_GATE.saturating_mul(gates.try_into().unwrap_or(u32::MAX));
    let late = cancellation.time_left().is_some_and(|left| left < needed);
    cancellation
        .reason()
        .or((gates > MOST_GATES).then_some(UnknownReason::TooLarge))
        .or(late.then_some(UnknownReason::Time))
}

/// The answer that a fact about the slice gives.
fn from_fact(query: &Query, slice: &Slice, fact: CachedAnswer) -> Answer {
    match fact {
        CachedAnswer::Sat(assignment) => Answer::Sat(completed(query, &assignment)),
        CachedAnswer::Unsat(core) => {
            let named = |e: &ExprId| *e != query.condition && core.contains(e);
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
    fn check(&mut self, pool: &mut Pool, query: &Query, budget: QueryBudget) -> Answer {
        debug_assert!(query.witness.is_none_or(|witness| {
            let mut evaluation = self.evaluator.under(pool, witness);
            query.path.conjuncts().all(|conjunct| evaluation.holds(conjunct))
        }));
        let began = Instant::now();
        self.meter.begin(began);
        let answer = self.answer(pool, query, budget);
        self.meter.statistics.count(&answer);
        self.meter.clock.all += began.elapsed();
        answer
    }

    fn statistics(&self) -> &Statistics {
        &self.meter.statistics
    }

    fn clock(&self) -> SolverClock {
        self.meter.clock
    }

    fn bytes(&self) -> usize {
        self.cache.bytes() + self.fast.bytes() + self.backend.bytes()
    }

    fn clear_caches(&mut self, pool: &Pool) {
        self.cache = QueryCache::default();
        self.fast.clear_caches(pool);
        self.backend.clear_caches(pool);
    }
}

impl Sweep for Stack {
    fn sweep(&mut self, collected: &Collected) {
        self.cache.sweep(collected);
        self.fast.sweep(collected);
        self.backend.sweep(collected);
    }
}
