//! States standing in a line: the common ground of `dfs` and `bfs`.
//!
//! New ones join at the end, a state can hand its place to another, and one in the
//! middle can leave. Whoever leaves the middle leaves a gap; gaps are closed when there
//! are more of them than states. All of that takes constant time on average, and
//! logarithmic time where gaps were closed. Places keep their numbers.
//!
//! A state that rests leaves a gap, too, but its place stays its own: woken, it stands
//! there again, or beside the line if that gap was closed.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;

use crate::{Fork, StateId};

/// As few gaps as this are no bother.
const FEW_GAPS: usize = 64;

/// A place in the line: its number, and who stands there.
type QueueSlot = (u64, Option<StateId>);

/// States in a line, each once. Neither its first place nor its last is a gap.
#[derive(Debug, Default)]
pub(super) struct StateQueue {
    /// By their numbers, ascending.
    line: VecDeque<QueueSlot>,
    /// Those beside the line, by the places that they have in it.
    beside: BTreeMap<u64, StateId>,
    places: FxHashMap<StateId, u64>,
    /// The places of those that rest.
    kept: FxHashMap<StateId, u64>,
    /// All places that were ever kept are before this one.
    after_kept: u64,
}

impl StateQueue {
    /// The one at the front.
    pub fn first(&self) -> Option<StateId> {
        let beside = self.beside.first_key_value().map(|(&place, &state)| (place, Some(state)));
        self.line.front().copied().into_iter().chain(beside).min()?.1
    }

    /// The one at the end.
    pub fn last(&self) -> Option<StateId> {
        let beside = self.beside.last_key_value().map(|(&place, &state)| (place, Some(state)));
        self.line.back().copied().into_iter().chain(beside).max()?.1
    }

    /// Where a state stands: further to the end, the higher.
    pub fn place(&self, state: StateId) -> Option<u64> {
        self.places.get(&state).copied()
    }

    /// Puts a state at the end, from wherever it stood; returns its place.
    pub fn push(&mut self, state: StateId) -> u64 {
        let place = self.join(state);
        self.close_gaps();
        place
    }

    /// Takes a state out; one that is not in the line is no matter.
    pub fn remove(&mut self, state: StateId) {
        self.kept.remove(&state);
        self.take(state);
        self.close_gaps();
    }

    /// Takes a state out, but keeps its place for it.
    pub fn rest(&mut self, state: StateId) {
        if let Some(place) = self.take(state) {
            self.kept.insert(state, place);
            self.after_kept = self.after_kept.max(place + 1);
            self.close_gaps();
        }
    }

    /// Puts a state that rests back in its place.
    pub fn wake(&mut self, state: StateId) {
        if let Some(place) = self.kept.remove(&state) {
            self.put(state, place);
        }
    }

    /// The first child takes the place of its parent, the others join at the end.
    pub fn fork_in_place(&mut self, fork: &Fork) {
        let mut place = self.take(fork.parent);
        for child in &fork.successors {
            match place.take() {
                Some(place) => self.put(child.state, place),
                None => _ = self.join(child.state),
            }
        }
        self.close_gaps();
    }

    /// The parent leaves, all children join at the end.
    pub fn fork_at_end(&mut self, fork: &Fork) {
        self.take(fork.parent);
        fork.successors.iter().for_each(|child| _ = self.join(child.state));
        self.close_gaps();
    }

    /// A state joins at the end, from wherever it stood.
    fn join(&mut self, state: StateId) -> u64 {
        let place = self.line.back().map_or(0, |last| last.0 + 1).max(self.after_kept);
        self.line.push_back((place, None));
        self.put(state, place);
        place
    }

    /// A state fills a gap, and leaves one where it stood.
    fn put(&mut self, state: StateId, place: u64) {
        if let Some(before) = self.places.insert(state, place) {
            self.set(before, None);
        }
        self.set(place, Some(state));
    }

    /// Leaves a gap where a state stood.
    fn take(&mut self, state: StateId) -> Option<u64> {
        let place = self.places.remove(&state)?;
        self.set(place, None);
        Some(place)
    }

