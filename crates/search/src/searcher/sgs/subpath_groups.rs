//! States grouped by subpath, and groups by how often their subpath was picked.

use byway_base::Rng;

use super::super::subpaths::SubpathId;
use crate::{Fork, StateId};

/// The states there are. Who is to be picked among those whose subpath was picked least
/// is what the kinds of crowd differ in.
pub trait SubpathGroups {
    /// A fork is about to be told, child by child.
    fn part(&mut self, _fork: &Fork) {}

    /// Takes in a state, from whichever group it was in.
    fn join(&mut self, state: StateId, group: SubpathId);

    /// Lets a state go; one that is not there is no matter.
    fn leave(&mut self, state: StateId);

    /// Lets a state go that will come back to its place.
    fn rest(&mut self, state: StateId);

    /// Takes a state back that rests.
    fn wake(&mut self, state: StateId);

    /// The group of a state that does not rest.
    fn group(&self, state: StateId) -> Option<SubpathId>;

    /// One of the states whose subpath was picked least, and that subpath.
    fn least(&self, rng: &mut Rng) -> Option<(StateId, SubpathId)>;

    /// Whether no subpath of a state was picked less than this one.
    fn is_least(&self, group: SubpathId) -> bool;

    /// Counts a pick of a subpath.
    fn count_pick(&mut self, group: SubpathId);

    /// Takes back that a pick was counted.
    fn discount_pick(&mut self, group: SubpathId);
}
