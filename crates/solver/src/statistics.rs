//! Deterministic counts of the solver's work and, apart from them, wall-clock times.

use std::time::{Duration, Instant};

use crate::answer::{Answer, UnknownReason};
use crate::backend::SliceAnswer;

/// The layers of the stack, in the order in which a query passes them.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Layer {
    /// The condition is constant, or a fact of the path decides it.
    Known,
    /// Evaluation under the path's witness.
    Witness,
    /// The domain of a single byte.
    Domain,
    /// Answers to earlier queries.
    Cache,
    /// Circuits over a small SAT solver; see [`crate::BitBlaster`].
    Blast,
    /// The SMT solver.
    Backend,
}

impl Layer {
    /// All layers, in order.
    pub const ALL: [Layer; 6] =
        [Layer::Known, Layer::Witness, Layer::Domain, Layer::Cache, Layer::Blast, Layer::Backend];

    /// A stable identifier, for people and for files.
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

/// How many queries reached a layer and how many it answered.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct LayerCount {
    /// Queries that reached the layer.
    pub asked: u64,
    /// Queries that the layer answered.
    pub answered: u64,
}

/// Counts that depend on the queries alone.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// All queries; sat, unsat and unknown add up to them.
    pub queries: u64,
    /// Satisfiable queries.
    pub sat: u64,
    /// Unsatisfiable queries.
    pub unsat: u64,
    /// Queries that reached the effort limit.
    pub unknown_effort: u64,
    /// Queries that reached the time limit.
    pub unknown_time: u64,
    /// Queries whose terms are too large for the backend.
    pub unknown_large: u64,
    /// Unknown: the process reached its memory limit.
    pub unknown_memory: u64,
    /// Queries on which the backend gave up or was interrupted.
    pub unknown_other: u64,
    /// Queries with a read that can reach too many bytes.
    pub unknown_leaves: u64,
    /// Queries for which evaluation refuted the backend's model.
    pub wrong_models: u64,
    /// Answers that the bare backend confirmed; only under `--solver-check`.
    pub confirmed: u64,
    /// Answers that the bare backend contradicted.
    pub disagreements: u64,
    /// By layer, in the order of [`Layer::ALL`].
    pub layers: [LayerCount; Layer::ALL.len()],
    /// Conjuncts of all sliced queries, before slicing.
    pub conjuncts: u64,
    /// Conjuncts that slicing kept.
    pub conjuncts_kept: u64,
    /// Effort of the backend, in its own steps, and of the bit-blaster, converted to them.
    pub effort: u64,
    /// Terms translated for the backend.
    pub translated: u64,
    /// Backend instances created.
    pub instances: u64,
    /// Conjuncts of backend queries that an instance had already asserted.
    pub conjuncts_shared: u64,
    /// Conjuncts that an instance had to assert.
    pub conjuncts_asserted: u64,
}

impl Statistics {
    /// All undecided queries.
    pub fn unknown(&self) -> u64 {
        self.unknown_effort
            + self.unknown_time
            + self.unknown_large
            + self.unknown_memory
            + self.unknown_other
            + self.unknown_leaves
            + self.wrong_models
    }

    /// The counts of a layer.
    pub fn layer(&self, layer: Layer) -> LayerCount {
        self.layers[layer as usize]
    }

    /// Adds the counts of another solver.
    pub fn add(&mut self, other: &Statistics) {
        // Destructured, so that a new field cannot be forgotten here.
        let Statistics {
            queries,
            sat,
            unsat,
            unknown_effort,
            unknown_time,
            unknown_large,
            unknown_memory,
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
        self.unknown_memory += unknown_memory;
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

    /// Adds the backend's counts of one query.
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
            Answer::Unknown(UnknownReason::Memory) => &mut self.unknown_memory,
            Answer::Unknown(UnknownReason::Interrupted | UnknownReason::GaveUp) => {
                &mut self.unknown_other
            }
            Answer::Unknown(UnknownReason::TooManyLeaves(_)) => &mut self.unknown_leaves,
            Answer::Unknown(UnknownReason::WrongModel) => &mut self.wrong_models,
        } += 1;
    }
}

/// Wall-clock times; different in every run.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct SolverClock {
    /// Time by layer, in the order of [`Layer::ALL`].
    pub layers: [Duration; Layer::ALL.len()],
    /// Time of all queries, including the work between the layers.
    pub all: Duration,
}

impl SolverClock {
    /// Adds the times of another solver.
    pub fn add(&mut self, other: &SolverClock) {
        self.layers.iter_mut().zip(other.layers).for_each(|(own, other)| *own += other);
        self.all += other.all;
    }

    /// Time between the layers: slicing, confirming models, caching answers.
    pub fn between(&self) -> Duration {
        self.all.saturating_sub(self.layers.iter().sum())
    }
}

/// Counts and times the layers.
#[derive(Default)]
pub(crate) struct Meter {
    pub statistics: Statistics,
    pub clock: SolverClock,
    /// When the current layer started.
    layer_start: Option<Instant>,
}

impl Meter {
    /// Starts a query. Each layer is charged the time since the previous one ended, so that
    /// the clock, which costs as much as a cheap layer, is read once per layer.
    pub fn begin(&mut self, now: Instant) {
        self.layer_start = Some(now);
    }

    /// Runs a layer; `None` means that it cannot answer.
    pub fn layer<R>(&mut self, layer: Layer, run: impl FnOnce() -> Option<R>) -> Option<R> {
        let answer = run();
        let now = Instant::now();
        if let Some(start) = self.layer_start.replace(now) {
            self.clock.layers[layer as usize] += now - start;
        }
        let count = &mut self.statistics.layers[layer as usize];
        count.asked += 1;
        count.answered += u64::from(answer.is_some());
        answer
    }

    /// Runs the backend as the last layer.
    pub fn backend(&mut self, run: impl FnOnce() -> SliceAnswer) -> SliceAnswer {
        let mut answer = SliceAnswer::Unknown(UnknownReason::GaveUp);
        self.layer(Layer::Backend, || {
            answer = run();
            (!matches!(answer, SliceAnswer::Unknown(_))).then_some(())
        });
        answer
    }
}
