//! How much a query may cost.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::answer::Why;

/// Limits for one query. A query that reaches one is answered with an unknown.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Budget {
    /// Steps of the backend, in its own units; the same in every run. With a limit of
    /// one it answers nothing at all. `None` is no limit.
    pub effort: Option<u64>,
    /// Time on the clock. With it answers depend on the machine; runs that must be
    /// repeatable leave it out.
    pub time: Option<Duration>,
}

impl Budget {
    /// No limits.
    pub const UNLIMITED: Budget = Budget { effort: None, time: None };

    /// A limit on effort alone.
    pub const fn effort(effort: u64) -> Budget {
        Budget { effort: Some(effort), time: None }
    }

    /// A limit on time alone.
    pub const fn time(time: Duration) -> Budget {
        Budget { effort: None, time: Some(time) }
    }
}

/// What ends a query from outside, whatever it has found out: its time is over, or
/// somebody wants the run to end. Whoever works on a query for long asks now and then.
#[derive(Copy, Clone, Default, Debug)]
pub struct Outside<'a> {
    deadline: Option<Instant>,
    interrupt: Option<&'a AtomicBool>,
}

impl<'a> Outside<'a> {
    /// Nothing ends it.
    pub const FREE: Outside<'static> = Outside { deadline: None, interrupt: None };

    /// The time that a budget allows from now on, and a flag.
    pub fn new(budget: Budget, interrupt: Option<&'a AtomicBool>) -> Outside<'a> {
        let deadline = budget.time.and_then(|time| Instant::now().checked_add(time));
        Outside { deadline, interrupt }
    }

    /// Why to end now.
    pub fn ends(&self) -> Option<Why> {
        if self.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Why::Interrupted);
        }
        self.time_left().is_some_and(|left| left.is_zero()).then_some(Why::Time)
    }

    /// The time that is left, if it is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}
