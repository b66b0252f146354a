//! States grouped by subpath, with a pick count for each subpath.

use byway_base::Rng;

use super::super::subpaths::SubpathId;
use crate::{Fork, StateId};

/// The states grouped by subpath. Implementations differ in which state they choose among
/// those whose subpaths have the lowest pick count.
pub trait SubpathGroups {
    /// Announces a fork; `insert` follows for each of its successors.
    fn fork(&mut self, _fork: &Fork) {}

    /// Adds a state to a group, or moves it there.
    fn insert(&mut self, state: StateId, group: SubpathId);

    /// Removes a state, if it is there.
    fn remove(&mut self, state: StateId);

    /// Removes a state that will return to its group.
    fn suspend(&mut self, state: StateId);

    /// Returns a suspended state to its group.
    fn resume(&mut self, state: StateId);

    /// The group of a state that is not suspended.
    fn group(&self, state: StateId) -> Option<SubpathId>;

    /// A state whose subpath has the lowest pick count, and that subpath.
    fn least_picked(&self, rng: &mut Rng) -> Option<(StateId, SubpathId)>;

    /// Whether no subpath of a state has a lower pick count than this one.
    fn is_least_picked(&self, group: SubpathId) -> bool;

    /// The pick count of a subpath.
    fn picks(&self, group: SubpathId) -> u64;

    /// Adds to the pick count of a subpath.
    fn add_picks(&mut self, group: SubpathId, count: u64);

    /// Counts a pick of a subpath.
    fn count_pick(&mut self, group: SubpathId) {
        self.add_picks(group, 1);
    }

    /// Reverts `count_pick`.
    fn uncount_pick(&mut self, group: SubpathId);
}
