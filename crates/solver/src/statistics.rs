//! What the solver did, in numbers that are the same in every run, and apart from
//! them what it took on the clock.

use std::time::{Duration, Instant};

use crate::answer::{Answer, UnknownReason};
use crate::backend::SliceAnswer;

/// The layers of the stack, in the order they are asked.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Layer {
    /// The asked term is a number, or known from the path.
    Known,
    /// The path's own witness.
    Witness,
    /// The values a single byte can still have.
    Domain,
    /// What was asked before.
    Cache,
    /// Circuits over a small SAT solver; see [`crate::BitBlaster`].
    Blast,
    /// The SMT solver.
    Backend,
}

impl Layer {
    /// Every layer.
    pub const ALL: [Layer; 6] =
        [Layer::Known, Layer::Witness, Layer::Domain, Layer::Cache, Layer::Blast, Layer::Backend];

    /// Its name, for people and for files.
    pub const fn name(self) -> &'static str {
        match self {
            Layer::Known => "known",
            Layer::Witness => "witness",
            Layer::Domain => "domain",
            Layer::Cache => "cache",
            Layer::Blast => "blast",
            Layer::Backend => "backend",
        }
    }
}

/// How far queries came: how many reached a layer, and how many ended there.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct LayerCount {
    /// Queries that reached it.
    pub asked: u64,
    /// Queries it answered.
    pub answered: u64,
}

/// Counts that depend on what was asked and nothing else.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// All queries.
    pub queries: u64,
    /// Those that can hold.
    pub sat: u64,
    /// Those that cannot.
    pub unsat: u64,
    /// Those stopped by the limit on effort.
    pub unknown_effort: u64,
    /// Those stopped by the limit on time.
    pub unknown_time: u64,
    /// Those whose terms are too large for the backend.
    pub unknown_large: u64,
    /// Those the backend gave up on, or was interrupted in.
    pub unknown_other: u64,
    /// Those with a read that reaches too many bytes.
    pub unknown_leaves: u64,
    /// Those where evaluation did not confirm the backend's model.
    pub wrong_models: u64,
    /// Answers that a bare backend was asked about and confirmed.
    pub confirmed: u64,
    /// Answers that a bare backend contradicted.
    pub disagreements: u64,
    /// By layer, in the order of [`Layer::ALL`].
    pub layers: [LayerCount; Layer::ALL.len()],
    /// Conjuncts of the paths of all queries that were sliced.
    pub conjuncts: u64,
    /// Those of them that were left.
    pub conjuncts_kept: u64,
    /// The backend's steps, in its own units, and what the fast path took, in the same.
    pub effort: u64,
    /// Terms handed to the backend.
    pub translated: u64,
    /// Instances of the backend that were made.
    pub instances: u64,
    /// Conjuncts of backend queries that an instance already held.
    pub conjuncts_shared: u64,
    /// Conjuncts that had to be asserted.
    pub conjuncts_asserted: u64,
}

impl Statistics {
    /// Queries without an answer.
    pub fn unknown(&self) -> u64 {
        self.unknown_effort
            + self.unknown_time
            + self.unknown_large
            + self.unknown_other
            + self.unknown_leaves
            + self.wrong_models
    }

    /// The count of a layer.
    pub fn layer(&self, layer: Layer) -> LayerCount {
        self.layers[layer as usize]
    }

