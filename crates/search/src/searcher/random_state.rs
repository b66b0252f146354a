//! A state at random, each with the same chance (RSS in the literature).
//!
//! Deep regions of the execution tree hold most of the states and get most of the
//! picks: a loop that forks in every round draws the exploration into itself. The
//! states lie in a vector in no order; the last one fills the gap of one that goes,
//! so adding, removing and picking take constant time.

use byway_base::Rng;
use rustc_hash::FxHashMap;

use crate::{Action, Delta, Searcher, StateId, Until, View};

/// Picks any state with the same chance.
#[derive(Debug, Default)]
pub struct RandomState {
    states: Vec<StateId>,
    positions: FxHashMap<StateId, usize>,
}

impl RandomState {
    fn add(&mut self, state: StateId) {
        let end = self.states.len();
        if *self.positions.entry(state).or_insert(end) == end {
            self.states.push(state);
        }
    }

    fn remove(&mut self, state: StateId) {
        if let Some(position) = self.positions.remove(&state) {
            self.states.swap_remove(position);
            if let Some(&moved) = self.states.get(position) {
                self.positions.insert(moved, position);
            }
        }
    }
}

impl Searcher for RandomState {
    fn update(&mut self, delta: &Delta, _: &dyn View) {
        delta.became_pickable().for_each(|state| self.add(state));
        delta.became_unpickable().for_each(|state| self.remove(state));
    }

    fn pick(&mut self, _: &dyn View, rng: &mut Rng) -> Action {
        match rng.pick(&self.states) {
            Some(&state) => Action::Run { state, until: Until::TURN },
            None => Action::Stop,
        }
    }
}
