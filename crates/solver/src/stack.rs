//! The stack of layers, in the order they are asked: see [`Stack::answer`].

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use byway_base::ExprId;
use byway_expr::{Collected, Evaluator, Model, Pool, Sweep};

use crate::answer::{Answer, Core, Why};
use crate::backend::bitwuzla::Setup;
use crate::backend::{Incremental, Verdict, size};
use crate::blast::FastPath;
use crate::budget::{Budget, Outside};
use crate::layer::cache::{Cache, Fact};
use crate::layer::{domain, independence, known, witness};
use crate::query::{Assignment, Query, Slice};
use crate::solver::Solver;
use crate::statistics::{Clock, Layer, Meter, Statistics};

/// The largest circuit that the backend is given. It takes a gigabyte or so.
const MOST_GATES: u64 = 2_000_000;

/// What the backend takes before it looks at a clock, by gates: a query that it could
/// not even set up in the time left is not begun.
const TIME_PER_GATE: Duration = Duration::from_micros(3);

/// What can be left out of a stack.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// A layer, but not the backend.
    Layer(Layer),
    /// Leaving only what shares input bytes with what is asked.
    Independence,
}

/// The solver that runs use.
pub struct Stack {
    evaluator: Evaluator,
    cache: Cache,
    fast: FastPath,
    backend: Incremental,
    interrupt: Option<Arc<AtomicBool>>,
    left_out: Option<Part>,
    meter: Meter,
}

impl Stack {
    /// A stack that knows nothing yet. A query ends soon after the flag is set.
    pub fn new(pool: &Pool, interrupt: Option<Arc<AtomicBool>>) -> Stack {
        let setup = Setup { preprocess: false, interrupt: interrupt.clone() };
        Stack {
            evaluator: Evaluator::new(),
            cache: Cache::default(),
            fast: FastPath::new(pool),
            backend: Incremental::new(pool, setup),
            interrupt,
            left_out: None,
            meter: Meter::default(),
        }
    }

    /// The same stack without a part, to measure what that is worth.
    pub fn without(self, part: Part) -> Stack {
        Stack { left_out: Some(part), ..self }
    }

    /// From the cheapest layer to the dearest.
    fn answer(&mut self, pool: &mut Pool, query: &Query, budget: Budget) -> Answer {
        let Stack { evaluator, cache, fast, backend, interrupt, left_out, meter } = self;
        let asked = |layer| *left_out != Some(Part::Layer(layer));
        let outside = Outside::new(budget, interrupt.as_deref());

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
            Some(Part::Independence) => Slice::whole(query),
            _ => independence::slice(pool, query),
        };
        meter.statistics.conjuncts += query.path.len() as u64;
        meter.statistics.conjuncts_kept += slice.conjuncts.len() as u64;

        if asked(Layer::Domain) {
            let ask = || domain::check(pool, evaluator, query, &slice);
            match meter.layer(Layer::Domain, ask) {
                Some(Verdict::Sat(assignment)) => {
                    return Answer::Sat(completed(query, &assignment));
                }
                Some(Verdict::Unsat(core)) => {
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
            true => meter
                .layer(Layer::Blast, || fast.check(pool, &slice, query.witness, budget, outside)),
            false => None,
        };
        meter.statistics.effort += fast.steps() - steps;
        let verdict = searched.unwrap_or_else(|| {
            let gates = size::gates(pool, &slice);
            if let Some(why) = refused(gates, &outside) {
                return Verdict::Unknown(why);
            }
            let mut spent = Statistics::default();
            let (effort, time) = (budget.steps(gates), outside.time_left());
            let budget = Budget { effort, time, by_size: false };
            let hard = asked(Layer::Blast) && fast.in_vain();
            let verdict = meter.backend(|| match hard {
                true => backend.check_hard(pool, &slice, budget, &mut spent),
                false => backend.check(pool, &slice, budget, &mut spent),
            });
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
        self.cache.add(slice, Fact::Sat(assignment.into()));
        Answer::Sat(model)
    }
}

/// Why a query does not even come to the backend.
fn refused(gates: u64, outside: &Outside) -> Option<Why> {
    let needed = TIME_PER_GATE.saturating_mul(gates.try_into().unwrap_or(u32::MAX));
    let late = outside.time_left().is_some_and(|left| left < needed);
    outside.ends().or((gates > MOST_GATES).then_some(Why::TooLarge)).or(late.then_some(Why::Time))
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

    fn clock(&self) -> Clock {
        self.meter.clock
    }

    fn bytes(&self) -> usize {
        self.cache.bytes() + self.fast.bytes() + self.backend.bytes()
    }

    fn shed(&mut self, pool: &Pool) {
        self.cache = Cache::default();
        self.fast.shed(pool);
        self.backend.shed(pool);
    }
}

impl Sweep for Stack {
    fn sweep(&mut self, collected: &Collected) {
        self.cache.sweep(collected);
        self.fast.sweep(collected);
        self.backend.sweep(collected);
    }
}
