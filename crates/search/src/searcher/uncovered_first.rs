//! Another searcher, but states that stand before a side of a branch which no state has
//! gone run first.
//!
//! Such a state covers something new with its very next instruction, whatever comes of it
//! later; a searcher that draws among thousands comes to it late or never. The newest is
//! taken first, so code that is all new is gone through in one go. There are at most as
//! many such picks as sides, and one that brought nothing (a state that turned out to be
//! impossible) is followed by a pick of the other searcher.
//!
//! They go first even if their queries have cost much: [`CostLimited`](super::CostLimited) around this
//! one lets no state rest that stands before something new.
//!
//! In a portfolio each member has a frontier of its own: what is come to in its turn is
//! then its gain, as it brought a state before it.

use byway_base::Rng;
use rustc_hash::FxHashSet;

use crate::{Action, Delta, PortfolioShares, Searcher, SearcherRequirements, StateId, Until, View};

/// Lets states before something new go first.
pub struct UncoveredFirst {
    searcher: Box<dyn Searcher>,
    /// States that stood before something new when they were last looked at; some may be
    /// gone, or others were there before them.
    waiting: Vec<StateId>,
    resting: FxHashSet<StateId>,
    /// Whether the last pick was one of them, and nothing new came of it.
    was_in_vain: bool,
}

impl UncoveredFirst {
    /// That searcher, where nothing new is next.
    pub fn new(searcher: Box<dyn Searcher>) -> UncoveredFirst {
        UncoveredFirst {
            searcher,
            waiting: Vec::new(),
            resting: FxHashSet::default(),
            was_in_vain: false,
        }
    }
}

impl Searcher for UncoveredFirst {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        self.searcher.update(delta, view);
        self.was_in_vain &= delta.new_coverage.is_empty();
        delta.resumed.iter().for_each(|state| _ = self.resting.remove(state));
        delta.removed().for_each(|state| _ = self.resting.remove(&state));
        self.resting.extend(&delta.suspended);
        let candidates = delta.became_pickable().chain(delta.ran);
        self.waiting.extend(candidates.filter(|&state| view.is_at_uncovered(state)));
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        if !std::mem::take(&mut self.was_in_vain) {
            while let Some(state) = self.waiting.pop() {
                if view.is_at_uncovered(state) && !self.resting.contains(&state) {
                    self.was_in_vain = true;
                    return Action::Run { state, until: Until::TURN };
                }
            }
        }
        self.searcher.pick(view, rng)
    }

    fn requirements(&self) -> SearcherRequirements {
        self.searcher.requirements()
    }

    fn portfolio_shares(&self) -> Vec<PortfolioShares> {
        self.searcher.portfolio_shares()
    }
}
