//! A bit-blaster: our own circuits over our own SAT solver.
//!
//! Most queries that reach a backend are small and resemble the previous one. On these, an SMT
//! solver spends most of its time on rewriting, translation and setup, not on search. Here, a
//! term becomes a circuit once (`terms`, `circuit`, `gates`), and the SAT solver (`sat`)
//! continues from the state of the previous query, with the witness's bits as initial phases.
//!
//! One instance serves all paths, since its solver assigns only the variables that a query
//! depends on. If a short search finds nothing, random inputs are tried (`sample`) before the
//! search continues.
//!
//! It leaves floats, terms that would become too large, and queries that exceed its effort
//! to the SMT backend.

mod circuit;
mod gates;
mod instance;
mod sample;
mod sat;
mod terms;

use byway_expr::{Collected, ExprMap, Intervals, Model, Pool, Sweep};

use self::instance::{BlastInstance, SearchLimits};
use self::sample::InputSampler;
use self::terms::UnsupportedTerm;
use crate::backend::SliceAnswer;
use crate::budget::{Cancellation, QueryBudget};
use crate::query::Slice;

/// The instance is discarded once it has more variables than this, plus a multiple of the
/// most that one check used: the clauses of unused variables still cost time.
const BASE_MAX_VARS: usize = 20_000;
const MAX_VARS_PER_USED: usize = 8;

/// The number of variables that is never exceeded between two checks; they take half a
/// gigabyte.
const MAX_VARS: usize = 1_000_000;

/// The highest effort limit of a query, in watches visited: about a second.
const MAX_EFFORT: u64 = 40_000_000;

/// The lowest effort limit of a query: some milliseconds.
const MIN_EFFORT: u64 = 500_000;

/// Memory without which no query is tried.
const MIN_ROOM: u64 = 1 << 20;

/// Effort allowed for each backend step of a query's budget.
const EFFORT_PER_BUDGET_STEP: u64 = 10_000;

/// Effort that takes as long as a backend step; converts effort to the backend's unit for
/// the statistics. Failing searches of 500 and 1,500 steps (factors of 2^49, preimages of a
/// hash, a sum of cubes) visited 20 to 27 million watches per second of processor time here,
/// and took 900 to 48,000 steps per second in the backend, 6,000 in the geometric mean.
const EFFORT_PER_STEP: u64 = 4_000;

/// Effort that takes as long as building a gate, from expanding the term to its clauses: two
/// to four microseconds.
const EFFORT_PER_VAR: u64 = 64;

/// Circuits and an incremental SAT solver.
pub struct BitBlaster {
    instance: BlastInstance,
    sampler: InputSampler,
    /// From the structure of terms alone; holds no assumption of any path.
    intervals: Intervals,
    /// Terms that cannot become circuits.
    unsupported: ExprMap<()>,
    /// The effort limit of the next query. Halved when a query exhausts it, and increased
    /// by the effort of each answered query, so that losses stay proportional to gains.
    effort_limit: u64,
    /// Whether the last query exhausted its effort limit.
    exhausted_effort: bool,
    /// The effort of all queries so far, in backend steps.
    steps: u64,
}

impl BitBlaster {
    /// A bit-blaster without circuits.
    pub fn new(pool: &Pool) -> BitBlaster {
        BitBlaster {
            instance: BlastInstance::new(pool),
            sampler: InputSampler::new(),
            intervals: Intervals::new(pool),
            unsupported: ExprMap::for_pool(pool),
            effort_limit: MAX_EFFORT,
            exhausted_effort: false,
            steps: 0,
        }
    }

