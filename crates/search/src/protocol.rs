//! An independent check of both sides of the seam: that the engine tells a
//! consistent story, and that the searcher and the pruner name states that exist.
//!
//! The rules:
//!
//! 1. An id is new exactly once: it is larger than every id told of before.
//! 2. Only a state that is there and does not rest runs or forks, and a fork has a child.
//! 3. The children of a fork come in ascending order of case, each case once.
//! 4. A state goes once, after it came.
//! 5. Only a state that is there and does not rest is put to rest, and only one that rests
//!    is woken.
//! 6. What is picked is there and does not rest; what is pruned is there.
//! 7. The states that came and have not gone are those of the view.
//! 8. A child that stands for several ways parts again, into some of them, before it forks
//!    elsewhere; and nobody else parts again.
//!
//! The simulation holds every run to them; an engine can do the same in its tests, and so
//! can whoever stands between two searchers.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Action, Case, Delta, Fork, StateId, Successor, View};

/// A rule of the seam was broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Violation {
    /// A state came whose id is not new.
    ReusedId(StateId),
    /// A state that is not there forked.
    ForkOfMissing(StateId),
    /// A state that rests ran or forked.
    RanSuspended(StateId),
    /// A state was put to rest that is not there, or rests already.
    BadSuspend(StateId),
    /// A state was woken that does not rest.
    BadResume(StateId),
    /// A fork has no children, or they are out of order.
    BadSuccessors(StateId),
    /// A state that stood for several ways forked elsewhere, or into others; or one that
    /// stood for none parted again.
    BadGroupSplit(StateId),
    /// A state went that was not there.
    RemovedMissing(StateId),
    /// The searcher picked a state that is not there.
    BadPick(StateId),
    /// The searcher picked a state that rests.
    PickedSuspended(StateId),
    /// The pruner dropped a state that is not there.
    BadPrune(StateId),
    /// The view shows other states than those that came and have not gone.
    BadView,
    /// The searcher stopped although so many states are left.
    StoppedEarly(usize),
    /// A path of the simulated program was explored this number of times, not once.
    PathCount {
        /// The name of the leaf it ends in.
        leaf: String,
        /// How often.
        times: u32,
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Violation::ReusedId(s) => write!(f, "{s} came as a new state, but its id is not new"),
            Violation::ForkOfMissing(s) => write!(f, "{s} forked, but is not there"),
            Violation::RanSuspended(s) => write!(f, "{s} ran or forked, but rests"),
            Violation::BadSuspend(s) => write!(f, "{s} was put to rest, but is not there or rests"),
            Violation::BadResume(s) => write!(f, "{s} was woken, but does not rest"),
            Violation::BadSuccessors(s) => write!(f, "{s} forked into none, or out of order"),
            Violation::BadGroupSplit(s) => {
                write!(f, "{s} parted again, but not into what it stood for")
            }
            Violation::RemovedMissing(s) => write!(f, "{s} went, but is not there"),
            Violation::BadPick(s) => write!(f, "the searcher picked {s}, which is not there"),
            Violation::PickedSuspended(s) => write!(f, "the searcher picked {s}, which rests"),
            Violation::BadPrune(s) => write!(f, "the pruner dropped {s}, which is not there"),
            Violation::BadView => f.write_str("the view shows other states than there are"),
            Violation::StoppedEarly(n) => write!(f, "the searcher stopped, {n} states are left"),
            Violation::PathCount { leaf, times } => {
                write!(f, "the path to {leaf} was explored {times} times")
            }
        }
    }
}

impl std::error::Error for Violation {}

/// Watches one exploration.
#[derive(Debug, Default)]
pub struct Protocol {
    live: FxHashSet<StateId>,
    /// Those of them that rest.
    resting: FxHashSet<StateId>,
    youngest: Option<StateId>,
    /// What states stand for: several ways, or any number that nobody told.
    parties: FxHashMap<StateId, Option<Vec<Case>>>,
}

