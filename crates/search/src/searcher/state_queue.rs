//! A queue of states with removal from the middle: the data structure of `dfs`, `bfs`, `dart`
//! and `sgs`.
//!
//! New states join at the end, a state can hand its position to another, and any state can
//! leave. Leaving the middle leaves a gap; gaps are closed when they outnumber the states.
//! All operations take amortised constant time, or logarithmic time once gaps were closed.
//! Positions are numbers that never change while a state is in the queue.
//!
//! A suspended state leaves a gap but keeps its position. On resumption it returns to that
//! position; if the gap was closed, it goes to the side map.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;

use crate::{Fork, StateId};

/// Up to this many gaps are tolerated however few states there are.
const FEW_GAPS: usize = 64;

/// A position and the state there; `None` is a gap.
type QueueSlot = (u64, Option<StateId>);

/// A queue that holds each state at most once.
#[derive(Debug, Default)]
pub(super) struct StateQueue {
    /// By ascending position. Neither the first nor the last slot is a gap.
    slots: VecDeque<QueueSlot>,
    /// Resumed states whose slot no longer exists, by position.
    side: BTreeMap<u64, StateId>,
    positions: FxHashMap<StateId, u64>,
    /// The positions of suspended states.
    suspended: FxHashMap<StateId, u64>,
    /// Greater than every position that was ever suspended, so none is assigned twice.
    after_suspended: u64,
}

impl StateQueue {
    /// The state at the front.
    pub fn first(&self) -> Option<StateId> {
        let side = self.side.first_key_value().map(|(&position, &state)| (position, Some(state)));
        self.slots.front().copied().into_iter().chain(side).min()?.1
    }

    /// The state at the end.
    pub fn last(&self) -> Option<StateId> {
        let side = self.side.last_key_value().map(|(&position, &state)| (position, Some(state)));
        self.slots.back().copied().into_iter().chain(side).max()?.1
    }

    /// The position of a state in the queue; it grows towards the end.
    pub fn position(&self, state: StateId) -> Option<u64> {
        self.positions.get(&state).copied()
    }

    /// Moves a state, new or not, to the end. Returns its position.
    pub fn push(&mut self, state: StateId) -> u64 {
        let position = self.join(state);
        self.close_gaps();
        position
    }

    /// Removes a state, if it is there.
    pub fn remove(&mut self, state: StateId) {
        self.suspended.remove(&state);
        self.take(state);
        self.close_gaps();
    }

    /// Removes a state but reserves its position.
    pub fn suspend(&mut self, state: StateId) {
        if let Some(position) = self.take(state) {
            self.suspended.insert(state, position);
            self.after_suspended = self.after_suspended.max(position + 1);
            self.close_gaps();
        }
    }

    /// Returns a suspended state to its position.
    pub fn resume(&mut self, state: StateId) {
        if let Some(position) = self.suspended.remove(&state) {
            self.put(state, position);
        }
    }

    /// The first successor takes its parent's position, the others join at the end.
    pub fn fork_in_place(&mut self, fork: &Fork) {
        let mut position = self.take(fork.parent);
        for successor in &fork.successors {
            match position.take() {
                Some(position) => self.put(successor.state, position),
                None => _ = self.join(successor.state),
            }
        }
        self.close_gaps();
    }

    /// The parent leaves and all successors join at the end.
    pub fn fork_at_end(&mut self, fork: &Fork) {
        self.take(fork.parent);
        fork.successors.iter().for_each(|successor| _ = self.join(successor.state));
        self.close_gaps();
    }

    fn join(&mut self, state: StateId) -> u64 {
        let position = self.slots.back().map_or(0, |last| last.0 + 1).max(self.after_suspended);
        self.slots.push_back((position, None));
        self.put(state, position);
        position
    }

    /// Places a state in a gap; its old position becomes one.
    fn put(&mut self, state: StateId, position: u64) {
        if let Some(before) = self.positions.insert(state, position) {
            self.set(before, None);
        }
        self.set(position, Some(state));
    }

    /// Removes a state and leaves a gap.
    fn take(&mut self, state: StateId) -> Option<u64> {
        let position = self.positions.remove(&state)?;
        self.set(position, None);
        Some(position)
    }

