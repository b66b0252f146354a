//! Call-chain-backward symbolic execution (CCBSE), alone and mixed with a forward search.
//!
//! The engine searches backward beside the exploration of the program: it starts paths in the
//! function that contains a target, then in its callers, and keeps the partial paths that reach
//! the target. Paths from the program's entry follow them. This searcher decides whose turn it
//! is. *Alone*, the backward search runs until it has reached the program's entry. *Mixed*, the
//! forward and the backward search share the work equally.

use byway_base::{Rng, Work};

use crate::{Action, Delta, MakeSearcher, PortfolioShares, Searcher, SearcherRequirements, View};

/// Shares the work between a forward search and the engine's backward search.
pub struct Ccbse {
    forward: Box<dyn Searcher>,
    /// Makes the searchers of the backward search.
    backward: MakeSearcher,
    /// The work of the forward and of the backward search; `None` if they do not share it.
    shares: Option<[Work; 2]>,
    /// The last action.
    picked: Option<Action>,
    /// The time of the last update.
    updated: Work,
}

impl Ccbse {
    /// Backward search alone; the program's entry is explored by the same kind of searcher.
    pub fn new(backward: MakeSearcher) -> Ccbse {
        Ccbse { forward: backward(), backward, shares: None, picked: None, updated: Work::ZERO }
    }

    /// `forward` and a backward search share the work equally.
    pub fn mixed(forward: Box<dyn Searcher>, backward: MakeSearcher) -> Ccbse {
        Ccbse { forward, shares: Some([Work::ZERO; 2]), ..Ccbse::new(backward) }
    }

    fn is_backward_first(&self, view: &dyn View) -> bool {
        match self.shares {
            Some([forward, backward]) => backward < forward,
            None => !view.is_entry_reached(),
        }
    }
}

impl Searcher for Ccbse {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        let now = view.work();
        if let (Some(shares), Some(action)) = (&mut self.shares, self.picked.take())
            && action.caused(delta)
        {
            let is_backward = action == Action::SearchBackward;
            shares[usize::from(is_backward)] += now.since(self.updated);
        }
        self.updated = now;
        self.forward.update(delta, view);
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        // The backward search finds no path that the forward search would not.
        let action = match view.has_backward_work() && self.is_backward_first(view) {
            true => Action::SearchBackward,
            false => self.forward.pick(view, rng),
        };
        self.picked = Some(action);
        action
    }

    fn requirements(&self) -> SearcherRequirements {
        let own = SearcherRequirements { backward: true, ..SearcherRequirements::default() };
        own.and(self.forward.requirements())
    }

    fn backward_searcher(&self) -> Option<Box<dyn Searcher>> {
        Some((self.backward)())
    }

    fn portfolio_shares(&self) -> Vec<PortfolioShares> {
        self.forward.portfolio_shares()
    }
}
