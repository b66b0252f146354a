//! Tie-breaking by order: the last state among those whose subpaths have the lowest pick
//! count.
//!
//! The order is that of depth-first search: at a fork the first case keeps its parent's
//! position and the others join at the end, whichever of them the witness satisfies. A pick
//! takes logarithmic time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use byway_base::Rng;
use byway_base::entity::SecondaryMap;
use rustc_hash::FxHashMap;

use super::super::state_queue::StateQueue;
use super::super::subpaths::SubpathId;
use super::subpath_groups::SubpathGroups;
use crate::{Fork, StateId};

/// Groups with choice by order.
#[derive(Default)]
pub struct LatestTies {
    queue: StateQueue,
    groups: SecondaryMap<SubpathId, OrderedMembers>,
    /// The group of each state and its position when inserted. Includes suspended states,
    /// which are not in the group's `states`.
    slots: FxHashMap<StateId, (SubpathId, u64)>,
    /// The non-empty groups, the one to pick from first: by pick count, then by descending
    /// position of the last state.
    order: BTreeSet<(u64, Reverse<u64>, SubpathId)>,
}

/// The states of one subpath.
#[derive(Clone, Default)]
struct OrderedMembers {
    /// The pick count.
    picks: u64,
    states: BTreeMap<u64, StateId>,
}

impl LatestTies {
    fn change(&mut self, id: SubpathId, change: impl FnOnce(&mut OrderedMembers)) {
        let group = &mut self.groups[id];
        let key = |group: &OrderedMembers| {
            let (&last, _) = group.states.last_key_value()?;
            Some((group.picks, Reverse(last), id))
        };
        key(group).inspect(|key| _ = self.order.remove(key));
        change(group);
        self.order.extend(key(group));
    }

    /// Removes a state from its group, but not from the queue.
    fn ungroup(&mut self, state: StateId) {
        if let Some((group, position)) = self.slots.remove(&state) {
            self.change(group, |group| _ = group.states.remove(&position));
        }
    }
}

impl SubpathGroups for LatestTies {
    fn fork(&mut self, fork: &Fork) {
        self.ungroup(fork.parent);
        self.queue.fork_in_place(fork);
    }

    fn insert(&mut self, state: StateId, group: SubpathId) {
        self.ungroup(state);
        let position = self.queue.position(state).unwrap_or_else(|| self.queue.push(state));
        self.slots.insert(state, (group, position));
        self.change(group, |group| _ = group.states.insert(position, state));
    }

    fn remove(&mut self, state: StateId) {
        self.ungroup(state);
        self.queue.remove(state);
    }

    fn suspend(&mut self, state: StateId) {
        if let Some(&(group, position)) = self.slots.get(&state) {
            self.change(group, |group| _ = group.states.remove(&position));
        }
    }

    fn resume(&mut self, state: StateId) {
        if let Some(&(group, position)) = self.slots.get(&state) {
            self.change(group, |group| _ = group.states.insert(position, state));
        }
    }

    fn group(&self, state: StateId) -> Option<SubpathId> {
        Some(self.slots.get(&state)?.0)
    }

    fn least_picked(&self, _: &mut Rng) -> Option<(StateId, SubpathId)> {
        let &(_, _, group) = self.order.first()?;
        let (_, &state) = self.groups[group].states.last_key_value()?;
        Some((state, group))
    }

    fn is_least_picked(&self, group: SubpathId) -> bool {
        self.order.first().is_some_and(|&(picks, ..)| picks == self.groups[group].picks)
    }

    fn picks(&self, group: SubpathId) -> u64 {
        self.groups[group].picks
    }

    fn add_picks(&mut self, group: SubpathId, count: u64) {
        self.change(group, |group| group.picks = group.picks.saturating_add(count));
    }

    fn uncount_pick(&mut self, group: SubpathId) {
        self.change(group, |group| group.picks -= 1);
    }
}
