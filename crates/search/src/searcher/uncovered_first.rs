//! Uncovered branch sides first: states whose next step takes a branch side that no state
//! has taken run before all others.
//!
//! Such a state yields new coverage with its next instruction, whatever it does later; a
//! searcher that draws among thousands picks it late or never. The newest is first, so
//! code that is entirely new is traversed in one pass. There are at most as many such
//! picks as branch sides. After one without new coverage (the state was infeasible) the
//! inner searcher picks once.
//!
//! Expensive queries do not matter here: a [`CostLimited`](super::CostLimited) around this
//! searcher suspends no state at an uncovered branch side.
//!
//! In a portfolio, wrap each member rather than the portfolio: the new coverage is then
//! credited to the member whose turn led to it.

use byway_base::Rng;
use rustc_hash::FxHashSet;

use crate::{Action, Delta, Searcher, SearcherRequirements, StateId, Until, View};

/// Picks states at uncovered branch sides, then what the inner searcher picks.
pub struct UncoveredFirst {
    searcher: Box<dyn Searcher>,
    /// States that were at an uncovered branch side when last checked. Some may be removed,
    /// and others may have covered the side since; `pick` checks again.
    waiting: Vec<StateId>,
    suspended: FxHashSet<StateId>,
    /// The last pick came from `waiting` and has led to no new coverage.
    was_fruitless: bool,
}

impl UncoveredFirst {
    /// Falls back to `searcher` when no state is at an uncovered branch side.
    pub fn new(searcher: Box<dyn Searcher>) -> UncoveredFirst {
        UncoveredFirst {
            searcher,
            waiting: Vec::new(),
            suspended: FxHashSet::default(),
            was_fruitless: false,
        }
    }
}

impl Searcher for UncoveredFirst {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        self.searcher.update(delta, view);
        self.was_fruitless &= delta.new_coverage.is_empty();
        delta.resumed.iter().for_each(|state| _ = self.suspended.remove(state));
        delta.removed().for_each(|state| _ = self.suspended.remove(&state));
        self.suspended.extend(&delta.suspended);
        let candidates = delta.became_pickable().chain(delta.ran);
        self.waiting.extend(candidates.filter(|&state| view.is_at_uncovered(state)));
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        if !std::mem::take(&mut self.was_fruitless) {
            while let Some(state) = self.waiting.pop() {
                if view.is_at_uncovered(state) && !self.suspended.contains(&state) {
                    self.was_fruitless = true;
                    return Action::Run { state, until: Until::TURN };
                }
            }
        }
        self.searcher.pick(view, rng)
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
