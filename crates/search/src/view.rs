//! What a searcher may know of the states.

use crate::{Location, StateId};

/// Facts about the states there are, one method for each, like the columns of a
/// table whose rows are states.
///
/// The engine answers from the state itself when it is asked, so a fact costs
/// nothing unless a searcher wants it, and is never out of date. A new fact is a
/// new method: searchers that do not want it are not touched.
///
/// A searcher asks only about states that are there; the answer for another id is
/// a default, never a panic. Facts that change as a state runs change only for
/// [`Delta::ran`](crate::Delta::ran); whoever keeps something derived from them
/// brings just that state up to date.
pub trait View {
    /// All states, oldest first. Costs as much as there are: to join an exploration
    /// under way, not for every pick.
    fn states(&self) -> Vec<StateId>;

    /// The block the state is in; for a pending one, the block it would go to.
    fn location(&self, state: StateId) -> Location;

    /// How many forks lie on its path, those with a single child left out.
    fn depth(&self, state: StateId) -> u32;

    /// Whether it is the other side of a fork whose feasibility has not been
    /// decided; picking it decides it first.
    fn is_pending(&self, state: StateId) -> bool;
}
