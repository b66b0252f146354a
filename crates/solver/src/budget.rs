//! How much a query may cost.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::answer::UnknownReason;

/// Limits for one query. A query that reaches one is answered with an unknown.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct QueryBudget {
    /// Steps of the backend, in its own units; the same in every run. With a limit of
    /// one it answers nothing at all. `None` is no limit.
    pub effort: Option<u64>,
    /// Where effort is not limited, whether it is by the size of the query; the same in
    /// every run, too.
    pub effort_by_size: bool,
    /// Time on the clock. With it answers depend on the machine; runs that must be
    /// repeatable leave it out.
    pub time: Option<Duration>,
}

/// The limit by size: steps for one gate, and the bounds for any number of them.
const STEPS_TIMES_GATES: u64 = 3_000_000_000;
const LEAST_STEPS: u64 = 20_000;
const MOST_STEPS: u64 = 200_000;

impl QueryBudget {
    /// No limits.
    pub const UNLIMITED: QueryBudget =
        QueryBudget { effort: None, effort_by_size: false, time: None };

    /// A limit on effort alone.
    pub const fn effort(effort: u64) -> QueryBudget {
        QueryBudget { effort: Some(effort), effort_by_size: false, time: None }
    }

    /// The steps that a query of so many gates may take. The larger it is, the longer
    /// takes each; a query gets some seconds, or a minute at most.
    pub fn steps(&self, gates: u64) -> Option<u64> {
        let sized = (STEPS_TIMES_GATES / gates.max(1)).clamp(LEAST_STEPS, MOST_STEPS);
        self.effort.or(self.effort_by_size.then_some(sized))
    }

    /// A limit on time alone.
    pub const fn time(time: Duration) -> QueryBudget {
        QueryBudget { effort: None, effort_by_size: false, time: Some(time) }
    }
}

/// What ends a query from cancellation, whatever it has found out: its time is over, or
/// somebody wants the run to end. Whoever works on a query for long asks now and then.
#[derive(Copy, Clone, Default, Debug)]
pub struct Cancellation<'a> {
    deadline: Option<Instant>,
    interrupt: Option<&'a AtomicBool>,
}

impl<'a> Cancellation<'a> {
    /// Nothing ends it.
    pub const NEVER: Cancellation<'static> = Cancellation { deadline: None, interrupt: None };

    /// The time that a budget allows from now on, and a flag.
    pub fn new(budget: QueryBudget, interrupt: Option<&'a AtomicBool>) -> Cancellation<'a> {
        let deadline = budget.time.and_then(|time| Instant::now().checked_add(time));
        Cancellation { deadline, interrupt }
    }

    /// Why to end now.
    pub fn reason(&self) -> Option<UnknownReason> {
        if self.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(UnknownReason::Interrupted);
        }
        self.time_left().is_some_and(|left| left.is_zero()).then_some(UnknownReason::Time)
    }

    /// The time that is left, if it is limited.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_queries_get_fewer_steps_and_a_given_limit_holds_for_all() {
        let effort_by_size = QueryBudget { effort_by_size: true, ..QueryBudget::UNLIMITED };
        assert_eq!(effort_by_size.steps(0), Some(MOST_STEPS));
        assert_eq!(effort_by_size.steps(100_000), Some(30_000));
        assert_eq!(effort_by_size.steps(u64::MAX), Some(LEAST_STEPS));
        let given = QueryBudget { effort: Some(7), ..effort_by_size };
        assert_eq!(given.steps(10_000), Some(7));
        assert_eq!(QueryBudget::UNLIMITED.steps(10_000), None);
    }

    #[test]
    fn time_and_a_flag_end_a_query_from_outside() {
        let flag = AtomicBool::new(false);
        assert_eq!(Cancellation::NEVER.reason(), None);
        let cancellation = Cancellation::new(QueryBudget::UNLIMITED, Some(&flag));
        assert_eq!((cancellation.reason(), cancellation.time_left()), (None, None));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(cancellation.reason(), Some(UnknownReason::Interrupted));
        assert_eq!(
            Cancellation::new(QueryBudget::time(Duration::ZERO), None).reason(),
            Some(UnknownReason::Time)
        );
        let long = Cancellation::new(QueryBudget::time(Duration::from_secs(3600)), None);
        assert!(long.reason().is_none() && long.time_left() > Some(Duration::from_secs(3000)));
    }
}
