//! Random testing: random inputs, each run to its end.
//!
//! The baseline for all other searchers. It keeps no states and makes no queries. It cannot
//! detect that all paths are found, so it continues until a limit stops the run, or until
//! a given number of inputs in a row took known paths.

use std::num::NonZeroU64;

use byway_base::Rng;

use crate::{Action, Delta, Searcher, SearcherRequirements, View};

/// Requests random tests.
#[derive(Debug)]
pub struct RandomTesting {
    patience: Option<NonZeroU64>,
    /// Inputs in a row that took a known path.
    repeated: u64,
}

impl RandomTesting {
    /// Stops after `patience` inputs in a row that took no new path; `None` never stops.
    pub fn new(patience: Option<NonZeroU64>) -> RandomTesting {
        RandomTesting { patience, repeated: 0 }
    }
}

impl Searcher for RandomTesting {
    fn update(&mut self, delta: &Delta, _: &dyn View) {
        match delta.repeated.is_empty() {
            true => self.repeated = 0,
            false => self.repeated += delta.repeated.len() as u64,
        }
    }

    fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
        match self.patience {
            Some(patience) if self.repeated >= patience.get() => Action::Stop,
            _ => Action::RandomTest,
        }
    }

    fn requirements(&self) -> SearcherRequirements {
        SearcherRequirements { random: true, ..SearcherRequirements::default() }
    }
}
