//! Those who answer, and how they do.

use std::fmt;

use byway_expr::Pool;
use byway_solver::backend::bitwuzla::InstanceOptions;
use byway_solver::backend::{IncrementalBackend, SliceAnswer};
use byway_solver::{
    Answer, BareBackend, BitBlaster, Cancellation, Layer, Query, QueryBudget, Slice, Solver, Stack,
    StackPart, Statistics,
};

/// A configuration of the solver.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SolverVariant {
    /// The solver as runs use it.
    Stack,
    /// The same without a part of it.
    Without(StackPart),
    /// The fast path alone.
    Blast,
    /// Bitwuzla alone, instances kept.
    Incremental,
    /// Bitwuzla alone, nothing kept.
    Fresh,
}

/// How a variant did.
#[derive(Copy, Clone, Default, Debug)]
pub struct VariantTally {
    /// Processor seconds.
    pub seconds: f64,
    /// Queries it did not answer.
    pub open: usize,
    /// Answers that are not the ones logged.
    pub wrong: usize,
}

impl VariantTally {
    /// Adds another one up.
    pub fn add(&mut self, other: &VariantTally) {
        self.seconds += other.seconds;
        self.open += other.open;
        self.wrong += other.wrong;
    }

    /// The mean of as many as were added up.
    pub fn share(&mut self, count: usize) {
        self.seconds /= count as f64;
        self.open /= count;
    }
}

impl fmt::Display for VariantTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.seconds)?;
        if self.open > 0 {
            write!(f, " ({})", self.open)?;
        }
        if self.wrong > 0 {
            write!(f, " {} WRONG", self.wrong)?;
        }
        Ok(())
    }
}

/// Says whether a query can hold, if it finds out.
type AnyVariant = Box<dyn FnMut(&mut Pool, &Query) -> Option<bool>>;

impl SolverVariant {
    /// All of them.
    pub const ALL: [SolverVariant; 5] = [
        SolverVariant::Stack,
        SolverVariant::Without(StackPart::Layer(Layer::Blast)),
        SolverVariant::Blast,
        SolverVariant::Incremental,
        SolverVariant::Fresh,
    ];

    /// The stack, and the stack without each of its parts.
    pub fn parts() -> Vec<SolverVariant> {
        let layers = Layer::ALL.into_iter().filter(|&layer| layer != Layer::Backend);
        let parts = layers.map(StackPart::Layer).chain([StackPart::Independence]);
        [SolverVariant::Stack].into_iter().chain(parts.map(SolverVariant::Without)).collect()
    }

    /// The name in tables.
    pub fn name(self) -> String {
        match self {
            SolverVariant::Stack => "stack".to_owned(),
            SolverVariant::Without(StackPart::Layer(layer)) => format!("no {}", layer.name()),
            SolverVariant::Without(StackPart::Independence) => "no independence".to_owned(),
            SolverVariant::Blast => "blast".to_owned(),
            SolverVariant::Incremental => "incremental".to_owned(),
            SolverVariant::Fresh => "fresh".to_owned(),
        }
    }

    /// Asks it queries, each with the answer that is expected.
    pub fn run<'a>(
        self,
        pool: &mut Pool,
        queries: impl Iterator<Item = (Query<'a>, Option<bool>)>,
    ) -> VariantTally {
        let mut answer = self.prepared(pool);
        let mut tally = VariantTally::default();
        let queries: Vec<_> = queries.collect();
        let began = processor_seconds();
        for (query, said) in queries {
            match answer(pool, &query) {
                None => tally.open += 1,
                Some(found) => tally.wrong += usize::from(said.is_some_and(|said| said != found)),
            }
        }
        tally.seconds = processor_seconds() - began;
        tally
    }

    /// The variant, knowing nothing yet.
    fn prepared(self, pool: &Pool) -> AnyVariant {
        let from = |mut solver: Box<dyn Solver>| -> AnyVariant {
            Box::new(move |pool, query| match solver.check(pool, query, QueryBudget::UNLIMITED) {
                Answer::Sat(_) => Some(true),
                Answer::Unsat(_) => Some(false),
                Answer::Unknown(_) => None,
            })
        };
        match self {
            SolverVariant::Stack => from(Box::new(Stack::new(pool, None))),
            SolverVariant::Without(part) => from(Box::new(Stack::new(pool, None).without(part))),
            SolverVariant::Fresh => from(Box::new(BareBackend::new(None))),
            SolverVariant::Blast => {
                let mut fast = BitBlaster::new(pool);
                Box::new(move |pool, query| {
                    let whole = Slice::whole(query);
                    let (budget, outside) = (QueryBudget::UNLIMITED, Cancellation::NEVER);
                    decided(fast.check(pool, &whole, query.witness, budget, outside)?)
                })
            }
            SolverVariant::Incremental => {
                let mut backend = IncrementalBackend::new(pool, InstanceOptions::default());
                let mut spent = Statistics::default();
                Box::new(move |pool, query| {
                    let whole = Slice::whole(query);
                    decided(backend.check(pool, &whole, QueryBudget::UNLIMITED, &mut spent))
                })
            }
        }
    }
}

fn decided(verdict: SliceAnswer) -> Option<bool> {
    match verdict {
        SliceAnswer::Sat(_) => Some(true),
        SliceAnswer::Unsat(_) => Some(false),
        SliceAnswer::Unknown(_) => None,
    }
}

/// Seconds of processor time that this thread has taken; zero where the system does
/// not say.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}
