//! Random testing: inputs drawn at random, one after the other, each run to its end.
//!
//! What every other searcher has to beat. It knows no states and asks nobody; what many
//! inputs reach it finds at the price of running them, and what one input in billions
//! reaches it does not find. It cannot know when all paths are found: it goes on until
//! somebody stops it, or until as many inputs in a row as it was told took paths that were
//! taken before.

use std::num::NonZeroU64;

use byway_base::Rng;

use crate::{Action, Delta, Searcher, SearcherRequirements, View};

/// Draws inputs.
#[derive(Debug)]
pub struct RandomTesting {
    patience: Option<NonZeroU64>,
    /// Inputs since one took a new path.
    in_vain: u64,
}

impl RandomTesting {
    /// Gives up after so many inputs in a row that took no new path, or never.
    pub fn new(patience: Option<NonZeroU64>) -> RandomTesting {
        RandomTesting { patience, in_vain: 0 }
    }
}

impl Searcher for RandomTesting {
    fn update(&mut self, delta: &Delta, _: &dyn View) {
        match delta.repeated.is_empty() {
            true => self.in_vain = 0,
            false => self.in_vain += delta.repeated.len() as u64,
        }
    }

    fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
        match self.patience {
            Some(patience) if self.in_vain >= patience.get() => Action::Stop,
            _ => Action::RandomTest,
        }
    }

    fn requirements(&self) -> SearcherRequirements {
        SearcherRequirements { random: true, ..SearcherRequirements::default() }
    }
}
