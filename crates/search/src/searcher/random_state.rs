//! A uniformly random state (RSS in the literature).
//!
//! Deep regions of the execution tree hold most states and get most picks: a loop that forks
//! in every iteration captures the exploration. The states lie in an unordered vector, and
//! the last one fills the gap of a removed one, so adding, removing and picking take
//! constant time.

use byway_base::Rng;
use rustc_hash::FxHashMap;

use crate::{Action, Delta, Searcher, StateId, Until, View};

/// Picks a state with uniform probability.
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
