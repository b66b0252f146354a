//! Work, a deterministic clock, and budgets.
//!
//! A run that is limited by work and not by time gives the same result each
//! time, so nothing may read the real clock while only work is limited;
//! [`Budget::is_spent`] does not.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};
use std::time::Duration;

/// An amount of work: one per instruction, [`Work::PER_SOLVER_CALL`] per call
/// of the solver. Sums saturate.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Work(pub u64);

impl Work {
    /// No work.
    pub const ZERO: Work = Work(0);
    /// The work of one solver call.
    pub const PER_SOLVER_CALL: u64 = 50;

    /// The work of `count` instructions.
    pub const fn of_instructions(count: u64) -> Work {
        Work(count)
    }

    /// The work of `count` solver calls.
    pub const fn of_solver_calls(count: u64) -> Work {
        Work(count.saturating_mul(Work::PER_SOLVER_CALL))
    }

    /// The work since an earlier reading of the same clock.
    pub const fn since(self, earlier: Work) -> Work {
        Work(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Work {
    type Output = Work;
    fn add(self, other: Work) -> Work {
        Work(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Work) {
        *self = *self + other;
    }
}

impl Sum for Work {
    fn sum<I: Iterator<Item = Work>>(amounts: I) -> Work {
        amounts.fold(Work::ZERO, Add::add)
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Limits; `None` means unlimited.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// The most work.
    pub work: Option<Work>,
    /// The deadline in real time; a run with this limit is not repeatable.
    pub time: Option<Duration>,
}

impl Budget {
    /// No limits.
    pub const UNLIMITED: Budget = Budget { work: None, time: None };

    /// Whether the budget is used up. Reads the clock only if time is limited.
    pub fn is_spent(&self, used: Work, clock: impl FnOnce() -> Duration) -> bool {
        self.work.is_some_and(|limit| used >= limit)
            || self.time.is_some_and(|limit| clock() >= limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_saturates() {
        let done = Work::of_instructions(7) + Work::of_solver_calls(2);
        assert_eq!(done, Work(107));
        assert_eq!([done, done].into_iter().sum::<Work>(), Work(214));
        assert_eq!(Work(u64::MAX) + Work(1), Work(u64::MAX));
        assert_eq!(Work::of_solver_calls(u64::MAX), Work(u64::MAX));
        assert_eq!(Work(3).since(Work(5)), Work::ZERO);
    }

    #[test]
    fn a_work_budget_never_reads_the_clock() {
        let never = || -> Duration { panic!("asked the clock") };
        let budget = Budget { work: Some(Work(10)), time: None };
        assert!(!budget.is_spent(Work(9), never));
        assert!(budget.is_spent(Work(10), never));
        assert!(!Budget::UNLIMITED.is_spent(Work(u64::MAX), never));
    }

    #[test]
    fn the_first_limit_counts() {
        let second = Duration::from_secs(1);
        let budget = Budget { work: Some(Work(10)), time: Some(second) };
        assert!(budget.is_spent(Work(0), || second));
        assert!(budget.is_spent(Work(10), || Duration::ZERO));
        assert!(!budget.is_spent(Work(9), || second / 2));
    }
}
