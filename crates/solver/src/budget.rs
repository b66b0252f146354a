//! Limits on the cost of a query.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use byway_base::MemoryGuard;
use cpu_time::ProcessTime;

use crate::answer::UnknownReason;

/// Limits for one query. A query that reaches one is unknown.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct QueryBudget {
    /// Steps of the backend, in its own unit; deterministic. A limit of one allows no
    /// search at all. `None` is no limit.
    pub effort: Option<u64>,
    /// If `effort` is `None`, limit it to a multiple of what is usual for the size of the
    /// query; deterministic. `None` is no limit.
    pub effort_by_size: Option<u64>,
    /// Wall-clock time. Makes answers depend on the machine; reproducible runs leave it
    /// unset.
    pub time: Option<Duration>,
    /// The processor time of the whole process, since its start, at which the query is
    /// cancelled. Other processes on the machine do not shorten it.
    pub processor_time: Option<Duration>,
}

/// The limit by size is inversely proportional to the number of gates, within bounds.
const STEPS_TIMES_GATES: u64 = 3_000_000_000;
const MIN_STEPS: u64 = 20_000;
const MAX_STEPS: u64 = 200_000;

impl QueryBudget {
    /// No limits.
    pub const UNLIMITED: QueryBudget =
        QueryBudget { effort: None, effort_by_size: None, time: None, processor_time: None };

    /// A limit on effort only.
    pub const fn effort(effort: u64) -> QueryBudget {
        QueryBudget { effort: Some(effort), ..QueryBudget::UNLIMITED }
    }

    /// A limit on time only.
    pub const fn time(time: Duration) -> QueryBudget {
        QueryBudget { time: Some(time), ..QueryBudget::UNLIMITED }
    }

    /// The steps allowed for a query of this many gates. A step takes longer the larger
    /// the query is; the limit amounts to some seconds, a minute at most.
    pub fn steps(&self, gates: u64) -> Option<u64> {
        let by_size = (STEPS_TIMES_GATES / gates.max(1)).clamp(MIN_STEPS, MAX_STEPS);
        self.effort.or(self.effort_by_size.map(|times| by_size.saturating_mul(times)))
    }
}

/// Cancels a query when its time is over, the run is interrupted, or memory is short. Long
/// computations poll it.
#[derive(Copy, Clone, Default, Debug)]
pub struct Cancellation<'a> {
    deadline: Option<Instant>,
    /// In processor time of the process.
    processor_deadline: Option<Duration>,
    interrupt: Option<&'a AtomicBool>,
    memory: Option<&'a MemoryGuard>,
}

impl<'a> Cancellation<'a> {
    /// Never cancels.
    pub const NEVER: Cancellation<'static> =
        Cancellation { deadline: None, processor_deadline: None, interrupt: None, memory: None };

    /// Cancels when the budget's time has passed, from now on, or the flag is set.
    pub fn new(budget: QueryBudget, interrupt: Option<&'a AtomicBool>) -> Cancellation<'a> {
        let deadline = budget.time.and_then(|time| Instant::now().checked_add(time));
        let processor_deadline = budget.processor_time;
        Cancellation { deadline, processor_deadline, interrupt, memory: None }
    }

    /// Cancels also when the process is too large.
    pub fn within(self, memory: Option<&'a MemoryGuard>) -> Cancellation<'a> {
        Cancellation { memory, ..self }
    }

    /// The bytes by which the process may grow.
    pub fn memory_left(&self) -> u64 {
        self.memory.map_or(u64::MAX, MemoryGuard::room)
    }

    /// Whether the process would be too large with so many bytes more.
    pub fn is_short_of(&self, bytes: u64) -> bool {
        self.memory.is_some_and(|memory| memory.room() < bytes)
    }

    /// Why to stop now; `None` to continue.
    pub fn reason(&self) -> Option<UnknownReason> {
        if self.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(UnknownReason::Interrupted);
        }
        if self.time_left().is_some_and(|left| left.is_zero()) {
            return Some(UnknownReason::Time);
        }
        self.is_short_of(1).then_some(UnknownReason::Memory)
    }

    /// The time left until the nearer deadline; `None` if there is none.
    pub fn time_left(&self) -> Option<Duration> {
        let processor = self
            .processor_deadline
            .map(|deadline| deadline.saturating_sub(ProcessTime::now().as_duration()));
        [self.wall_clock_left(), processor].into_iter().flatten().min()
    }

    /// The wall-clock time left; `None` if it is unlimited.
    pub fn wall_clock_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effort_by_size_shrinks_with_gates_and_explicit_effort_overrides_it() {
        let by_size = QueryBudget { effort_by_size: Some(1), ..QueryBudget::UNLIMITED };
        assert_eq!(by_size.steps(0), Some(MAX_STEPS));
        assert_eq!(by_size.steps(100_000), Some(30_000));
        assert_eq!(by_size.steps(u64::MAX), Some(MIN_STEPS));
        let larger = QueryBudget { effort_by_size: Some(4), ..by_size };
        assert_eq!(larger.steps(100_000), Some(120_000));
        let explicit = QueryBudget { effort: Some(7), ..by_size };
        assert_eq!(explicit.steps(10_000), Some(7));
        assert_eq!(QueryBudget::UNLIMITED.steps(10_000), None);
    }

    #[test]
    fn deadline_and_flag_cancel() {
        let flag = AtomicBool::new(false);
        assert_eq!(Cancellation::NEVER.reason(), None);
        let cancellation = Cancellation::new(QueryBudget::UNLIMITED, Some(&flag));
        assert_eq!((cancellation.reason(), cancellation.time_left()), (None, None));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(cancellation.reason(), Some(UnknownReason::Interrupted));
        let expired = Cancellation::new(QueryBudget::time(Duration::ZERO), None);
        assert_eq!(expired.reason(), Some(UnknownReason::Time));
        let used = ProcessTime::now().as_duration();
        let processor_time =
            |time| QueryBudget { processor_time: Some(time), ..QueryBudget::UNLIMITED };
        let expired = Cancellation::new(processor_time(used), None);
        assert_eq!(expired.reason(), Some(UnknownReason::Time));
        let later = Cancellation::new(processor_time(used + Duration::from_secs(1000)), None);
        assert!(later.reason().is_none() && later.time_left() > Some(Duration::from_secs(10)));
        assert_eq!(later.wall_clock_left(), None);
        let long = Cancellation::new(QueryBudget::time(Duration::from_secs(3600)), None);
        assert!(long.reason().is_none() && long.time_left() > Some(Duration::from_secs(3000)));
    }
}
