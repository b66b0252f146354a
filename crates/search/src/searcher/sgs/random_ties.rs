//! Random tie-breaking: a uniformly random state among those whose subpaths have the lowest
//! pick count.
//!
//! A pick takes constant time, however many states share a subpath. Subpaths with equal pick
//! counts lie in one bucket, divided into size classes by powers of two. A draw chooses one
//! of a few dozen classes, weighted by states; then a subpath of that class by rejection
//! sampling, weighted by its size and accepted with probability at least one half; then
//! one of its states. Counting a pick moves a subpath, not its states.

use std::collections::BTreeMap;

use byway_base::Rng;
use byway_base::entity::SecondaryMap;
use rustc_hash::FxHashMap;

use super::super::subpaths::SubpathId;
use super::subpath_groups::SubpathGroups;
use crate::StateId;

/// Groups with uniformly random choice.
#[derive(Default)]
pub struct RandomTies {
    groups: SecondaryMap<SubpathId, SubpathMembers>,
    slots: FxHashMap<StateId, MemberSlot>,
    /// The groups of suspended states.
    suspended: FxHashMap<StateId, SubpathId>,
    /// Non-empty groups by pick count; no bucket is empty.
    buckets: BTreeMap<u64, PickBucket>,
}

/// The group of a state, and its index there.
#[derive(Copy, Clone)]
struct MemberSlot {
    group: SubpathId,
    position: usize,
}

/// The states of one subpath.
#[derive(Clone, Default)]
struct SubpathMembers {
    /// The pick count.
    picks: u64,
    states: Vec<StateId>,
    /// Its index in its size class.
    position: usize,
}

/// The subpaths with one pick count.
#[derive(Default)]
struct PickBucket {
    /// Class `i` holds the subpaths with 2^i to 2^(i+1)-1 states.
    classes: Vec<SizeClass>,
    /// The number of states in all classes.
    states: usize,
}

#[derive(Clone, Default)]
struct SizeClass {
    groups: Vec<SubpathId>,
    states: usize,
}

impl SubpathMembers {
    /// The index of its size class; the group must not be empty.
    fn class(&self) -> usize {
        self.states.len().ilog2() as usize
    }
}

impl RandomTies {
    /// Applies a change to a group and moves it to its new bucket and size class.
    fn change(&mut self, group: SubpathId, change: impl FnOnce(&mut SubpathMembers)) {
        self.detach(group);
        change(&mut self.groups[group]);
        self.attach(group);
    }

    fn detach(&mut self, id: SubpathId) {
        let group = &self.groups[id];
        let (picks, size, position) = (group.picks, group.states.len(), group.position);
        if size == 0 {
            return;
        }
        let shelf_number = group.class();
        let bucket = self.buckets.get_mut(&picks).expect("a non-empty group is in a bucket");
        bucket.states -= size;
        let class = &mut bucket.classes[shelf_number];
        class.states -= size;
        class.groups.swap_remove(position);
        if let Some(&moved) = class.groups.get(position) {
            self.groups[moved].position = position;
        }
        if bucket.states == 0 {
            self.buckets.remove(&picks);
        }
    }

    fn attach(&mut self, id: SubpathId) {
        let group = &mut self.groups[id];
        let size = group.states.len();
        if size == 0 {
            return;
        }
        let bucket = self.buckets.entry(group.picks).or_default();
        bucket.states += size;
        if bucket.classes.len() <= group.class() {
            bucket.classes.resize(group.class() + 1, SizeClass::default());
        }
        let class = &mut bucket.classes[group.class()];
        class.states += size;
        group.position = class.groups.len();
        class.groups.push(id);
    }
}

impl SubpathGroups for RandomTies {
    fn insert(&mut self, state: StateId, group: SubpathId) {
        self.remove(state);
        let position = self.groups[group].states.len();
        self.slots.insert(state, MemberSlot { group, position });
        self.change(group, |group| group.states.push(state));
    }

    fn remove(&mut self, state: StateId) {
        self.suspended.remove(&state);
        let Some(MemberSlot { group, position }) = self.slots.remove(&state) else { return };
        self.change(group, |group| _ = group.states.swap_remove(position));
        if let Some(moved) = self.groups[group].states.get(position) {
            self.slots.insert(*moved, MemberSlot { group, position });
        }
    }

    fn suspend(&mut self, state: StateId) {
        if let Some(group) = self.group(state) {
            self.remove(state);
            self.suspended.insert(state, group);
        }
    }

    fn resume(&mut self, state: StateId) {
        if let Some(group) = self.suspended.remove(&state) {
            self.insert(state, group);
        }
    }

    fn group(&self, state: StateId) -> Option<SubpathId> {
        Some(self.slots.get(&state)?.group)
    }

    fn least_picked(&self, rng: &mut Rng) -> Option<(StateId, SubpathId)> {
        let (_, bucket) = self.buckets.first_key_value()?;
        let mut number = rng.below(bucket.states as u64) as usize;
        let (i, class) = bucket.classes.iter().enumerate().find(|(_, class)| {
            let here = number < class.states;
            number = number.saturating_sub(class.states);
            here
        })?;
        loop {
            let group = *rng.pick(&class.groups)?;
            let states = &self.groups[group].states;
            if rng.below(2 << i) < states.len() as u64 {
                return Some((*rng.pick(states)?, group));
            }
        }
    }

    fn is_least_picked(&self, group: SubpathId) -> bool {
        let least = self.buckets.first_key_value().map(|(&picks, _)| picks);
        Some(self.groups[group].picks) == least
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
