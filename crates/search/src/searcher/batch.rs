//! Batching: each pick of the inner searcher runs for a fixed number of instructions, through
//! forks.
//!
//! Fewer picks and fewer switches between states keep caches and solver instances warm. In
//! return, the inner searcher decides less often.

use std::num::NonZeroU64;

use byway_base::Rng;

use crate::{Action, Delta, Searcher, SearcherRequirements, Until, View};

/// Extends the runs of the inner searcher's picks.
pub struct Batch {
    searcher: Box<dyn Searcher>,
    steps: NonZeroU64,
}

impl Batch {
    /// The default number of instructions, the same as in KLEE.
    pub const STEPS: NonZeroU64 = NonZeroU64::new(10_000).expect("not zero");

    /// Runs each pick of `searcher` for `steps` instructions.
    pub fn new(searcher: Box<dyn Searcher>, steps: NonZeroU64) -> Batch {
        Batch { searcher, steps }
    }
}

impl Searcher for Batch {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        self.searcher.update(delta, view);
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        match self.searcher.pick(view, rng) {
            Action::Run { state, .. } => Action::Run { state, until: Until::steps(self.steps) },
            other => other,
        }
    }

    fn requirements(&self) -> SearcherRequirements {
        self.searcher.requirements()
    }

    fn inner(&self) -> Vec<&dyn Searcher> {
        vec![&*self.searcher]
    }

    fn inner_mut(&mut self) -> Vec<&mut dyn Searcher> {
        vec![&mut *self.searcher]
    }
}
