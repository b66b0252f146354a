//! Several searchers by turns, one pick each.
//!
//! All of them are told everything, so each works on the same states and benefits
//! from what the others found. One that has nothing to do loses its turn; the
//! exploration stops when none has.

use byway_base::Rng;

use crate::{Action, Delta, PortfolioShares, Searcher, SearcherRequirements, StateId, View};

/// Asks its searchers by turns.
pub struct Interleave {
    searchers: Vec<Box<dyn Searcher>>,
    /// Whose turn it is.
    turn: usize,
    /// What was picked last, and in whose turn.
    picked: Option<(StateId, usize)>,
}

impl Interleave {
    /// These, in this order.
    pub fn new(searchers: Vec<Box<dyn Searcher>>) -> Interleave {
        Interleave { searchers, turn: 0, picked: None }
    }
}

impl Searcher for Interleave {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        // A pick that is put to rest was no turn.
        if let Some((state, turn)) = self.picked.take()
            && delta.suspended.contains(&state)
        {
            self.turn = turn;
        }
        self.searchers.iter_mut().for_each(|searcher| searcher.update(delta, view));
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        for _ in 0..self.searchers.len() {
            let turn = self.turn;
            self.turn = (turn + 1) % self.searchers.len();
            match self.searchers[turn].pick(view, rng) {
                Action::Stop => {}
                action => {
                    if let Action::Run { state, .. } = action {
                        self.picked = Some((state, turn));
                    }
                    return action;
                }
            }
        }
        Action::Stop
    }

    fn requirements(&self) -> SearcherRequirements {
        self.searchers
            .iter()
            .fold(SearcherRequirements::default(), |all, searcher| all.and(searcher.requirements()))
    }

    fn portfolio_shares(&self) -> Vec<PortfolioShares> {
        self.searchers.iter().flat_map(|searcher| searcher.portfolio_shares()).collect()
    }
}