    fn set(&mut self, position: u64, state: Option<StateId>) {
        let first = self.slots.front().map_or(0, |first| first.0);
        let guess = position.saturating_sub(first) as usize;
        let at = match self.slots.get(guess) {
            Some(&(number, _)) if number == position => Ok(guess),
            _ => self.slots.binary_search_by_key(&position, |&(number, _)| number),
        };
        match (at.ok().and_then(|at| self.slots.get_mut(at)), state) {
            (Some(slot), _) => slot.1 = state,
            (None, Some(state)) => _ = self.side.insert(position, state),
            (None, None) => _ = self.side.remove(&position),
        }
    }

    fn close_gaps(&mut self) {
        while self.slots.pop_back_if(|slot| slot.1.is_none()).is_some() {}
        while self.slots.pop_front_if(|slot| slot.1.is_none()).is_some() {}
        if self.slots.len() > 2 * self.positions.len() + FEW_GAPS {
            self.slots.retain(|slot| slot.1.is_some());
        }
    }
}

#[cfg(test)]
mod tests {
    //! Compares the queue with a plain list.

    use std::collections::BTreeSet;

    use byway_base::Rng;
    use byway_base::entity::EntityRef;
    use byway_ir::{BlockId, FuncId};

    use super::*;
    use crate::{Case, Decision, Location, Site, StateIds, Successor};

    fn fork(parent: StateId, states: &[StateId]) -> Fork {
        let location = Location { func: FuncId::new(0), block: BlockId::new(0) };
        let successor = |(case, &state): (usize, &StateId)| Successor {
            case: Case(case as u64),
            grouped_cases: Vec::new(),
            state,
        };
        Fork {
            parent,
            site: Site { location, inst: None, decision: Decision::Branch },
            splits_group: false,
            successors: states.iter().enumerate().map(successor).collect(),
        }
    }

    #[test]
    fn behaves_like_a_plain_list() {
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let mut ids = StateIds::default();
            // All states in order, and the suspended ones among them.
            let (mut plain, mut suspended) = (Vec::new(), BTreeSet::new());
            let mut queue = StateQueue::default();
            let mut positions: Vec<(StateId, Option<u64>)> = Vec::new();
            for step in 0..2_000 {
                let dice = if plain.is_empty() { 0 } else { rng.below(10) };
                let at = rng.below(plain.len().max(1) as u64) as usize;
                let is_suspended = plain.get(at).is_some_and(|state| suspended.contains(state));
                match dice {
                    0 => {
                        plain.push(ids.fresh());
                        queue.push(plain[plain.len() - 1]);
                    }
                    // A suspended state can only be resumed or removed.
                    1..8 if is_suspended => {
                        suspended.remove(&plain[at]);
                        queue.resume(plain[at]);
                    }
                    1 => {
                        let state = plain.remove(at);
                        plain.push(state);
                        queue.push(state);
                    }
                    // The queue grows in the first half and shrinks in the second.
                    2..5 if step < 1_000 => {
                        let (parent, successor) = (plain[at], ids.fresh());
                        plain.push(parent);
                        plain[at] = successor;
                        queue.fork_in_place(&fork(parent, &[successor, parent]));
                    }
                    5 if step < 1_000 => {
                        let (parent, successor) = (plain.remove(at), ids.fresh());
                        plain.extend([successor, parent]);
                        queue.fork_at_end(&fork(parent, &[successor, parent]));
                    }
                    6 | 7 => {
                        suspended.insert(plain[at]);
                        queue.suspend(plain[at]);
                    }
                    _ => {
                        let state = plain.remove(at);
                        suspended.remove(&state);
                        queue.remove(state);
                    }
                }
                let active: Vec<StateId> =
                    plain.iter().copied().filter(|state| !suspended.contains(state)).collect();
                assert_eq!(queue.first(), active.first().copied());
                assert_eq!(queue.last(), active.last().copied());
                assert!(active.is_sorted_by_key(|&state| queue.position(state)));
                assert!(suspended.iter().all(|&state| queue.position(state).is_none()));
                // Only the state that the step touches may change its position.
                let kept = |&&(state, position): &&(StateId, Option<u64>)| {
                    queue.position(state) == position
                };
                assert!(positions.iter().filter(kept).count() + 1 >= positions.len());
                positions = active.iter().map(|&state| (state, queue.position(state))).collect();
            }
            let left = queue.slots.iter().filter_map(|slot| slot.1).count() + queue.side.len();
            assert_eq!(left, positions.len());
        }
    }
}
