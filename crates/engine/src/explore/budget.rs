//! When an exploration stops: limits on time, processor time and work, and the observer's
//! request, each with a typed reason. Also how much a run or a query may use until then.
//!
//! [`RunBudget`] owns the limits, the clock and the reason to stop.

use std::time::Duration;

use byway_base::{Outcome, Work};
use byway_solver::QueryBudget;

use super::clock::RunClock;
use super::{ExploreConfig, Limits, StopReason};
use crate::path_info::PathInfo;

/// Instructions between two checks of the limits.
pub(super) const QUANTUM: u64 = 1 << 20;

/// Tests of unfinished states are written for this part of the limit on time, and at least
/// for `MIN_FINISHING_TIME`.
const FINISHING_DIVISOR: u32 = 50;
const MIN_FINISHING_TIME: Duration = Duration::from_millis(400);

/// The factor by which the effort of a query grows with each attempt.
const GROWTH: u64 = 4;

/// What is left for an exploration, and why it stops.
pub(super) struct RunBudget {
    limits: Limits,
    max_path_instructions: Option<u64>,
    clock: RunClock,
    stop: Option<StopReason>,
}

impl RunBudget {
    /// The budget of one of so many workers.
    pub fn new(config: &ExploreConfig, workers: u64, clock: RunClock) -> RunBudget {
        RunBudget {
            limits: config.limits.share_of(workers),
            max_path_instructions: config.engine.max_instructions,
            clock,
            stop: None,
        }
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Stops the exploration; the first reason counts.
    pub fn stop(&mut self, reason: StopReason) {
        self.stop.get_or_insert(reason);
    }

    pub fn stop_reason(&self) -> Option<StopReason> {
        self.stop
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.is_some()
    }

    /// Stops if a limit is reached. `instructions` are those of this worker, `work` computes the
    /// work of all; it and the clocks are only asked if they are limited.
    pub fn check(&mut self, instructions: u64, work: impl FnOnce() -> Work) {
        if self.limits.work.is_some_and(|max| work() >= max) {
            self.stop(StopReason::Work);
        }
        if self.limits.instructions.is_some_and(|max| instructions >= max) {
            self.stop(StopReason::Instructions);
        }
        if let Some(reason) = self.clock.exceeded(&self.limits) {
            self.stop(reason);
        }
    }

    /// Whether the time for following seeds before all else is over.
    pub fn is_seed_time_over(&self) -> bool {
        self.limits.seed_time.is_some_and(|max| self.clock.elapsed() >= max)
    }

    /// How many instructions a path may run before the next check: at most `left`, this
    /// worker's share of the work left for all `workers`, what is left of the instructions of this
    /// worker, and what the path itself has left.
    pub fn quantum(
        &self,
        left: u64,
        path: &PathInfo,
        workers: u64,
        instructions: u64,
        work: impl FnOnce() -> Work,
    ) -> u64 {
        let work = self.limits.work.map_or(u64::MAX, |max| max.since(work()).0 / workers);
        let path = self
            .max_path_instructions
            .map_or(u64::MAX, |max| max.saturating_sub(path.instructions));
        let own = self.limits.instructions.map_or(u64::MAX, |max| max.saturating_sub(instructions));
        left.min(QUANTUM).min(work).min(own).min(path).max(1)
    }

    /// Whether a path has used up its own instructions.
    pub fn is_path_too_long(&self, path: &PathInfo) -> bool {
        self.max_path_instructions.is_some_and(|max| path.instructions >= max)
    }

    /// What one query may cost: no more time than the exploration has left.
    pub fn query(&self) -> QueryBudget {
        self.query_again(0)
    }

    /// What a query may cost after the solver gave up on it so many times.
    pub fn query_again(&self, attempts: u8) -> QueryBudget {
        let Limits { processor_time_from, solver_effort, solver_time, .. } = self.limits;
        // A query's deadline is a time of the process.
        let processor_time =
            self.limits.processor_time.map(|time| time.saturating_add(processor_time_from));
        let time = [solver_time, self.clock.left(&self.limits)].into_iter().flatten().min();
        let effort_by_size = Some(GROWTH.saturating_pow(attempts.into()));
        QueryBudget { effort: solver_effort, effort_by_size, time, processor_time }
    }

    /// The processor time so far.
    pub fn processor_time(&mut self) -> Duration {
        self.clock.processor_time()
    }

    /// The processor time at this moment.
    pub fn processor_time_now(&mut self) -> Duration {
        self.clock.processor_time_now()
    }

    /// Counts processor time that another process took for the exploration.
    pub fn spend_elsewhere(&mut self, time: Duration) {
        self.clock.spend_elsewhere(time);
    }

    /// How long the tests of unfinished states may take to write; `None` if no limit on time
    /// was reached, so that runs without one are reproducible.
    pub fn finishing_time(&self) -> Option<Duration> {
        let limit = match self.stop? {
            StopReason::Time => self.limits.time?,
            StopReason::ProcessorTime => self.limits.processor_time?,
            StopReason::Done
            | StopReason::Work
            | StopReason::Instructions
            | StopReason::Seeds
            | StopReason::Stopped
            | StopReason::Targets => return None,
        };
        Some(MIN_FINISHING_TIME.max(limit / FINISHING_DIVISOR))
    }

    /// The outcome of states that are alive when the exploration stops.
    pub fn unfinished_outcome(&self) -> Outcome {
        match self.stop {
            Some(StopReason::Stopped) => Outcome::Interrupted,
            _ => Outcome::OutOfBudget,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    fn budget(limits: Limits, max_path_instructions: Option<u64>) -> RunBudget {
        let clock = RunClock::new(Instant::now(), &limits);
        RunBudget { limits, max_path_instructions, clock, stop: None }
    }

    #[test]
    fn the_first_limit_reached_is_the_reason() {
        let limits = Limits { work: Some(Work(10)), ..Limits::default() };
        let mut work = budget(limits, None);
        work.check(0, || Work(9));
        assert_eq!(work.stop_reason(), None);
        work.check(0, || Work(10));
        work.stop(StopReason::Stopped);
        assert_eq!(work.stop_reason(), Some(StopReason::Work));
        assert_eq!(work.unfinished_outcome(), Outcome::OutOfBudget);

        let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        let mut time = budget(limits, None);
        time.check(0, || unreachable!("work is not limited"));
        assert_eq!(time.stop_reason(), Some(StopReason::Time));

        let limits = Limits { instructions: Some(100), ..Limits::default() };
        let mut instructions = budget(limits.share_of(3), None);
        instructions.check(33, || unreachable!("work is not limited"));
        assert_eq!(instructions.stop_reason(), None);
        instructions.check(34, || unreachable!("work is not limited"));
        assert_eq!(instructions.stop_reason(), Some(StopReason::Instructions));

        let mut stopped = budget(Limits::default(), None);
        stopped.stop(StopReason::Stopped);
        assert_eq!(stopped.unfinished_outcome(), Outcome::Interrupted);
    }

    #[test]
    fn a_quantum_is_what_the_nearest_limit_leaves() {
        let path = PathInfo { instructions: 70, ..PathInfo::default() };
        let unlimited = budget(Limits::default(), None);
        let no_work = || -> Work { unreachable!("work is not limited") };
        assert_eq!(unlimited.quantum(u64::MAX, &path, 1, 0, no_work), QUANTUM);
        assert_eq!(unlimited.quantum(5, &path, 1, 0, no_work), 5);
        let limits = Limits { work: Some(Work(100)), ..Limits::default() };
        let limited = budget(limits, Some(100));
        assert_eq!(limited.quantum(u64::MAX, &path, 1, 0, || Work(0)), 30);
        assert_eq!(limited.quantum(u64::MAX, &path, 1, 0, || Work(90)), 10);
        assert_eq!(limited.quantum(u64::MAX, &path, 4, 0, || Work(80)), 5);
        let limits = Limits { instructions: Some(50), ..Limits::default() };
        assert_eq!(budget(limits, None).quantum(u64::MAX, &path, 1, 48, no_work), 2);
        // A run makes progress even if nothing is left: the check comes after it.
        assert_eq!(limited.quantum(u64::MAX, &path, 1, 0, || Work(200)), 1);
        assert!(!limited.is_path_too_long(&path));
        assert!(limited.is_path_too_long(&PathInfo { instructions: 100, ..path }));
    }

    #[test]
    fn a_query_gets_no_more_time_than_is_left() {
        let hour = Duration::from_secs(3600);
        let limits = Limits { time: Some(hour), solver_effort: Some(7), ..Limits::default() };
        let query = budget(limits, None).query();
        assert!(query.time.is_some_and(|time| time <= hour));
        assert_eq!((query.effort, query.processor_time), (Some(7), None));
        let limits = Limits { processor_time: Some(hour), ..limits };
        assert_eq!(budget(limits, None).query().processor_time, Some(hour));
        let limits = Limits { solver_time: Some(Duration::from_secs(1)), ..limits };
        assert_eq!(budget(limits, None).query().time, Some(Duration::from_secs(1)));
    }
}
