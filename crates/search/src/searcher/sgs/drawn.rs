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
use super::crowd::Crowd;
use crate::StateId;

/// The crowd.
#[derive(Default)]
pub struct Drawn {
    groups: SecondaryMap<SubpathId, Group>,
    seats: FxHashMap<StateId, Seat>,
    /// The groups of those that rest.
    resting: FxHashMap<StateId, SubpathId>,
    /// By how often their subpaths were picked; none is empty.
    buckets: BTreeMap<u64, Bucket>,
}

/// Where a state is.
#[derive(Copy, Clone)]
struct Seat {
    group: SubpathId,
    position: usize,
}

/// The states of one subpath.
#[derive(Clone, Default)]
struct Group {
    /// How often it was picked.
    picks: u64,
    states: Vec<StateId>,
    /// Where it is in its shelf.
    position: usize,
}

/// The subpaths that were picked equally often.
#[derive(Default)]
struct Bucket {
    /// Those of 2^i to 2^(i+1)-1 states at i.
    shelves: Vec<Shelf>,
    /// How many states in all.
    states: usize,
}

#[derive(Clone, Default)]
struct Shelf {
    groups: Vec<SubpathId>,
    states: usize,
}

impl Group {
    /// Which shelf it belongs on; it is not empty.
    fn shelf(&self) -> usize {
        self.states.len().ilog2() as usize
    }
}

impl Drawn {
    /// Changes a group, which may change where it belongs.
    fn change(&mut self, group: SubpathId, change: impl FnOnce(&mut Group)) {
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
        let shelf_number = group.shelf();
        let bucket = self.buckets.get_mut(&picks).expect("a group that has states is in a bucket");
        bucket.states -= size;
        let shelf = &mut bucket.shelves[shelf_number];
        shelf.states -= size;
        shelf.groups.swap_remove(position);
        if let Some(&moved) = shelf.groups.get(position) {
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
        if bucket.shelves.len() <= group.shelf() {
            bucket.shelves.resize(group.shelf() + 1, Shelf::default());
        }
        let shelf = &mut bucket.shelves[group.shelf()];
        shelf.states += size;
        group.position = shelf.groups.len();
        shelf.groups.push(id);
    }
}

impl Crowd for Drawn {
    fn join(&mut self, state: StateId, group: SubpathId) {
        self.leave(state);
        let position = self.groups[group].states.len();
        self.seats.insert(state, Seat { group, position });
        self.change(group, |group| group.states.push(state));
    }

    fn leave(&mut self, state: StateId) {
        self.resting.remove(&state);
        let Some(Seat { group, position }) = self.seats.remove(&state) else { return };
        self.change(group, |group| _ = group.states.swap_remove(position));
        if let Some(moved) = self.groups[group].states.get(position) {
            self.seats.insert(*moved, Seat { group, position });
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
        Some(self.seats.get(&state)?.group)
    }

    fn least(&self, rng: &mut Rng) -> Option<(StateId, SubpathId)> {
        let (_, bucket) = self.buckets.first_key_value()?;
        let mut number = rng.below(bucket.states as u64) as usize;
        let (i, shelf) = bucket.shelves.iter().enumerate().find(|(_, shelf)| {
            let here = number < shelf.states;
            number = number.saturating_sub(shelf.states);
            here
        })?;
        loop {
            let group = *rng.pick(&shelf.groups)?;
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