    fn set(&mut self, place: u64, state: Option<StateId>) {
        let first = self.line.front().map_or(0, |first| first.0);
        let guess = place.saturating_sub(first) as usize;
        let at = match self.line.get(guess) {
            Some(&(number, _)) if number == place => Ok(guess),
            _ => self.line.binary_search_by_key(&place, |&(number, _)| number),
        };
        match (at.ok().and_then(|at| self.line.get_mut(at)), state) {
            (Some(place), _) => place.1 = state,
            (None, Some(state)) => _ = self.beside.insert(place, state),
            (None, None) => _ = self.beside.remove(&place),
        }
    }

    fn close_gaps(&mut self) {
        while self.line.pop_back_if(|place| place.1.is_none()).is_some() {}
        while self.line.pop_front_if(|place| place.1.is_none()).is_some() {}
        if self.line.len() > 2 * self.places.len() + FEW_GAPS {
            self.line.retain(|place| place.1.is_some());
        }
    }
}

#[cfg(test)]
mod tests {
    //! The line against a plain list.

    use std::collections::BTreeSet;

    use byway_base::Rng;
    use byway_base::entity::EntityRef;
    use byway_ir::{BlockId, FuncId};

    use super::*;
    use crate::{Case, Decision, Location, Site, StateIds, Successor};

    fn fork(parent: StateId, states: &[StateId]) -> Fork {
        let location = Location { func: FuncId::new(0), block: BlockId::new(0) };
        let child = |(case, &state): (usize, &StateId)| Successor {
            case: Case(case as u64),
            grouped_cases: Vec::new(),
            state,
        };
        Fork {
            parent,
            site: Site { location, inst: None, decision: Decision::Branch },
            splits_group: false,
            successors: states.iter().enumerate().map(child).collect(),
        }
    }

    #[test]
    fn it_is_a_line() {
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let mut ids = StateIds::default();
            // All states in order, and those of them that rest.
            let (mut plain, mut resting) = (Vec::new(), BTreeSet::new());
            let mut line = StateQueue::default();
            let mut places: Vec<(StateId, Option<u64>)> = Vec::new();
            for step in 0..2_000 {
                let dice = if plain.is_empty() { 0 } else { rng.below(10) };
                let at = rng.below(plain.len().max(1) as u64) as usize;
                let rests = plain.get(at).is_some_and(|state| resting.contains(state));
                match dice {
                    0 => {
                        plain.push(ids.fresh());
                        line.push(plain[plain.len() - 1]);
                    }
                    // Who rests does nothing but wake or go.
                    1..8 if rests => {
                        resting.remove(&plain[at]);
                        line.wake(plain[at]);
                    }
                    1 => {
                        let state = plain.remove(at);
                        plain.push(state);
                        line.push(state);
                    }
                    // First it grows, then it shrinks.
                    2..5 if step < 1_000 => {
                        let (parent, child) = (plain[at], ids.fresh());
                        plain.push(parent);
                        plain[at] = child;
                        line.fork_in_place(&fork(parent, &[child, parent]));
                    }
                    5 if step < 1_000 => {
                        let (parent, child) = (plain.remove(at), ids.fresh());
                        plain.extend([child, parent]);
                        line.fork_at_end(&fork(parent, &[child, parent]));
                    }
                    6 | 7 => {
                        resting.insert(plain[at]);
                        line.rest(plain[at]);
                    }
                    _ => {
                        let state = plain.remove(at);
                        resting.remove(&state);
                        line.remove(state);
                    }
                }
                let awake: Vec<StateId> =
                    plain.iter().copied().filter(|state| !resting.contains(state)).collect();
                assert_eq!(line.first(), awake.first().copied());
                assert_eq!(line.last(), awake.last().copied());
                assert!(awake.is_sorted_by_key(|&state| line.place(state)));
                assert!(resting.iter().all(|&state| line.place(state).is_none()));
                // At most those change their places that have to do with the step.
                let kept = |&&(state, place): &&(StateId, Option<u64>)| line.place(state) == place;
                assert!(places.iter().filter(kept).count() + 1 >= places.len());
                places = awake.iter().map(|&state| (state, line.place(state))).collect();
            }
            let left = line.line.iter().filter_map(|place| place.1).count() + line.beside.len();
            assert_eq!(left, places.len());
        }
    }
}
