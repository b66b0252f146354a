//! Checks the rules between engine and searcher: the engine reports consistent deltas, and
//! searcher and pruner name live states only.
//!
//! The rules:
//!
//! 1. The id of a new state is larger than every id of an earlier delta.
//! 2. A suspended state neither runs nor forks; only live states fork. A fork has at least
//!    one successor.
//! 3. The successors of a fork are listed by ascending case, each case once.
//! 4. A state is removed once, after it was added.
//! 5. Only live states that are not suspended are suspended; only suspended ones are resumed.
//! 6. A picked state is live and not suspended; a pruned state is live.
//! 7. The view lists exactly the live states.
//! 8. A case group splits into some of its cases before it forks at another site; only case
//!    groups split.
//!
//! The simulation checks every run. Engine tests and tests of wrapping searchers can do the
//! same.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Action, Case, Delta, Fork, StateId, Successor, View};

/// A broken rule of the [`Protocol`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Violation {
    /// A state was added under an id that is not new.
    ReusedId(StateId),
    /// A state forked that is not live.
    ForkOfMissing(StateId),
    /// A suspended state ran or forked.
    RanSuspended(StateId),
    /// A state was suspended that is not live, or is suspended already.
    BadSuspend(StateId),
    /// A state was resumed that is not suspended.
    BadResume(StateId),
    /// A fork has no successors, or they are out of order.
    BadSuccessors(StateId),
    /// A case group forked at another site or into foreign cases, or a state that is no
    /// case group was split as one.
    BadGroupSplit(StateId),
    /// A state was removed that is not live.
    RemovedMissing(StateId),
    /// The searcher picked a state that is not live.
    BadPick(StateId),
    /// The searcher picked a suspended state.
    PickedSuspended(StateId),
    /// The pruner dropped a state that is not live, or dropped one twice.
    BadPrune(StateId),
    /// The view does not list exactly the live states.
    BadView,
    /// The searcher stopped with this many live states left.
    StoppedEarly(usize),
    /// A path of the simulated program was not explored exactly once.
    PathCount {
        /// The name of the leaf where the path ends.
        leaf: String,
        /// How often it was explored.
        times: u32,
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Violation::ReusedId(s) => write!(f, "new state {s} reuses an id"),
            Violation::ForkOfMissing(s) => write!(f, "{s} forked, but is not live"),
            Violation::RanSuspended(s) => write!(f, "{s} ran or forked while suspended"),
            Violation::BadSuspend(s) => {
                write!(f, "{s} was suspended, but is not live or is already suspended")
            }
            Violation::BadResume(s) => write!(f, "{s} was resumed, but is not suspended"),
            Violation::BadSuccessors(s) => {
                write!(f, "the fork of {s} has no successors, or they are not sorted by case")
            }
            Violation::BadGroupSplit(s) => {
                write!(f, "{s} did not split into the cases of its group")
            }
            Violation::RemovedMissing(s) => write!(f, "{s} was removed, but is not live"),
            Violation::BadPick(s) => write!(f, "the searcher picked {s}, which is not live"),
            Violation::PickedSuspended(s) => {
                write!(f, "the searcher picked {s}, which is suspended")
            }
            Violation::BadPrune(s) => {
                write!(f, "the pruner dropped {s}, which is not live or is listed twice")
            }
            Violation::BadView => f.write_str("the view does not list exactly the live states"),
            Violation::StoppedEarly(n) => write!(f, "the searcher stopped with {n} states left"),
            Violation::PathCount { leaf, times } => {
                write!(f, "the path to {leaf} was explored {times} times")
            }
        }
    }
}

impl std::error::Error for Violation {}

/// Checks one exploration.
#[derive(Debug, Default)]
pub struct Protocol {
    live: FxHashSet<StateId>,
    /// A subset of `live`.
    suspended: FxHashSet<StateId>,
    youngest: Option<StateId>,
    /// The cases of each case group; `None` for a started state, which may be a group that
    /// formed elsewhere.
    groups: FxHashMap<StateId, Option<Vec<Case>>>,
}

