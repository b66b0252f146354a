//! Shortest distance: the state nearest to an open target.
//!
//! The distance is the least number of instructions to a target, along paths of the program on
//! which calls and returns match, through the state's own call stack
//! ([`View::distance_to_target`]). States at the same distance take turns. States that cannot
//! reach a target come last; an exploration drops them.
//!
//! The baseline `sdse:intra` looks no further than the function that a state is in
//! ([`View::distance_in_function`]).
//!
//! A distance changes when its state runs, and grows when a target is reached. So a pick checks
//! the nearest state once more, and moves it back if it is farther by now.

use std::collections::BTreeSet;

use byway_base::Rng;
use rustc_hash::FxHashMap;

use crate::{Action, Delta, Searcher, SearcherRequirements, StateId, Until, View};

/// The distance of a state that reaches no target.
const UNREACHABLE: u64 = u64::MAX;

/// Picks the state nearest to a target.
#[derive(Debug, Default)]
pub struct Sdse {
    /// Whether distances are within functions.
    is_intra: bool,
    /// By distance, then by how long they have waited.
    queue: BTreeSet<(u64, u64, StateId)>,
    /// The place of each state in `queue`.
    keys: FxHashMap<StateId, (u64, u64)>,
    /// Grows with every state that joins the queue.
    arrivals: u64,
}

impl Sdse {
    /// Distances over the whole program.
    pub fn new() -> Sdse {
        Sdse::default()
    }

    /// Distances within the function that a state is in.
    pub fn intra() -> Sdse {
        Sdse { is_intra: true, ..Sdse::default() }
    }

    fn distance(&self, view: &dyn View, state: StateId) -> u64 {
        let distance = match self.is_intra {
            true => view.distance_in_function(state),
            false => view.distance_to_target(state),
        };
        distance.unwrap_or(UNREACHABLE)
    }

    /// Puts a state, new or not, behind all others of its distance.
    fn put(&mut self, state: StateId, distance: u64) {
        self.remove(state);
        self.arrivals += 1;
        self.keys.insert(state, (distance, self.arrivals));
        self.queue.insert((distance, self.arrivals, state));
    }

    fn remove(&mut self, state: StateId) {
        if let Some((distance, arrival)) = self.keys.remove(&state) {
            self.queue.remove(&(distance, arrival, state));
        }
    }
}

impl Searcher for Sdse {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        for state in delta.became_pickable() {
            self.put(state, self.distance(view, state));
        }
        delta.became_unpickable().for_each(|state| self.remove(state));
        if let Some(ran) = delta.ran.filter(|state| self.keys.contains_key(state)) {
            self.put(ran, self.distance(view, ran));
        }
    }

    fn pick(&mut self, view: &dyn View, _: &mut Rng) -> Action {
        while let Some(&(known, _, state)) = self.queue.first() {
            let distance = self.distance(view, state);
            if distance <= known {
                return Action::Run { state, until: Until::TURN };
            }
            self.put(state, distance);
        }
        Action::Stop
    }

    fn requirements(&self) -> SearcherRequirements {
        let distances_in_functions = self.is_intra;
        SearcherRequirements { distances_in_functions, ..SearcherRequirements::default() }
    }
}
