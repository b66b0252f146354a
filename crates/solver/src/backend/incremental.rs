//! A small pool of lineages. Searchers jump between paths, and a path has
//! independent parts: a query goes to the lineage that shares most with it, and a new
//! one is begun where none shares enough.

use byway_expr::expand::{Expander, TooManyLeaves};
use byway_expr::{Collected, Intervals, Pool, Sweep};

use super::SliceAnswer;
use super::bitwuzla::{InstanceOptions, TermFactory, Translator};
use super::path_instance::PathInstance;
use crate::answer::UnknownReason;
use crate::budget::QueryBudget;
use crate::query::Slice;
use crate::statistics::Statistics;

/// How many lineages are kept. On synthetic paths explored at random, 4 to 16 cost the
/// same and 64 cost more.
const LINEAGES: usize = 8;

/// A lineage is given up once it took back so many conjuncts. That is for the memory
/// it holds: giving up after 200 made series of queries 1.2 to 5 times slower.
const MOST_DROPPED: usize = 20_000;

/// What a translated term takes, here and in Bitwuzla.
const BYTES_PER_TERM: usize = 512;

/// The backend of the stack.
pub struct IncrementalBackend {
    terms: TermFactory,
    translator: Translator,
    /// The one used last comes first.
    lineages: Vec<PathInstance>,
    setup: InstanceOptions,
}

impl IncrementalBackend {
    /// A backend without lineages.
    pub fn new(pool: &Pool, setup: InstanceOptions) -> IncrementalBackend {
        let terms = TermFactory::new();
        let translator = Translator::new(pool, &terms);
        IncrementalBackend { terms, translator, lineages: Vec::new(), setup }
    }

    /// About how many bytes it holds; Bitwuzla itself does not tell.
    pub fn bytes(&self) -> usize {
        let lineages = self.lineages.iter().map(PathInstance::bytes).sum::<usize>();
        self.translator.kept() * BYTES_PER_TERM + lineages
    }

    /// Forgets all terms and lineages.
    pub fn clear_caches(&mut self, pool: &Pool) {
        *self = IncrementalBackend::new(pool, self.setup.clone());
    }

    /// Checks a slice that is hard: in an instance of its own, which may preprocess it.
    /// That costs some milliseconds, and often finds what a search does not.
    pub fn check_hard(
        &mut self,
        pool: &mut Pool,
        slice: &Slice,
        budget: QueryBudget,
        statistics: &mut Statistics,
    ) -> SliceAnswer {
        let translated = self.translator.translated();
        let setup = InstanceOptions { preprocess: true, ..self.setup.clone() };
        let mut lineage = PathInstance::new(&self.terms, &setup);
        let verdict = lineage.check(pool, &mut self.translator, slice, budget);
        statistics.instances += 1;
        statistics.effort += lineage.effort();
        statistics.conjuncts_asserted += slice.conjuncts.len() as u64;
        statistics.translated += self.translator.translated() - translated;
        match verdict {
            Ok(verdict) => verdict,
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
        let verdict = match self.along_a_lineage(pool, slice, budget, statistics) {
            Ok(verdict) => verdict,
            Err(_) => self.apart(pool, slice, budget, statistics).unwrap_or_else(|too_many| {
                SliceAnswer::Unknown(UnknownReason::TooManyLeaves(too_many))
            }),
        };
        statistics.translated += self.translator.translated() - translated;
        verdict
    }

    fn along_a_lineage(
        &mut self,
        pool: &mut Pool,
        slice: &Slice,
        budget: QueryBudget,
        statistics: &mut Statistics,
    ) -> Result<SliceAnswer, TooManyLeaves> {
        let mut lineage = self.lineage_for(slice, statistics);
        let (shared, effort) = (lineage.shared(&slice.conjuncts), lineage.effort());
        let verdict = lineage.check(pool, &mut self.translator, slice, budget);
        statistics.effort += lineage.effort() - effort;
        statistics.conjuncts_shared += shared as u64;
        statistics.conjuncts_asserted += (slice.conjuncts.len() - shared) as u64;
        if lineage.dropped() < MOST_DROPPED {
            self.lineages.insert(0, lineage);
        }
        verdict
    }

    /// Takes the lineage that shares most out of the pool, or begins one. A lineage
    /// that would have to drop most of what it holds is better left to its own path.
    fn lineage_for(&mut self, slice: &Slice, statistics: &mut Statistics) -> PathInstance {
        let shared = |lineage: &PathInstance| lineage.shared(&slice.conjuncts);
        let best = (0..self.lineages.len()).rev().max_by_key(|&at| shared(&self.lineages[at]));
        if let Some(at) = best {
            let lineage = &self.lineages[at];
            let useful = 2 * shared(lineage) >= lineage.len();
            let full = self.lineages.len() >= LINEAGES;
            if useful || full && shared(lineage) > 0 {
                return self.lineages.remove(at);
            }
            if full {
                self.lineages.pop();
            }
        }
        statistics.instances += 1;
        PathInstance::new(&self.terms, &self.setup)
    }

    /// Checks a slice with a read that by its structure alone reaches too much. The
    /// slice's own terms narrow what it reaches, so the expanded terms are equal to
    /// the slice's only all together: they get an instance for themselves, and the
    /// core is all of them.
    fn apart(
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
        let mut lineage = PathInstance::new(&self.terms, &self.setup);
        statistics.instances += 1;
        statistics.conjuncts_asserted += slice.conjuncts.len() as u64;
        let verdict = lineage.check(pool, &mut self.translator, &expanded, budget)?;
        statistics.effort += lineage.effort();
        Ok(match verdict {
            SliceAnswer::Unsat(_) => SliceAnswer::Unsat(slice.conjuncts.clone()),
            verdict => verdict,
        })
    }
}

impl Sweep for IncrementalBackend {
    fn sweep(&mut self, collected: &Collected) {
        self.translator.sweep(collected);
        self.lineages.iter_mut().for_each(|lineage| lineage.sweep(collected));
    }
}
