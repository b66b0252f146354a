//! States standing in a line: the common ground of `dfs` and `bfs`.
//!
//! New ones join at the end, a state can hand its place to another, and one in the
//! middle can leave. Whoever leaves the middle leaves a gap; gaps are closed when there
//! are more of them than states. All of that takes constant time on average, and
//! logarithmic time where gaps were closed. Places keep their numbers.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::{Fork, StateId};

/// As few gaps as this are no bother.
const FEW_GAPS: usize = 64;

/// A place in the line: its number, and who stands there.
type Place = (u64, Option<StateId>);

/// States in a line, each once. Neither its first place nor its last is a gap.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// By their numbers, ascending.
    line: VecDeque<Place>,
    places: FxHashMap<StateId, u64>,
}

impl Line {
    /// The one at the front.
    pub fn first(&self) -> Option<StateId> {
        self.line.front()?.1
    }

    /// The one at the end.
    pub fn last(&self) -> Option<StateId> {
        self.line.back()?.1
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
        self.take(state);
        self.close_gaps();
    }

    /// The first child takes the place of its parent, the others join at the end.
    pub fn fork_in_place(&mut self, fork: &Fork) {
        let mut place = self.take(fork.parent);
        for child in &fork.children {
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
        fork.children.iter().for_each(|child| _ = self.join(child.state));
        self.close_gaps();
    }

    /// A state joins at the end, from wherever it stood.
    fn join(&mut self, state: StateId) -> u64 {
        let place = self.line.back().map_or(0, |last| last.0 + 1);
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
        if let Some(place) = at.ok().and_then(|at| self.line.get_mut(at)) {
            place.1 = state;
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

    use byway_base::Rng;
    use byway_base::entity::EntityRef;
    use byway_ir::{BlockId, FuncId};

    use super::*;
    use crate::{Case, Child, Decision, Location, Site, StateIds};

    fn fork(parent: StateId, states: &[StateId]) -> Fork {
        let location = Location { func: FuncId::new(0), block: BlockId::new(0) };
        let child = |(case, &state): (usize, &StateId)| Child {
            case: Case(case as u64),
            others: Vec::new(),
            state,
        };
        Fork {
            parent,
            site: Site { location, inst: None, decision: Decision::Branch },
            again: false,
            children: states.iter().enumerate().map(child).collect(),
        }
    }

    #[test]
    fn it_is_a_line() {
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let mut ids = StateIds::default();
            let (mut line, mut plain) = (Line::default(), Vec::new());
            let mut places: Vec<(StateId, Option<u64>)> = Vec::new();
            for step in 0..2_000 {
                let dice = if plain.is_empty() { 0 } else { rng.below(8) };
                let at = rng.below(plain.len().max(1) as u64) as usize;
                match dice {
                    0 => {
                        plain.push(ids.fresh());
                        line.push(plain[plain.len() - 1]);
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
                    _ => {
                        line.remove(plain.remove(at));
                    }
                }
                assert_eq!(line.first(), plain.first().copied());
                assert_eq!(line.last(), plain.last().copied());
                assert!(plain.is_sorted_by_key(|&state| line.place(state)));
                // At most those change their places that have to do with the step.
                let kept = |&&(state, place): &&(StateId, Option<u64>)| line.place(state) == place;
                assert!(places.iter().filter(kept).count() + 1 >= places.len());
                places = plain.iter().map(|&state| (state, line.place(state))).collect();
            }
            let left: Vec<StateId> = line.line.iter().filter_map(|place| place.1).collect();
            assert_eq!(left, plain);
        }
    }
}
