//! A small pool of path instances. Searchers jump between paths, and a path has independent
//! slices: a query goes to the instance that shares the longest prefix with it, or to a new
//! one if none shares enough.

use byway_base::MemoryGuard;
use byway_expr::expand::{Expander, TooManyLeaves};
use byway_expr::{Collected, Intervals, Pool, Sweep};

use super::SliceAnswer;
use super::bitwuzla::{InstanceOptions, TermFactory, Translator};
use super::path_instance::PathInstance;
use crate::answer::UnknownReason;
use crate::budget::QueryBudget;
use crate::query::Slice;
use crate::statistics::Statistics;

/// How many instances are kept. On synthetic paths explored at random, 4 to 16 cost the
/// same and 64 cost more.
const MAX_INSTANCES: usize = 8;

/// An instance is discarded once it has popped this many conjuncts, to free the memory they
/// left behind. Discarding after 200 made series of queries 1.2 to 5 times slower.
const MAX_POPPED: usize = 20_000;

/// Memory of a translated term, here and in Bitwuzla.
const BYTES_PER_TERM: usize = 512;

/// The backend of the stack.
pub struct IncrementalBackend {
    terms: TermFactory,
    translator: Translator,
    /// The most recently used first.
    instances: Vec<PathInstance>,
    options: InstanceOptions,
}

impl IncrementalBackend {
    /// A backend without instances.
    pub fn new(pool: &Pool, options: InstanceOptions) -> IncrementalBackend {
        let terms = TermFactory::new();
        let translator = Translator::new(pool, &terms);
        IncrementalBackend { terms, translator, instances: Vec::new(), options }
    }

    /// Ends checks when the process is too large.
    pub fn within(mut self, memory: Option<MemoryGuard>) -> IncrementalBackend {
        self.options.memory = memory;
        self
    }

    /// Approximate memory in bytes, estimated because Bitwuzla does not report its own.
    pub fn bytes(&self) -> usize {
        let instances = self.instances.iter().map(PathInstance::bytes).sum::<usize>();
        self.translator.cached() * BYTES_PER_TERM + instances
    }

    /// Drops all terms and instances.
    pub fn clear_caches(&mut self, pool: &Pool) {
        *self = IncrementalBackend::new(pool, self.options.clone());
    }

    /// Checks a hard slice in an instance of its own with preprocessing, which costs some
    /// milliseconds and often succeeds where plain search fails.
    pub fn check_hard(
        &mut self,
        pool: &mut Pool,
        slice: &Slice,
        budget: QueryBudget,
        statistics: &mut Statistics,
    ) -> SliceAnswer {
        let translated = self.translator.translated();
        let options = InstanceOptions { preprocess: true, ..self.options.clone() };
        let mut instance = PathInstance::new(&self.terms, &options);
        let answer = instance.check(pool, &mut self.translator, slice, budget);
        statistics.instances += 1;
        statistics.effort += instance.effort();
        statistics.conjuncts_asserted += slice.conjuncts.len() as u64;
        statistics.translated += self.translator.translated() - translated;
        match answer {
            Ok(answer) => answer,
            Err(_) => self.check(pool, slice, budget, statistics),
        }
    }

    /// Checks a slice.
    pub fn check(
        &mut self,
        pool: &mut Pool,
        slice: &Slice,
        budget: QueryBudget,
        statistics: &mut Statistics,
    ) -> SliceAnswer {
        let translated = self.translator.translated();
        let answer =
            match self.check_incrementally(pool, slice, budget, statistics) {
                Ok(answer) => answer,
                Err(_) => self.check_expanded(pool, slice, budget, statistics).unwrap_or_else(
                    |too_many| SliceAnswer::Unknown(UnknownReason::TooManyLeaves(too_many)),
                ),
            };
        statistics.translated += self.translator.translated() - translated;
        answer
    }

    fn check_incrementally(
        &mut self,
        pool: &mut Pool,
        slice: &Slice,
        budget: QueryBudget,
        statistics: &mut Statistics,
    ) -> Result<SliceAnswer, TooManyLeaves> {
        let mut instance = self.take_instance(slice, statistics);
        let (shared, effort) = (instance.shared_prefix(&slice.conjuncts), instance.effort());
        let answer = instance.check(pool, &mut self.translator, slice, budget);
        statistics.effort += instance.effort() - effort;
        statistics.conjuncts_shared += shared as u64;
        statistics.conjuncts_asserted += (slice.conjuncts.len() - shared) as u64;
        if instance.popped() < MAX_POPPED {
            self.instances.insert(0, instance);
        }
        answer
    }

    /// Takes the instance with the longest shared prefix out of the pool, or creates one.
    /// An instance that would have to pop most of its conjuncts is kept for its own path.
    fn take_instance(&mut self, slice: &Slice, statistics: &mut Statistics) -> PathInstance {
        let shared = |instance: &PathInstance| instance.shared_prefix(&slice.conjuncts);
        let best = (0..self.instances.len()).rev().max_by_key(|&at| shared(&self.instances[at]));
        if let Some(at) = best {
            let instance = &self.instances[at];
            let useful = 2 * shared(instance) >= instance.len();
            let full = self.instances.len() >= MAX_INSTANCES;
            if useful || full && shared(instance) > 0 {
                return self.instances.remove(at);
            }
            if full {
                self.instances.pop();
            }
        }
        statistics.instances += 1;
        PathInstance::new(&self.terms, &self.options)
    }

    /// Checks a slice with a read that reaches too many bytes by its structure alone. The
    /// slice's own terms narrow the reach, so the expanded terms are equivalent to the
    /// slice's only in conjunction: they get an instance of their own, and the core is all
    /// conjuncts.
    fn check_expanded(
        &mut self,
        pool: &mut Pool,
        slice: &Slice,
        budget: QueryBudget,
        statistics: &mut Statistics,
    ) -> Result<SliceAnswer, TooManyLeaves> {
        let mut intervals = Intervals::new(pool);
        slice.terms().for_each(|e| intervals.assume(pool, e));
        let mut expander = Expander::new(pool);
        let mut expand = |e| expander.term(pool, &mut intervals, e);
        let conjuncts = slice.conjuncts.iter().map(|&e| expand(e)).collect::<Result<_, _>>()?;
        let expanded = Slice { conjuncts, condition: expand(slice.condition)? };
        let mut instance = PathInstance::new(&self.terms, &self.options);
        statistics.instances += 1;
        statistics.conjuncts_asserted += slice.conjuncts.len() as u64;
        let answer = instance.check(pool, &mut self.translator, &expanded, budget)?;
        statistics.effort += instance.effort();
        Ok(match answer {
            SliceAnswer::Unsat(_) => SliceAnswer::Unsat(slice.conjuncts.clone()),
            answer => answer,
        })
    }
}

impl Sweep for IncrementalBackend {
    fn sweep(&mut self, collected: &Collected) {
        self.translator.sweep(collected);
        self.instances.iter_mut().for_each(|instance| instance.sweep(collected));
    }
}
