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
//! It gives up early: on floats, on what would become too large, and on what takes too
//! much effort. The SMT backend decides these.

mod circuit;
mod gates;
mod instance;
mod sat;
mod terms;

use byway_expr::{Collected, ExprMap, Intervals, Model, Pool, Sweep};

use self::instance::Instance;
use crate::backend::Verdict;
use crate::budget::Budget;
use crate::query::Slice;

/// The instance is given up once it has this many variables, and so many for each that
/// one check ever used: clauses that are of no use now are still looked at.
const MOST_VARS: usize = 20_000;
const VARS_PER_USED: usize = 8;

/// The most effort that a query may take, in watches looked at: about a second.
const MOST_EFFORT: u64 = 40_000_000;

/// What it may take whatever became of others: some milliseconds.
const LEAST_EFFORT: u64 = 500_000;

/// Watches for each step that a budget allows the backend.
const EFFORT_PER_STEP: u64 = 10_000;

/// Circuits, and a SAT solver that knows them.
pub struct FastPath {
    instance: Instance,
    /// What the structure of terms shows; no assumption of any path.
    intervals: Intervals,
    /// Terms that do not become circuits.
    unfit: ExprMap<()>,
    /// What the next query may take. Queries in vain halve it, answers give it what
    /// they took: no more is lost than was of use.
    allowance: u64,
}

impl FastPath {
    /// A fast path that knows nothing yet.
    pub fn new(pool: &Pool) -> FastPath {
        FastPath {
            instance: Instance::new(pool),
            intervals: Intervals::new(pool),
            unfit: ExprMap::for_pool(pool),
            allowance: MOST_EFFORT,
        }
    }

    /// Checks a slice; `None` if it is for others to decide. The budget's limit on time
    /// is not looked at: the limit on effort is tight enough.
    pub fn check(
        &mut self,
        pool: &mut Pool,
        slice: &Slice,
        witness: Option<&Model>,
        budget: Budget,
    ) -> Option<Verdict> {
        let steps = budget.effort.unwrap_or(u64::MAX);
        // With a limit of one step nothing is to be searched at all.
        if steps <= 1 || slice.terms().any(|e| self.unfit.contains(pool, e)) {
            return None;
        }
        let effort = self.allowance.min(steps.saturating_mul(EFFORT_PER_STEP));
        let before = self.instance.effort();
        let checked = self.instance.check(pool, &mut self.intervals, slice, witness, effort);
        let spent = self.instance.effort() - before;
        match checked {
            Ok(Some(_)) => self.allowance = (self.allowance + spent).min(MOST_EFFORT),
            Ok(None) => self.allowance = (self.allowance / 2).max(LEAST_EFFORT),
            Err(unfit) => {
                self.unfit.insert(pool, unfit.0, ());
            }
        }
        if self.instance.vars() > MOST_VARS + VARS_PER_USED * self.instance.most_relevant() {
            self.instance = Instance::new(pool);
        }
        checked.ok().flatten()
    }
}

impl FastPath {
    /// About how many bytes it holds.
    pub fn bytes(&self) -> usize {
        self.instance.bytes()
    }

    /// Forgets all circuits and what was learnt of them.
    pub fn shed(&mut self, pool: &Pool) {
        self.instance = Instance::new(pool);
        self.intervals = Intervals::new(pool);
    }
}

impl Sweep for FastPath {
    fn sweep(&mut self, collected: &Collected) {
        self.instance.sweep(collected);
        self.intervals.sweep(collected);
        self.unfit.sweep(collected);
    }
}