    /// Adds what another solver did.
    pub fn add(&mut self, other: &Statistics) {
        // Taken apart, so that a new count cannot be forgotten here.
        let Statistics {
            queries,
            sat,
            unsat,
            unknown_effort,
            unknown_time,
            unknown_large,
            unknown_other,
            unknown_leaves,
            wrong_models,
            confirmed,
            disagreements,
            layers,
            conjuncts,
            conjuncts_kept,
            effort: _,
            translated: _,
            instances: _,
            conjuncts_shared: _,
            conjuncts_asserted: _,
        } = other;
        self.queries += queries;
        self.sat += sat;
        self.unsat += unsat;
        self.unknown_effort += unknown_effort;
        self.unknown_time += unknown_time;
        self.unknown_large += unknown_large;
        self.unknown_other += unknown_other;
        self.unknown_leaves += unknown_leaves;
        self.wrong_models += wrong_models;
        self.confirmed += confirmed;
        self.disagreements += disagreements;
        for (own, other) in self.layers.iter_mut().zip(layers) {
            own.asked += other.asked;
            own.answered += other.answered;
        }
        self.conjuncts += conjuncts;
        self.conjuncts_kept += conjuncts_kept;
        self.add_backend(other);
    }

    /// Adds what the backend counted during a query.
    pub(crate) fn add_backend(&mut self, spent: &Statistics) {
        self.effort += spent.effort;
        self.translated += spent.translated;
        self.instances += spent.instances;
        self.conjuncts_shared += spent.conjuncts_shared;
        self.conjuncts_asserted += spent.conjuncts_asserted;
    }

    pub(crate) fn count(&mut self, answer: &Answer) {
        self.queries += 1;
        *match answer {
            Answer::Sat(_) => &mut self.sat,
            Answer::Unsat(_) => &mut self.unsat,
            Answer::Unknown(UnknownReason::Effort) => &mut self.unknown_effort,
            Answer::Unknown(UnknownReason::Time) => &mut self.unknown_time,
            Answer::Unknown(UnknownReason::TooLarge) => &mut self.unknown_large,
            Answer::Unknown(UnknownReason::Interrupted | UnknownReason::GaveUp) => {
                &mut self.unknown_other
            }
            Answer::Unknown(UnknownReason::TooManyLeaves(_)) => &mut self.unknown_leaves,
            Answer::Unknown(UnknownReason::WrongModel) => &mut self.wrong_models,
        } += 1;
    }
}

/// Time on the clock, by layer in the order of [`Layer::ALL`]; different in every run.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct SolverClock {
    /// The time spent in each layer.
    pub layers: [Duration; Layer::ALL.len()],
    /// The time of all queries, with what is done between the layers.
    pub all: Duration,
}

impl SolverClock {
    /// Adds the time of another solver.
    pub fn add(&mut self, other: &SolverClock) {
        self.layers.iter_mut().zip(other.layers).for_each(|(own, other)| *own += other);
        self.all += other.all;
    }

    /// The time between the layers: finding what is independent, confirming models,
    /// remembering answers.
    pub fn between(&self) -> Duration {
        self.all.saturating_sub(self.layers.iter().sum())
    }
}

/// Counts and clocks what layers do.
#[derive(Default)]
pub(crate) struct Meter {
    pub statistics: Statistics,
    pub clock: SolverClock,
    /// When the layer at hand began.
    since: Option<Instant>,
}

impl Meter {
    /// A query begins. From here on each layer takes the time since the one before it, so
    /// that the clock, which costs as much as a cheap layer, is read once for each.
    pub fn begin(&mut self, now: Instant) {
        self.since = Some(now);
    }

    /// Asks a layer.
    pub fn layer<R>(&mut self, layer: Layer, ask: impl FnOnce() -> Option<R>) -> Option<R> {
        let answer = ask();
        let now = Instant::now();
        if let Some(began) = self.since.replace(now) {
            self.clock.layers[layer as usize] += now - began;
        }
        let count = &mut self.statistics.layers[layer as usize];
        count.asked += 1;
        count.answered += u64::from(answer.is_some());
        answer
    }

    /// Asks the backend, which has an answer or finds out nothing.
    pub fn backend(&mut self, ask: impl FnOnce() -> SliceAnswer) -> SliceAnswer {
        let mut verdict = SliceAnswer::Unknown(UnknownReason::GaveUp);
        self.layer(Layer::Backend, || {
            verdict = ask();
            (!matches!(verdict, SliceAnswer::Unknown(_))).then_some(())
        });
        verdict
    }
}
