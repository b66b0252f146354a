//! A crowd that draws: any of the states whose subpath was picked least, each with the
//! same chance.
//!
//! A pick takes constant time however many states share a subpath. Subpaths that were
//! picked equally often lie in one bucket, and in it sorted by size to powers of two. So
//! a draw chooses among a few dozen sizes by how many states each holds, then any of the
//! subpaths there, which it keeps with a chance of at least a half (that by which the
//! large are more likely than the small), then any of its states. Counting a pick moves
//! a subpath, not its states.

use std::collections::BTreeMap;

use byway_base::Rng;
use byway_base::entity::SecondaryMap;
use rustc_hash::FxHashMap;

use super::super::subpaths::SubpathId;
use super::subpath_groups::SubpathGroups;
use crate::StateId;

/// The crowd.
#[derive(Default)]
pub struct RandomTies {
    groups: SecondaryMap<SubpathId, SubpathMembers>,
    slots: FxHashMap<StateId, MemberSlot>,
    /// The groups of those that rest.
    resting: FxHashMap<StateId, SubpathId>,
    /// By how often their subpaths were picked; none is empty.
    buckets: BTreeMap<u64, PickBucket>,
}

/// Where a state is.
#[derive(Copy, Clone)]
struct MemberSlot {
    group: SubpathId,
    position: usize,
}

/// The states of one subpath.
#[derive(Clone, Default)]
struct SubpathMembers {
    /// How often it was picked.
    picks: u64,
    states: Vec<StateId>,
    /// Where it is in its class.
    position: usize,
}

/// The subpaths that were picked equally often.
#[derive(Default)]
struct PickBucket {
    /// Those of 2^i to 2^(i+1)-1 states at i.
    classes: Vec<SizeClass>,
    /// How many states in all.
    states: usize,
}

#[derive(Clone, Default)]
struct SizeClass {
    groups: Vec<SubpathId>,
    states: usize,
}

impl SubpathMembers {
    /// Which class it belongs on; it is not empty.
    fn class(&self) -> usize {
        self.states.len().ilog2() as usize
    }
}

impl RandomTies {
    /// Changes a group, which may change where it belongs.
    fn change(&mut self, group: SubpathId, change: impl FnOnce(&mut SubpathMembers)) {
        self.take_down(group);
        change(&mut self.groups[group]);
        self.put_up(group);
    }

    fn take_down(&mut self, id: SubpathId) {
        let group = &self.groups[id];
        let (picks, size, position) = (group.picks, group.states.len(), group.position);
        if size == 0 {
            return;
        }
        let shelf_number = group.class();
        let bucket = self.buckets.get_mut(&picks).expect("a group that has states is in a bucket");
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

    fn put_up(&mut self, id: SubpathId) {
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
    fn join(&mut self, state: StateId, group: SubpathId) {
        self.leave(state);
        let position = self.groups[group].states.len();
        self.slots.insert(state, MemberSlot { group, position });
        self.change(group, |group| group.states.push(state));
    }

    fn leave(&mut self, state: StateId) {
        self.resting.remove(&state);
        let Some(MemberSlot { group, position }) = self.slots.remove(&state) else { return };
        self.change(group, |group| _ = group.states.swap_remove(position));
        if let Some(moved) = self.groups[group].states.get(position) {
            self.slots.insert(*moved, MemberSlot { group, position });
        }
    }

    fn rest(&mut self, state: StateId) {
        if let Some(group) = self.group(state) {
            self.leave(state);
            self.resting.insert(state, group);
        }
    }

    fn wake(&mut self, state: StateId) {
        if let Some(group) = self.resting.remove(&state) {
            self.join(state, group);
        }
    }

    fn group(&self, state: StateId) -> Option<SubpathId> {
        Some(self.slots.get(&state)?.group)
    }

    fn least(&self, rng: &mut Rng) -> Option<(StateId, SubpathId)> {
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

    fn is_least(&self, group: SubpathId) -> bool {
        let least = self.buckets.first_key_value().map(|(&picks, _)| picks);
        Some(self.groups[group].picks) == least
    }

    fn count_pick(&mut self, group: SubpathId) {
        self.change(group, |group| group.picks += 1);
    }

    fn discount_pick(&mut self, group: SubpathId) {
        self.change(group, |group| group.picks -= 1);
    }
}