impl Protocol {
    /// Takes in what a searcher is told.
    pub fn update(&mut self, delta: &Delta) -> Result<(), Violation> {
        let before = self.youngest;
        if let Some(&state) = delta.resumed.iter().find(|state| !self.resting.remove(state)) {
            return Err(Violation::BadResume(state));
        }
        if let Some(state) = delta.ran.filter(|state| self.resting.contains(state)) {
            return Err(Violation::RanSuspended(state));
        }
        for &state in &delta.started {
            self.come(state, before)?;
            self.parties.insert(state, None);
        }
        for fork in &delta.forks {
            if !self.live.contains(&fork.parent) {
                return Err(Violation::ForkOfMissing(fork.parent));
            }
            if self.resting.contains(&fork.parent) {
                return Err(Violation::RanSuspended(fork.parent));
            }
            if fork.successors.is_empty() || !fork.successors.is_sorted_by(|a, b| a.case < b.case) {
                return Err(Violation::BadSuccessors(fork.parent));
            }
            for child in fork.successors.iter().filter(|child| child.state != fork.parent) {
                self.come(child.state, before)?;
            }
            self.part(fork)?;
        }
        for state in delta.removed() {
            if !self.live.remove(&state) {
                return Err(Violation::RemovedMissing(state));
            }
            self.parties.remove(&state);
            self.resting.remove(&state);
        }
        for &state in &delta.suspended {
            if !self.live.contains(&state) || !self.resting.insert(state) {
                return Err(Violation::BadSuspend(state));
            }
        }
        Ok(())
    }

    /// Compares a fork with what its parent stood for.
    fn part(&mut self, fork: &Fork) -> Result<(), Violation> {
        let ways = |child: &Successor| [&[child.case], &child.grouped_cases[..]].concat();
        let mut all = fork.successors.iter().flat_map(ways);
        let fits = match self.parties.remove(&fork.parent) {
            Some(Some(party)) => fork.splits_group && all.all(|way| party.contains(&way)),
            Some(None) => true,
            None => !fork.splits_group,
        };
        for child in fork.successors.iter().filter(|child| !child.grouped_cases.is_empty()) {
            self.parties.insert(child.state, Some(ways(child)));
        }
        if fits { Ok(()) } else { Err(Violation::BadGroupSplit(fork.parent)) }
    }

    fn come(&mut self, state: StateId, before: Option<StateId>) -> Result<(), Violation> {
        if Some(state) <= before || !self.live.insert(state) {
            return Err(Violation::ReusedId(state));
        }
        self.youngest = self.youngest.max(Some(state));
        Ok(())
    }

    /// Looks at what a searcher decided.
    pub fn pick(&self, action: &Action) -> Result<(), Violation> {
        match action {
            Action::Run { state, .. } if !self.live.contains(state) => {
                Err(Violation::BadPick(*state))
            }
            Action::Run { state, .. } if self.resting.contains(state) => {
                Err(Violation::PickedSuspended(*state))
            }
            Action::Run { .. } | Action::RandomTest | Action::Stop => Ok(()),
        }
    }

    /// Looks at what a pruner decided.
    pub fn prune(&self, states: &[StateId]) -> Result<(), Violation> {
        let mut seen = FxHashSet::default();
        match states.iter().find(|&s| !self.live.contains(s) || !seen.insert(*s)) {
            Some(&state) => Err(Violation::BadPrune(state)),
            None => Ok(()),
        }
    }

    /// Compares a view; costs as much as there are states.
    pub fn check_view(&self, view: &dyn View) -> Result<(), Violation> {
        let states = view.states();
        let same = states.len() == self.live.len()
            && states.is_sorted_by(|a, b| a < b)
            && states.iter().all(|state| self.live.contains(state));
        if same { Ok(()) } else { Err(Violation::BadView) }
    }
}
