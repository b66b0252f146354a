//! States standing in a line: the common ground of `dfs` and `bfs`.
//!
//! New ones join at the end, a state can hand its place to another, and one in the
//! middle can leave; all in logarithmic time.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::{Fork, StateId};

/// States in a line, each once.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// Ascending from the front of the line to its end.
    states: BTreeMap<u64, StateId>,
    places: FxHashMap<StateId, u64>,
    /// The place behind the last.
    next: u64,
}

impl Line {
    /// The one at the front.
    pub fn first(&self) -> Option<StateId> {
        self.states.first_key_value().map(|(_, &state)| state)
    }

    /// The one at the end.
    pub fn last(&self) -> Option<StateId> {
        self.states.last_key_value().map(|(_, &state)| state)
    }

    /// Where a state stands: further to the end, the higher.
    pub fn place(&self, state: StateId) -> Option<u64> {
        self.places.get(&state).copied()
    }

    /// Puts a state at the end, from wherever it stood; returns its place.
    pub fn push(&mut self, state: StateId) -> u64 {
        let place = self.next;
        self.put(state, place);
        self.next += 1;
        place
    }

    /// Takes a state out; one that is not in the line is no matter.
    pub fn remove(&mut self, state: StateId) {
        self.take(state);
    }

    /// The first child takes the place of its parent, the others join at the end.
    pub fn fork_in_place(&mut self, fork: &Fork) {
        let mut place = self.take(fork.parent);
        for child in &fork.children {
            match place.take() {
                Some(place) => self.put(child.state, place),
                None => _ = self.push(child.state),
            }
        }
    }

    /// The parent leaves, all children join at the end.
    pub fn fork_at_end(&mut self, fork: &Fork) {
        self.remove(fork.parent);
        for child in &fork.children {
            self.push(child.state);
        }
    }

    fn put(&mut self, state: StateId, place: u64) {
        self.take(state);
        self.states.insert(place, state);
        self.places.insert(state, place);
    }

    fn take(&mut self, state: StateId) -> Option<u64> {
        let place = self.places.remove(&state)?;
        self.states.remove(&place);
        Some(place)
    }
}