    /// Checks a slice; `None` if it is left to the backend, or was cancelled. Of the budget,
    /// only the effort counts; `cancellation` covers its time.
    pub fn check(
        &mut self,
        pool: &mut Pool,
        slice: &Slice,
        witness: Option<&Model>,
        budget: QueryBudget,
        cancellation: Cancellation,
    ) -> Option<SliceAnswer> {
        self.exhausted_effort = false;
        let steps = budget.effort.unwrap_or(u64::MAX);
        // A limit of one step allows no search at all.
        let room = cancellation.memory_left();
        if steps <= 1
            || room < MIN_ROOM
            || slice.terms().any(|e| self.unsupported.contains(pool, e))
        {
            return None;
        }
        let effort = self.effort_limit.min(steps.saturating_mul(EFFORT_PER_BUDGET_STEP));
        let max_vars = self.instance.limit_bytes(room);
        let (before, all_before) = (self.instance.effort(), self.total_effort());
        let answer = self.solve(pool, slice, witness, SearchLimits { effort, cancellation });
        let spent = self.instance.effort() - before;
        // As in the backend, no check is free.
        self.steps += 1 + (self.total_effort() - all_before) / EFFORT_PER_STEP;
        match answer {
            Ok(Some(_)) => self.effort_limit = (self.effort_limit + spent).min(MAX_EFFORT),
            // A cancelled query says nothing about the use of more effort.
            Ok(None) if spent < effort => {}
            Ok(None) => {
                self.effort_limit = (self.effort_limit / 2).max(MIN_EFFORT);
                self.exhausted_effort = true;
            }
            // Only for now: memory is short.
            Err(_) if self.instance.vars() > max_vars => self.instance = BlastInstance::new(pool),
            Err(_) if pool.is_too_large_to_expand() => {}
            Err(UnsupportedTerm(e)) => {
                self.unsupported.insert(pool, e, ());
            }
        }
        let max_vars = BASE_MAX_VARS + MAX_VARS_PER_USED * self.instance.max_relevant();
        if self.instance.vars() > max_vars.min(MAX_VARS) {
            self.instance = BlastInstance::new(pool);
        }
        answer.ok().flatten()
    }

    /// The effort of searching, sampling and building circuits, since the instance was created.
    fn total_effort(&self) -> u64 {
        let built = self.instance.vars() as u64 * EFFORT_PER_VAR;
        self.instance.effort() + self.sampler.effort() + built
    }

    /// The effort of all queries so far, in backend steps.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether the last query exhausted its effort limit, which marks it as hard.
    pub fn exhausted_effort(&self) -> bool {
        self.exhausted_effort
    }

    /// Approximate memory in bytes.
    pub fn bytes(&self) -> usize {
        self.instance.bytes()
    }

    /// Drops all circuits and learnt clauses.
    pub fn clear_caches(&mut self, pool: &Pool) {
        self.instance = BlastInstance::new(pool);
        self.intervals = Intervals::new(pool);
        self.sampler.clear_scratch();
    }

    /// A short search, then random inputs, then a long search.
    fn solve(
        &mut self,
        pool: &mut Pool,
        slice: &Slice,
        witness: Option<&Model>,
        limits: SearchLimits,
    ) -> Result<Option<SliceAnswer>, UnsupportedTerm> {
        let mut query = self.instance.load(pool, &mut self.intervals, slice, witness)?;
        let short = limits.effort.min(MIN_EFFORT);
        let mut answer = query.search(witness, SearchLimits { effort: short, ..limits });
        if answer.is_none() && limits.cancellation.reason().is_none() {
            let zeros = Model::new();
            let (base, gates) = (witness.unwrap_or(&zeros), query.relevant());
            answer = self.sampler.find(pool, slice, base, gates).map(SliceAnswer::Sat);
        }
        if answer.is_none() && limits.effort > short {
            answer =
                query.search(witness, SearchLimits { effort: limits.effort - short, ..limits });
        }
        Ok(answer)
    }
}

impl Sweep for BitBlaster {
    fn sweep(&mut self, collected: &Collected) {
        self.instance.sweep(collected);
        self.intervals.sweep(collected);
        self.unsupported.sweep(collected);
    }
}
