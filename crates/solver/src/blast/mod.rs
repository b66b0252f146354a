//! The fast path: our own circuits over our own SAT solver.
//!
//! Most queries that reach a backend are small and like the last one. What takes an SMT
//! solver most of its time with these is not the search: it rewrites, translates and
//! sets up. Here a term becomes a circuit once (`terms`, `circuit`, `gates`), and the SAT
//! solver (`sat`) goes on from where the last query left it, with the witness's values
//! as its first guess.
//!
//! One instance serves all paths, since its solver looks only at what a query is about.
//!
//! What a first search does not find, guesses may (`guess`); then the search goes on.
//!
//! It gives up early: on floats, on what would become too large, and on what takes too
//! much effort. The SMT backend decides these.

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

/// The instance is given up once it has this many variables, and so many for each that
/// one check ever used: clauses that are of no use now are still looked at.
const MOST_VARS: usize = 20_000;
const VARS_PER_USED: usize = 8;

/// More it never has between two checks: that many take half a gigabyte.
const MOST_VARS_EVER: usize = 1_000_000;

/// The most effort that a query may take, in watches looked at: about a second.
const MOST_EFFORT: u64 = 40_000_000;

/// What it may take whatever became of others: some milliseconds.
const LEAST_EFFORT: u64 = 500_000;

/// Watches for each step that a budget allows the backend.
const EFFORT_PER_STEP: u64 = 10_000;

/// Watches that take as long as a step of the backend, by which effort is told in its unit.
/// Searches in vain for 500 and 1,500 steps (factors of 2^49, preimages of a hash, a sum of
/// cubes) took 20 to 27 million watches a second of processor time here, and 900 to 48,000
/// steps a second there, 6,000 in the geometric mean.
const EFFORT_PER_STEP_TOLD: u64 = 4_000;

/// Circuits, and a SAT solver that knows them.
pub struct BitBlaster {
    instance: BlastInstance,
    guesser: InputSampler,
    /// What the structure of terms shows; no assumption of any path.
    intervals: Intervals,
    /// Terms that do not become circuits.
    unfit: ExprMap<()>,
    /// What the next query may take. Queries in vain halve it, answers give it what
    /// they took: no more is lost than was of use.
    allowance: u64,
    /// Whether the last query took all that was allowed, in vain.
    in_vain: bool,
    /// What all queries so far took, in steps of the backend.
    steps: u64,
}

impl BitBlaster {
    /// A fast path that knows nothing yet.
    pub fn new(pool: &Pool) -> BitBlaster {
        BitBlaster {
            instance: BlastInstance::new(pool),
            guesser: InputSampler::new(),
            intervals: Intervals::new(pool),
            unfit: ExprMap::for_pool(pool),
            allowance: MOST_EFFORT,
            in_vain: false,
            steps: 0,
        }
    }

    /// Checks a slice; `None` if it is for others to decide, or ended from cancellation. The
    /// budget's limit on time counts only as far as `cancellation` knows of it.
    pub fn check(
        &mut self,
        pool: &mut Pool,
        slice: &Slice,
        witness: Option<&Model>,
        budget: QueryBudget,
        cancellation: Cancellation,
    ) -> Option<SliceAnswer> {
        self.in_vain = false;
        let steps = budget.effort.unwrap_or(u64::MAX);
        // With a limit of one step nothing is to be searched at all.
        if steps <= 1 || slice.terms().any(|e| self.unfit.contains(pool, e)) {
            return None;
        }
        let effort = self.allowance.min(steps.saturating_mul(EFFORT_PER_STEP));
        let before = self.instance.effort();
        let checked = self.posed(pool, slice, witness, SearchLimits { effort, cancellation });
        let spent = self.instance.effort() - before;
        // As a check of the backend, none is free: making circuits takes time, too.
        self.steps += 1 + spent / EFFORT_PER_STEP_TOLD;
        match checked {
            Ok(Some(_)) => self.allowance = (self.allowance + spent).min(MOST_EFFORT),
            // What was ended from cancellation says nothing about what is left to gain.
            Ok(None) if spent < effort => {}
            Ok(None) => {
                self.allowance = (self.allowance / 2).max(LEAST_EFFORT);
                self.in_vain = true;
            }
            Err(unfit) => {
                self.unfit.insert(pool, unfit.0, ());
            }
        }
        let most = MOST_VARS + VARS_PER_USED * self.instance.most_relevant();
        if self.instance.vars() > most.min(MOST_VARS_EVER) {
            self.instance = BlastInstance::new(pool);
        }
        checked.ok().flatten()
    }

    /// What all queries so far took, in steps of the backend.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether the last query was searched for as long as is allowed: a hard one.
    pub fn in_vain(&self) -> bool {
        self.in_vain
    }

    /// A short search, then guesses, then a long search.
    fn posed(
        &mut self,
        pool: &mut Pool,
        slice: &Slice,
        witness: Option<&Model>,
        allowed: SearchLimits,
    ) -> Result<Option<SliceAnswer>, UnsupportedTerm> {
        let mut posed = self.instance.pose(pool, &mut self.intervals, slice, witness)?;
        let short = allowed.effort.min(LEAST_EFFORT);
        let mut found = posed.search(witness, SearchLimits { effort: short, ..allowed });
        if found.is_none() && allowed.cancellation.reason().is_none() {
            let nothing = Model::new();
            let (from, gates) = (witness.unwrap_or(&nothing), posed.relevant());
            found = self.guesser.find(pool, slice, from, gates).map(SliceAnswer::Sat);
        }
        if found.is_none() && allowed.effort > short {
            found =
                posed.search(witness, SearchLimits { effort: allowed.effort - short, ..allowed });
        }
        Ok(found)
    }
}

impl BitBlaster {
    /// About how many bytes it holds.
    pub fn bytes(&self) -> usize {
        self.instance.bytes()
    }

    /// Forgets all circuits and what was learnt of them.
    pub fn clear_caches(&mut self, pool: &Pool) {
        self.instance = BlastInstance::new(pool);
        self.intervals = Intervals::new(pool);
    }
}

impl Sweep for BitBlaster {
    fn sweep(&mut self, collected: &Collected) {
        self.instance.sweep(collected);
        self.intervals.sweep(collected);
        self.unfit.sweep(collected);
    }
}
