//! Runs to the end: each pick of the inner searcher runs until its path ends, on the input it
//! has; the other successors of its forks stay pending.
//!
//! A searcher that picks anew at every fork can create states faster than it finishes paths.
//! Where a program reads its whole input before it acts on any of it, there is a fork for each
//! byte, and a longer input means more states in front of the code that matters. A run to the
//! end passes all of these forks without a query and gives a test.
//!
//! A run is divided into turns, so that limits and the other members of a mixture do not wait
//! for it. It is given up, and the inner searcher picks again, once it has used its allowance:
//! a path may be endless.

use std::num::NonZeroU64;

use byway_base::Rng;

use crate::{Action, Delta, Searcher, SearcherRequirements, StateId, Until, View};

/// The instructions of one turn.
const TURN: NonZeroU64 = NonZeroU64::new(100_000).expect("not zero");

/// The instructions that every run may take.
const LEAST_ALLOWANCE: u64 = 1_000_000;

/// A run may take this fraction of the work done so far, if that is more.
const ALLOWANCE_DIVISOR: u64 = 8;

/// Runs the picks of the inner searcher to their ends.
pub struct ToEnd {
    searcher: Box<dyn Searcher>,
    /// The state that is on its way to its end, and how many more turns it has.
    run: Option<(StateId, u64)>,
}

impl ToEnd {
    /// Runs each pick of `searcher` to its end.
    pub fn new(searcher: Box<dyn Searcher>) -> ToEnd {
        ToEnd { searcher, run: None }
    }
}

impl Searcher for ToEnd {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        self.run = self.run.filter(|&(id, _)| delta.became_unpickable().all(|gone| gone != id));
        self.searcher.update(delta, view);
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        let (state, turns) = match self.run.take() {
            Some((state, turns)) if turns > 0 => (state, turns),
            _ => match self.searcher.pick(view, rng) {
                Action::Run { state, .. } => {
                    let allowance = LEAST_ALLOWANCE.max(view.work().0 / ALLOWANCE_DIVISOR);
                    (state, allowance / TURN)
                }
                other => return other,
            },
        };
        self.run = Some((state, turns - 1));
        Action::Run { state, until: Until::END.at_most(TURN).deferring() }
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
