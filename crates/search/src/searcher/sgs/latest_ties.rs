//! A crowd that stands in line: of the states whose subpath was picked least, the last.
//!
//! At a fork the first case keeps its parent's place and the others join at the end,
//! whichever of them the witness takes, as in depth-first search. A pick takes
//! logarithmic time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use byway_base::Rng;
use byway_base::entity::SecondaryMap;
use rustc_hash::FxHashMap;

use super::super::state_queue::StateQueue;
use super::super::subpaths::SubpathId;
use super::subpath_groups::SubpathGroups;
use crate::{Fork, StateId};

/// The crowd.
#[derive(Default)]
pub struct LatestTies {
    line: StateQueue,
    groups: SecondaryMap<SubpathId, OrderedMembers>,
    /// The group of each state, and its place in line when it joined; also of those that
    /// rest, who are in no group's list.
    slots: FxHashMap<StateId, (SubpathId, u64)>,
    /// The groups that have states, the one to pick from first: by how often they were
    /// picked, then by the place of their last state.
    order: BTreeSet<(u64, Reverse<u64>, SubpathId)>,
}

/// The states of one subpath.
#[derive(Clone, Default)]
struct OrderedMembers {
    /// How often it was picked.
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

    /// Takes a state out of its group; its place in line is another matter.
    fn stand_apart(&mut self, state: StateId) {
        if let Some((group, place)) = self.slots.remove(&state) {
            self.change(group, |group| _ = group.states.remove(&place));
        }
    }
}

impl SubpathGroups for LatestTies {
    fn part(&mut self, fork: &Fork) {
        self.stand_apart(fork.parent);
        self.line.fork_in_place(fork);
    }

    fn join(&mut self, state: StateId, group: SubpathId) {
        self.stand_apart(state);
        let place = self.line.place(state).unwrap_or_else(|| self.line.push(state));
        self.slots.insert(state, (group, place));
        self.change(group, |group| _ = group.states.insert(place, state));
    }

    fn leave(&mut self, state: StateId) {
        self.stand_apart(state);
        self.line.remove(state);
    }

    fn rest(&mut self, state: StateId) {
        if let Some(&(group, place)) = self.slots.get(&state) {
            self.change(group, |group| _ = group.states.remove(&place));
        }
    }

    fn wake(&mut self, state: StateId) {
        if let Some(&(group, place)) = self.slots.get(&state) {
            self.change(group, |group| _ = group.states.insert(place, state));
        }
    }

    fn group(&self, state: StateId) -> Option<SubpathId> {
        Some(self.slots.get(&state)?.0)
    }

    fn least(&self, _: &mut Rng) -> Option<(StateId, SubpathId)> {
        let &(_, _, group) = self.order.first()?;
        let (_, &state) = self.groups[group].states.last_key_value()?;
        Some((state, group))
    }

    fn is_least(&self, group: SubpathId) -> bool {
        self.order.first().is_some_and(|&(picks, ..)| picks == self.groups[group].picks)
    }

    fn count_pick(&mut self, group: SubpathId) {
        self.change(group, |group| group.picks += 1);
    }

    fn discount_pick(&mut self, group: SubpathId) {
        self.change(group, |group| group.picks -= 1);
    }
}
