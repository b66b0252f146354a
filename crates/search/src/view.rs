//! What a searcher may know of the states.

use byway_base::Work;
use byway_ir::FuncId;

use crate::{Case, Location, Site, StateId};

/// Facts about the states there are, one method for each, like the columns of a
/// table whose rows are states.
///
/// The engine answers from the state itself when it is asked, so most facts cost
/// nothing unless a searcher wants them, and are never out of date. The few that must
/// be counted while states run are kept only for a searcher that [says](SearcherRequirements) it
/// wants them; for others they are 0 or `None`. A new fact is a new method: searchers
/// that do not want it are not touched.
///
/// A searcher asks only about states that are there; the answer for another id is
/// a default, never a panic. Facts that change as a state runs change only for
/// [`Delta::ran`](crate::Delta::ran); whoever keeps something derived from them
/// brings just that state up to date.
pub trait View {
    /// All states, oldest first. Costs as much as there are: to join an exploration
    /// under way, not for every pick.
    fn states(&self) -> Vec<StateId>;

    /// The work done so far, by all states: the clock by which searchers share.
    fn work(&self) -> Work;

    /// The block the state is in; for a pending one, the block it would go to.
    fn location(&self, state: StateId) -> Location;

    /// How many forks lie on its path, those with a single child left out.
    fn depth(&self, state: StateId) -> u32;

    /// Whether it is the other side of a fork whose feasibility has not been
    /// decided; picking it decides it first.
    fn is_pending(&self, state: StateId) -> bool;

    /// How often the block it goes to next has been run so far, by whichever state.
    /// Kept only if [wanted](SearcherRequirements::executions).
    fn executions(&self, state: StateId) -> u64;

    /// How many instructions have been run so far in calls that were open in the same
    /// way as its innermost one, by whichever state: through the same chain of calls
    /// from the program's start, callees not counted. Kept only if
    /// [wanted](SearcherRequirements::call_paths).
    fn instructions_on_call_path(&self, state: StateId) -> u64;

    /// The effort the solver spent on its path so far.
    fn solver_effort(&self, state: StateId) -> u64;

    /// How many instructions it has to run, at the least, to come to code of the user's
    /// that no state has come to, this one included: 1 if it is next. `None` if there is
    /// no way. Kept only if [wanted](SearcherRequirements::distances).
    ///
    /// Coverage grows all the time and distances are brought up to date now and then;
    /// whenever they were, [`distances_epoch`](Self::distances_epoch) is another.
    fn distance_to_uncovered(&self, state: StateId) -> Option<u64>;

    /// Counts how often distances were brought up to date. With a new number, any
    /// state's distance may have changed, not only that of the one that ran.
    fn distances_epoch(&self) -> u64;

    /// How many instructions it has run since it last came to code of the user's that
    /// no state had come to before; `None` if it never did.
    fn instructions_since_new_coverage(&self, state: StateId) -> Option<u64>;

    /// Whether it goes next to a side of a branch of the user's code that no state has
    /// gone.
    fn is_at_uncovered(&self, state: StateId) -> bool;

    /// Whether a function is the user's own, not the C library's or the runtime's.
    fn is_user_code(&self, func: FuncId) -> bool;

    /// Whether whoever stands in a block must have gone this way at a site of the same
    /// function before, as far as the shape of the program tells.
    fn is_forced(&self, site: Site, case: Case, then: Location) -> bool;
}

/// Which of the facts that cost something to keep a searcher asks for. The others
/// come with the states for free.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct SearcherRequirements {
    /// [`View::executions`].
    pub executions: bool,
    /// [`View::instructions_on_call_path`].
    pub call_paths: bool,
    /// [`View::distance_to_uncovered`].
    pub distances: bool,
    /// What is picked is to be run as concolic testers do: the other ways of a fork stay
    /// pending, whatever the user says of feasibility; a pending state that is picked is
    /// solved, and the input that goes there runs from the program's start.
    pub concolic: bool,
    /// There are to be no states: it answers nothing but [`Action::RandomTest`](crate::Action::RandomTest).
    pub random: bool,
}

impl SearcherRequirements {
    /// What either of two asks for.
    #[must_use]
    pub fn and(self, other: SearcherRequirements) -> SearcherRequirements {
        SearcherRequirements {
            executions: self.executions | other.executions,
            call_paths: self.call_paths | other.call_paths,
            distances: self.distances | other.distances,
            concolic: self.concolic | other.concolic,
            random: self.random | other.random,
        }
    }
}
