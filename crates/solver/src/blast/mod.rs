//! The fast path: our own circuits over our own SAT solver.
//!
//! Most queries that reach a backend are small and like the last one. What takes an SMT
//! solver most of its time with these is not the search: it rewrites, translates and
//! sets up. Here a term becomes a circuit once ([`terms`], [`circuit`], [`gates`]), and
//! the SAT solver ([`sat`]) goes on from where the last query left it, with the
//! witness's values as its first guess.
//!
//! It gives up early: on floats, on what would become too large, and on what takes more
//! than a little effort. The SMT backend decides these.

mod circuit;
mod gates;
mod instance;
mod sat;
mod terms;

use byway_base::ExprId;
use byway_expr::{Collected, ExprMap, Intervals, Model, Pool, Sweep};

use self::instance::Instance;
use crate::backend::Verdict;
use crate::query::Slice;

/// How many instances are kept.
const INSTANCES: usize = 4;

/// An instance is given up once it has this many variables, and so many for each that
/// one check ever used: clauses that are of no use now are still looked at.
const MOST_VARS: usize = 20_000;
const VARS_PER_USED: usize = 8;

/// Watches that a query may look at: some milliseconds.
const EFFORT: u64 = 1_000_000;

/// The fast path's instances.
pub struct FastPath {
    /// The one used last comes first.
    instances: Vec<Instance>,
    /// What the structure of terms shows; no assumption of any path.
    intervals: Intervals,
    /// Terms that do not become circuits.
    unfit: ExprMap<()>,
}

impl FastPath {
    /// A fast path that knows nothing yet.
    pub fn new(pool: &Pool) -> FastPath {
        FastPath {
            instances: Vec::new(),
            intervals: Intervals::new(pool),
            unfit: ExprMap::for_pool(pool),
        }
    }

    /// Checks a slice; `None` if it is for others to decide.
    pub fn check(
        &mut self,
        pool: &mut Pool,
        slice: &Slice,
        witness: Option<&Model>,
    ) -> Option<Verdict> {
        if slice.terms().any(|e| self.unfit.contains(pool, e)) {
            return None;
        }
        let mut instance = self.instance_for(pool, &slice.conjuncts);
        let checked = instance.check(pool, &mut self.intervals, slice, witness, EFFORT);
        let useful = MOST_VARS + VARS_PER_USED * instance.most_relevant();
        if instance.vars() < useful {
            self.instances.insert(0, instance);
        }
        checked.unwrap_or_else(|unfit| {
            self.unfit.insert(pool, unfit.0, ());
            None
        })
    }

    /// Takes the instance that shares most out of the pool, or begins one.
    fn instance_for(&mut self, pool: &Pool, conjuncts: &[ExprId]) -> Instance {
        let shared = |instance: &Instance| instance.shared(conjuncts);
        let best = (0..self.instances.len()).rev().max_by_key(|&at| shared(&self.instances[at]));
        if let Some(at) = best {
            let instance = &self.instances[at];
            let full = self.instances.len() >= INSTANCES;
            if full || 2 * shared(instance) >= instance.len() {
                return self.instances.remove(at);
            }
        }
        Instance::new(pool)
    }
}

impl Sweep for FastPath {
    fn sweep(&mut self, collected: &Collected) {
        self.instances.iter_mut().for_each(|instance| instance.sweep(collected));
        self.intervals.sweep(collected);
        self.unfit.sweep(collected);
    }
}