impl Protocol {
    /// Checks a delta that the engine reports.
    pub fn update(&mut self, delta: &Delta) -> Result<(), Violation> {
        let before = self.youngest;
        if let Some(&state) = delta.resumed.iter().find(|state| !self.suspended.remove(state)) {
            return Err(Violation::BadResume(state));
        }
        if let Some(state) = delta.ran.filter(|state| self.suspended.contains(state)) {
            return Err(Violation::RanSuspended(state));
        }
        for &state in &delta.started {
            self.add(state, before)?;
            self.groups.insert(state, None);
        }
        for fork in &delta.forks {
            if !self.live.contains(&fork.parent) {
                return Err(Violation::ForkOfMissing(fork.parent));
            }
            if self.suspended.contains(&fork.parent) {
                return Err(Violation::RanSuspended(fork.parent));
            }
            if fork.successors.is_empty() || !fork.successors.is_sorted_by(|a, b| a.case < b.case) {
                return Err(Violation::BadSuccessors(fork.parent));
            }
            for successor in
                fork.successors.iter().filter(|successor| successor.state != fork.parent)
            {
                self.add(successor.state, before)?;
            }
            self.split_group(fork)?;
        }
        for state in delta.removed() {
            if !self.live.remove(&state) {
                return Err(Violation::RemovedMissing(state));
            }
            self.groups.remove(&state);
            self.suspended.remove(&state);
        }
        for &state in &delta.suspended {
            if !self.live.contains(&state) || !self.suspended.insert(state) {
                return Err(Violation::BadSuspend(state));
            }
        }
        Ok(())
    }

    /// Checks a fork against the case group of its parent, and records new groups.
    fn split_group(&mut self, fork: &Fork) -> Result<(), Violation> {
        let cases =
            |successor: &Successor| [&[successor.case], &successor.grouped_cases[..]].concat();
        let mut all = fork.successors.iter().flat_map(cases);
        let fits = match self.groups.remove(&fork.parent) {
            Some(Some(group)) => fork.splits_group && all.all(|case| group.contains(&case)),
            Some(None) => true,
            None => !fork.splits_group,
        };
        for successor in
            fork.successors.iter().filter(|successor| !successor.grouped_cases.is_empty())
        {
            self.groups.insert(successor.state, Some(cases(successor)));
        }
        if fits { Ok(()) } else { Err(Violation::BadGroupSplit(fork.parent)) }
    }

    fn add(&mut self, state: StateId, before: Option<StateId>) -> Result<(), Violation> {
        if Some(state) <= before || !self.live.insert(state) {
            return Err(Violation::ReusedId(state));
        }
        self.youngest = self.youngest.max(Some(state));
        Ok(())
    }

    /// Checks a searcher's choice.
    pub fn pick(&self, action: &Action) -> Result<(), Violation> {
        match action {
            Action::Run { state, .. } if !self.live.contains(state) => {
                Err(Violation::BadPick(*state))
            }
            Action::Run { state, .. } if self.suspended.contains(state) => {
                Err(Violation::PickedSuspended(*state))
            }
            Action::Run { .. }
            | Action::RandomTest
            | Action::RandomTests { .. }
            | Action::SearchBackward
            | Action::Stop => Ok(()),
        }
    }

    /// Checks a pruner's choice.
    pub fn prune(&self, states: &[StateId]) -> Result<(), Violation> {
        let mut seen = FxHashSet::default();
        match states.iter().find(|&s| !self.live.contains(s) || !seen.insert(*s)) {
            Some(&state) => Err(Violation::BadPrune(state)),
            None => Ok(()),
        }
    }

    /// Compares the view with the live states, in linear time.
    pub fn check_view(&self, view: &dyn View) -> Result<(), Violation> {
        let states = view.states();
        let same = states.len() == self.live.len()
            && states.is_sorted_by(|a, b| a < b)
            && states.iter().all(|state| self.live.contains(state));
        if same { Ok(()) } else { Err(Violation::BadView) }
    }
}
