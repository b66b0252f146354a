//! Homi: learns which states to drop, and drops many.
//!
//! ```text
//! run 1, nothing dropped ─▶ tests ─▶ greedy set cover of the branches ─▶ promising tests
//!                             ▲                                             │
//!          run i ─────────────┘                features: their equalities; distributions of
//!   drops the states with      ◀── sample ──── weights, of the fraction to drop, of the length
//!   the lowest scores
//! ```
//!
//! Paper: Cha, Oh: *Making Symbolic Execution Promising by Learning Aggressive State-Pruning
//! Strategy*, ESEC/FSE 2020.

mod evidence;
mod knowledge;
mod learning;
mod options;

pub use evidence::{EvidenceStore, TestOfRun};
pub use knowledge::LearntRuns;
pub use learning::{Learnt, RunParameters, SamplingMethod, WeightDistribution};
pub use options::{HomiOptions, fraction};

use byway_base::Rng;
use rustc_hash::FxHashMap;

use super::{ClockUnit, RepeatingTimer, lowest};
use crate::{
    ConditionHash, Delta, Knowledge, KnowledgeOrigin, Pruner, SearcherRequirements, StateId, View,
};

/// The name of its table in [`Knowledge`].
const KNOWLEDGE: &str = "homi";

/// Drops the states with the lowest scores, and learns how to score them in a series of runs. If it
/// is not to learn, all scores are equal, and it drops random states.
pub struct Homi {
    options: HomiOptions,
    evidence: EvidenceStore,
    /// Promising tests of another version of the program. What they cover here is not known, so
    /// all of them count.
    other_tests: Vec<TestOfRun>,
    /// The parameters of all runs so far.
    runs: Vec<RunParameters>,
    /// Whether the last of them is still under way.
    is_under_way: bool,
    /// The clock when this was last asked.
    now: u64,
    /// The clock when the current run began, and how many states were lost to memory before.
    run_start: (u64, u64),
    /// When the current run ends.
    run_end: u64,
    timer: RepeatingTimer,
    /// Whether a state of the current run was lost, so that it cannot explore everything.
    has_lost: bool,
}

impl Homi {
    /// A pruner that knows nothing yet.
    pub fn new(options: HomiOptions) -> Homi {
        Homi {
            evidence: EvidenceStore::default(),
            other_tests: Vec::new(),
            runs: Vec::new(),
            is_under_way: false,
            now: 0,
            run_start: (0, 0),
            run_end: 0,
            timer: RepeatingTimer::new(options.interval, 0),
            has_lost: false,
            options,
        }
    }

    fn begin(&mut self, run: RunParameters, now: u64) {
        self.run_end = now.saturating_add(self.options.run_lengths()[run.length]);
        self.timer = RepeatingTimer::new(self.options.interval, now);
        self.has_lost = false;
        self.is_under_way = true;
        self.runs.push(run);
    }

    /// A run with a random fraction and length, and no weights. If anything is learnt, that is the
    /// first run, and it drops nothing.
    fn begin_random(&mut self, now: u64, rng: &mut Rng) {
        let fraction = rng.below(self.options.fractions.into()) as usize;
        let length = rng.below(self.options.lengths.into()) as usize;
        self.begin(RunParameters { fraction, length, ..RunParameters::default() }, now);
    }

    fn begin_next(&mut self, now: u64, rng: &mut Rng) {
        if !self.options.learns {
            return self.begin_random(now, rng);
        }
        let mut tests = self.evidence.promising();
        tests.extend_from_slice(&self.other_tests);
        let learnt = Learnt::from(&tests, &self.runs, &self.options);
        let methods =
            [SamplingMethod::Exploit, SamplingMethod::ReverseExploit, SamplingMethod::Explore];
        // The run that is about to begin is number `self.runs.len()`; the first had no weights.
        let method = match self.runs.len() <= self.options.exploring as usize {
            true => SamplingMethod::Explore,
            false => methods[rng.below(methods.len() as u64) as usize],
        };
        let run = learnt.sample(method, &self.options, rng);
        self.begin(run, now);
    }
}

