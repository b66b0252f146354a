//! Another searcher, but what it picks keeps running for a number of instructions,
//! through forks.
//!
//! Fewer picks and fewer changes from one state to another, so caches and solver
//! instances stay warm; against that, the searcher sees less of what it guides.

use std::num::NonZeroU64;

use byway_base::Rng;

use crate::{Action, Delta, PortfolioShares, Searcher, SearcherRequirements, Until, View};

/// Lets another searcher's picks run on.
pub struct Batch {
    searcher: Box<dyn Searcher>,
    steps: NonZeroU64,
}

impl Batch {
    /// For how long, unless it is said: 10,000 instructions, as KLEE has it.
    pub const STEPS: NonZeroU64 = NonZeroU64::new(10_000).expect("not zero");

    /// The picks of that searcher, each for so many instructions.
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

    fn portfolio_shares(&self) -> Vec<PortfolioShares> {
        self.searcher.portfolio_shares()
    }
}
