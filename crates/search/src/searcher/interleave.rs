//! Several searchers alternate, one pick each.
//!
//! All receive every delta, so they work on the same states and benefit from each other. A
//! searcher with nothing to do loses its turn; the exploration stops when none has
//! anything to do.

use byway_base::Rng;

use crate::{Action, Delta, Searcher, SearcherRequirements, StateId, View};

/// Alternates between its searchers.
pub struct Interleave {
    searchers: Vec<Box<dyn Searcher>>,
    /// The index of the next searcher.
    turn: usize,
    /// The last pick and the searcher that made it.
    picked: Option<(StateId, usize)>,
}

impl Interleave {
    /// Alternates in the given order.
    pub fn new(searchers: Vec<Box<dyn Searcher>>) -> Interleave {
        Interleave { searchers, turn: 0, picked: None }
    }
}

impl Searcher for Interleave {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        // A pick that was suspended instead of run does not use up the turn.
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

    fn inner(&self) -> Vec<&dyn Searcher> {
        self.searchers.iter().map(|it| &**it).collect()
    }

    fn inner_mut(&mut self) -> Vec<&mut dyn Searcher> {
        self.searchers.iter_mut().map(|it| &mut **it as &mut dyn Searcher).collect()
    }
}
