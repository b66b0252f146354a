//! The stack of layers. [`Stack::answer`] passes a query through them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use byway_base::{ExprId, MemoryGuard};
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

/// The largest circuit that the backend is given; it takes about a gigabyte.
const MAX_GATES: u64 = 2_000_000;

/// About the memory that the backend takes for a gate before it first polls for cancellation.
const BYTES_PER_GATE: u64 = 512;

/// Time per gate that the backend needs before it first polls for cancellation. A query
/// that cannot even be set up in the time left is not started.
const SETUP_TIME_PER_GATE: Duration = Duration::from_micros(3);

/// A part of the stack that can be disabled, to measure its worth.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum StackPart {
    /// A layer other than the backend.
    Layer(Layer),
    /// Slicing to the conjuncts that share input bytes with the condition.
    Independence,
}

/// Queries whose circuits are larger than [`MAX_GATES`] by their terms. Some become small when
/// they are built, but to find out that one does not takes up to a second, and the states around
/// ask much the same: when most have failed, they are refused by their size.
#[derive(Default)]
struct LargeQueries {
    /// Those answered since the first that failed.
    answered: u64,
    failed: u64,
    refused: u64,
}

impl LargeQueries {
    /// Failures before any is refused, and for each answer.
    const PATIENCE: u64 = 4;
    /// One in so many is tried even so.
    const RETRY: u64 = 64;

    /// Whether the next one is refused.
    fn refuses(&mut self) -> bool {
        if self.failed < Self::PATIENCE * (self.answered + 1) {
            return false;
        }
        self.refused += 1;
        !self.refused.is_multiple_of(Self::RETRY)
    }
}

/// The solver of runs.
pub struct Stack {
    evaluator: Evaluator,
    cache: QueryCache,
    blaster: BitBlaster,
    backend: IncrementalBackend,
    interrupt: Option<Arc<AtomicBool>>,
    memory: Option<MemoryGuard>,
    disabled: Option<StackPart>,
    large: LargeQueries,
    meter: Meter,
}

impl Stack {
    /// A stack with empty caches. Queries end soon after `interrupt` is set.
    pub fn new(pool: &Pool, interrupt: Option<Arc<AtomicBool>>) -> Stack {
        let options = InstanceOptions { interrupt: interrupt.clone(), ..Default::default() };
        Stack {
            evaluator: Evaluator::new(),
            cache: QueryCache::default(),
            blaster: BitBlaster::new(pool),
            backend: IncrementalBackend::new(pool, options),
            interrupt,
            memory: None,
            disabled: None,
            large: LargeQueries::default(),
            meter: Meter::default(),
        }
    }

    /// Ends queries as unknown when the process is too large.
    pub fn within(self, memory: Option<MemoryGuard>) -> Stack {
        let backend = self.backend.within(memory.clone());
        Stack { backend, memory, ..self }
    }

    /// Disables a part.
    pub fn without(self, part: StackPart) -> Stack {
        Stack { disabled: Some(part), ..self }
    }

