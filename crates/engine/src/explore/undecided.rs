//! States that the solver gave up on. They stay in the frontier, suspended, and are tried
//! again with more effort once the searcher has nothing else to run: the cheapest first, for
//! as long as the exploration has budget. What is left at the end is a loss.
//!
//! [`UndecidedStates`] owns their order.

use std::collections::BTreeSet;

use byway_search::StateId;
use byway_solver::UnknownReason;
use rustc_hash::FxHashMap;

use super::Limits;
use crate::path_info::PathInfo;

/// Attempts at a state in an exploration whose time is not limited. The last one has 16 times
/// the effort of the first; a limit on work would not end a hopeless query.
const MAX_ATTEMPTS: u8 = 3;

/// Counts of states that were tried again.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct RetryTotals {
    /// Attempts at states that the solver had given up on.
    pub attempts: u64,
    /// Those that decided the state.
    pub decided: u64,
}

/// The undecided states of a frontier.
#[derive(Default)]
pub(super) struct UndecidedStates {
    /// By the number of attempts, then by age.
    order: BTreeSet<(u8, StateId)>,
    attempts: FxHashMap<StateId, u8>,
    /// The state to be picked next. It is undecided until it is picked.
    retried: Option<StateId>,
    pub totals: RetryTotals,
}

impl UndecidedStates {
    /// Whether more effort may decide a state, and the user allows it.
    pub fn is_worth_keeping(reason: UnknownReason, limits: &Limits) -> bool {
        reason == UnknownReason::Effort && limits.solver_effort.is_none()
    }

    /// Adds a state on which the solver gave up.
    pub fn add(&mut self, id: StateId, path: &PathInfo) {
        self.remove(id);
        self.order.insert((path.attempts, id));
        self.attempts.insert(id, path.attempts);
    }

    /// Removes a state; returns whether it was undecided.
    pub fn remove(&mut self, id: StateId) -> bool {
        self.retried = self.retried.filter(|&retried| retried != id);
        let attempts = self.attempts.remove(&id);
        attempts.is_some_and(|attempts| self.order.remove(&(attempts, id)))
    }

    /// Whether searchers must not pick a state.
    pub fn is_suspended(&self, id: StateId) -> bool {
        self.retried != Some(id) && self.attempts.contains_key(&id)
    }

    /// Removes all states and returns them.
    pub fn take_all(&mut self) -> Vec<StateId> {
        self.attempts.clear();
        std::mem::take(&mut self.order).into_iter().map(|(_, id)| id).collect()
    }

    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// The state to try next, if it is worth another attempt. The searcher picks it before it
    /// stops again.
    pub fn retry(&mut self, limits: &Limits) -> Option<StateId> {
        let &(attempts, id) = self.order.first()?;
        if self.retried == Some(id) || attempts >= MAX_ATTEMPTS && !limits.has_time_limit() {
            return None;
        }
        self.retried = Some(id);
        self.totals.attempts += 1;
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use byway_base::Work;
    use byway_search::StateIds;

    use super::*;

    fn path(attempts: u8) -> PathInfo {
        PathInfo { attempts, ..PathInfo::default() }
    }

    #[test]
    fn the_state_with_the_fewest_attempts_is_next() {
        let mut ids = StateIds::default();
        let (first, second) = (ids.fresh(), ids.fresh());
        let (mut undecided, limits) = (UndecidedStates::default(), Limits::default());
        assert_eq!(undecided.retry(&limits), None);
        undecided.add(first, &path(1));
        undecided.add(second, &path(1));
        assert_eq!(undecided.retry(&limits), Some(first));
        assert_eq!(undecided.retry(&limits), None, "it was not picked");
        undecided.add(first, &path(2));
        assert_eq!((undecided.retry(&limits), undecided.len()), (Some(second), 2));
        assert!(undecided.remove(second) && !undecided.remove(second));
        assert_eq!((undecided.retry(&limits), undecided.len()), (Some(first), 1));
    }

    #[test]
    fn only_a_limit_on_time_allows_attempts_beyond_the_third() {
        let mut undecided = UndecidedStates::default();
        let id = StateIds::default().fresh();
        undecided.add(id, &path(MAX_ATTEMPTS));
        assert_eq!(undecided.retry(&Limits::default()), None);
        let by_work = Limits { work: Some(Work(u64::MAX)), ..Limits::default() };
        assert_eq!(undecided.retry(&by_work), None);
        let limited = Limits { time: Some(std::time::Duration::MAX), ..Limits::default() };
        assert_eq!(undecided.retry(&limited), Some(id));
    }

    #[test]
    fn a_limit_of_the_user_is_not_exceeded() {
        let unlimited = Limits::default();
        assert!(UndecidedStates::is_worth_keeping(UnknownReason::Effort, &unlimited));
        assert!(!UndecidedStates::is_worth_keeping(UnknownReason::TooLarge, &unlimited));
        let limited = Limits { solver_effort: Some(7), ..unlimited };
        assert!(!UndecidedStates::is_worth_keeping(UnknownReason::Effort, &limited));
    }
}