impl Pruner for Homi {
    fn update(&mut self, delta: &Delta, _: &dyn View) {
        let run = self.runs.len().saturating_sub(1);
        for evidence in &delta.evidence {
            self.evidence.add(run, evidence);
        }
        self.has_lost |= !delta.dropped.is_empty() || !delta.unknown.is_empty();
    }

    fn is_due(&self, view: &dyn View) -> bool {
        !self.is_under_way || !self.options.until_memory && self.timer.is_due(view.clock())
    }

    fn prune(&mut self, view: &dyn View, rng: &mut Rng) -> Vec<StateId> {
        let now = view.clock();
        self.now = now;
        if !self.is_under_way {
            self.run_start = (now, view.lost_to_memory());
        }
        match (self.is_under_way, self.runs.is_empty()) {
            (true, _) => {}
            (false, true) => self.begin_random(now, rng),
            (false, false) => self.begin_next(now, rng),
        }
        self.timer.restart(now);
        let has_scores = |run: &&RunParameters| !run.weights.is_empty() || !self.options.learns;
        let Some(run) = self.runs.last().filter(has_scores) else { return Vec::new() };
        let weights: FxHashMap<ConditionHash, f64> = run.weights.iter().copied().collect();
        let score = |state| {
            let conditions = view.conditions(state);
            let score = conditions.iter().filter_map(|condition| weights.get(condition)).sum();
            (score, state)
        };
        let scored: Vec<(f64, StateId)> = view.states().into_iter().map(score).collect();
        let fraction = self.options.drop_fractions()[run.fraction];
        let count = (scored.len() as f64 * fraction) as usize;
        lowest(scored, count, rng)
    }

    fn starts_over(&mut self, is_exhausted: bool, view: &dyn View, _: &mut Rng) -> bool {
        self.now = view.clock();
        let (start, lost) = self.run_start;
        let is_over = match (is_exhausted, self.options.until_memory) {
            (true, _) => self.has_lost,
            (false, true) => view.lost_to_memory() > lost,
            (false, false) => self.now >= self.run_end,
        };
        let starts_over = is_over && self.is_under_way;
        if starts_over && self.options.until_memory {
            self.options.fit_to(self.now.saturating_sub(start));
        }
        if starts_over {
            // The next run begins when it first drops states: the tests of the states that are
            // dropped now belong to this one.
            self.is_under_way = false;
        }
        starts_over
    }

    fn store(&self, knowledge: &mut Knowledge) {
        if self.is_under_way {
            let mut tests = self.evidence.promising();
            tests.extend_from_slice(&self.other_tests);
            let left = self.run_end.saturating_sub(self.now);
            let learnt = LearntRuns { runs: self.runs.clone(), tests, left };
            knowledge.add(KNOWLEDGE.into(), learnt.rows());
        }
    }

    fn recall(&mut self, knowledge: &Knowledge) {
        for table in knowledge.tables_of(KNOWLEDGE) {
            let LearntRuns { runs, tests, left } = LearntRuns::read(table, &self.options);
            let first = self.runs.len();
            self.runs.extend(runs);
            for mut test in tests {
                test.run += first;
                if knowledge.origin == KnowledgeOrigin::OtherBuild {
                    test.evidence.covered.clear();
                }
                match test.evidence.covered.is_empty() {
                    true => self.other_tests.push(test),
                    false => self.evidence.add(test.run, &test.evidence),
                }
            }
            if knowledge.origin == KnowledgeOrigin::ThisExploration && !self.runs.is_empty() {
                (self.is_under_way, self.run_end) = (true, left);
            }
        }
    }

    fn requirements(&self) -> SearcherRequirements {
        SearcherRequirements {
            restarts: true,
            evidence: self.options.learns,
            ..SearcherRequirements::default()
        }
    }

    fn clock_unit(&self) -> ClockUnit {
        self.options.unit
    }
}