    /// Asks the layers from the cheapest to the most expensive.
    fn answer(&mut self, pool: &mut Pool, query: &Query, budget: QueryBudget) -> Answer {
        let Stack { evaluator, cache, blaster, backend, interrupt, memory, disabled, large, meter } =
            self;
        let enabled = |layer| *disabled != Some(StackPart::Layer(layer));
        let cancellation = Cancellation::new(budget, interrupt.as_deref()).within(memory.as_ref());

        if enabled(Layer::Known)
            && let Some(answer) = meter.layer(Layer::Known, || known::check(pool, query))
        {
            return answer;
        }
        if enabled(Layer::Witness)
            && let Some(model) =
                meter.layer(Layer::Witness, || witness::check(pool, evaluator, query))
        {
            return Answer::Sat(model);
        }

        let slice = match disabled {
            Some(StackPart::Independence) => Slice::whole(query),
            _ => independence::slice(pool, query),
        };
        meter.statistics.conjuncts += query.path.len() as u64;
        meter.statistics.conjuncts_kept += slice.conjuncts.len() as u64;

        if enabled(Layer::Domain) {
            let check = || domain::check(pool, evaluator, query, &slice);
            match meter.layer(Layer::Domain, check) {
                Some(SliceAnswer::Sat(assignment)) => {
                    return Answer::Sat(completed(query, &assignment));
                }
                Some(SliceAnswer::Unsat(core)) => {
                    return Answer::Unsat(Core { conjuncts: core.into() });
                }
                _ => {}
            }
        }
        if enabled(Layer::Cache)
            && let Some(cached) = meter.layer(Layer::Cache, || cache.find(&slice).cloned())
        {
            return from_cached(query, &slice, cached);
        }

        let is_large = large.failed > 0 && size::gates(pool, &slice) > MAX_GATES;
        if is_large && large.refuses() {
            return Answer::Unknown(UnknownReason::TooLarge);
        }
        // The other half is for circuits and the search.
        let room = usize::try_from(cancellation.memory_left() / 2).unwrap_or(usize::MAX);
        pool.limit_expansions(pool.bytes().saturating_add(room));
        let steps = blaster.steps();
        let blasted = match enabled(Layer::Blast) {
            true => meter.layer(Layer::Blast, || {
                blaster.check(pool, &slice, query.witness, budget, cancellation)
            }),
            false => None,
        };
        meter.statistics.effort += blaster.steps() - steps;
        large.answered += u64::from(is_large && blasted.is_some());
        let answer = blasted.unwrap_or_else(|| {
            let gates = size::gates(pool, &slice);
            large.failed += u64::from(gates > MAX_GATES);
            if let Some(reason) = backend_refusal(gates, &cancellation) {
                return SliceAnswer::Unknown(reason);
            }
            let mut spent = Statistics::default();
            let (effort, time) = (budget.steps(gates), cancellation.wall_clock_left());
            let budget = QueryBudget { effort, time, effort_by_size: None, ..budget };
            let hard = enabled(Layer::Blast) && blaster.exhausted_effort();
            let answer = meter.backend(|| match hard {
                true => backend.check_hard(pool, &slice, budget, &mut spent),
                false => backend.check(pool, &slice, budget, &mut spent),
            });
            meter.statistics.add_backend(&spent);
            match answer {
                SliceAnswer::Unknown(UnknownReason::TooManyLeaves(_))
                    if pool.is_too_large_to_expand() =>
                {
                    SliceAnswer::Unknown(UnknownReason::Memory)
                }
                answer => answer,
            }
        });
        pool.limit_expansions(usize::MAX);
        match answer {
            SliceAnswer::Sat(assignment) => self.confirm(pool, query, &slice, assignment),
            SliceAnswer::Unsat(core) => {
                let core = core.into_iter().chain([query.condition]).collect();
                let answer = CachedAnswer::Unsat(core);
                self.cache.add(&slice, answer.clone());
                from_cached(query, &slice, answer)
            }
            SliceAnswer::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    /// Confirms a model by evaluation and caches it.
    fn confirm(
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

/// Why a query of this size is not given to the backend.
fn backend_refusal(gates: u64, cancellation: &Cancellation) -> Option<UnknownReason> {
    let setup = SETUP_TIME_PER_GATE.saturating_mul(gates.try_into().unwrap_or(u32::MAX));
    let late = cancellation.time_left().is_some_and(|left| left < setup);
    cancellation
        .reason()
        .or((gates > MAX_GATES).then_some(UnknownReason::TooLarge))
        .or(cancellation.is_short_of(gates * BYTES_PER_GATE).then_some(UnknownReason::Memory))
        .or(late.then_some(UnknownReason::Time))
}

/// The query's answer from a cached answer to its slice.
fn from_cached(query: &Query, slice: &Slice, cached: CachedAnswer) -> Answer {
    match cached {
        CachedAnswer::Sat(assignment) => Answer::Sat(completed(query, &assignment)),
        CachedAnswer::Unsat(core) => {
            let in_core = |e: &ExprId| *e != query.condition && core.contains(e);
            let conjuncts = slice.conjuncts.iter().copied().filter(in_core).collect();
            Answer::Unsat(Core { conjuncts })
        }
    }
}

/// The witness with the assignment's bytes replaced.
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
        let start = Instant::now();
        self.meter.begin(start);
        let answer = self.answer(pool, query, budget);
        self.meter.statistics.count(&answer);
        self.meter.clock.all += start.elapsed();
        answer
    }

    fn statistics(&self) -> &Statistics {
        &self.meter.statistics
    }

    fn clock(&self) -> SolverClock {
        self.meter.clock
    }

    fn bytes(&self) -> usize {
        self.cache.bytes() + self.blaster.bytes() + self.backend.bytes()
    }

    fn clear_caches(&mut self, pool: &Pool) {
        self.cache = QueryCache::default();
        self.evaluator = Evaluator::new();
        self.blaster.clear_caches(pool);
        self.backend.clear_caches(pool);
    }
}

impl Sweep for Stack {
    fn sweep(&mut self, collected: &Collected) {
        self.cache.sweep(collected);
        self.blaster.sweep(collected);
        self.backend.sweep(collected);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_queries_are_refused_when_most_have_failed() {
        let mut large = LargeQueries { failed: 3, ..LargeQueries::default() };
        assert!(!large.refuses());
        large.failed = 4;
        let tried = (0..640).filter(|_| !large.refuses()).count();
        assert_eq!(tried, 10, "one in 64 is tried");
        large.answered = 1;
        assert!(!large.refuses(), "an answer makes up for four failures");
        large.failed = 8;
        assert!(large.refuses());
    }
}
