//! The clocks of an exploration: wall-clock and processor time.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

use super::{Limits, StopReason};

/// Reading processor time is a system call. It is read again once this fraction of what was
/// left has passed by the wall clock, so that as many threads may run at once.
const THREADS: u32 = 16;

/// The shortest wall-clock time between two reads of processor time.
const PAUSE: Duration = Duration::from_millis(1);

/// Decides when a limit on time is reached.
pub(super) struct RunClock {
    began: Instant,
    /// Processor time left when it was last read.
    left: Duration,
    /// When to read processor time again.
    read_at: Instant,
    /// The processor time of the process that does not count.
    from: Duration,
    /// Processor time that other processes took for this one.
    elsewhere: Duration,
    /// The processor time when it was last asked for.
    spent: Duration,
    /// When it is read again.
    refresh_at: Instant,
}

impl RunClock {
    /// A clock for an exploration that began at `began`.
    pub fn new(began: Instant, limits: &Limits) -> RunClock {
        let left = limits.processor_time.unwrap_or_default();
        RunClock {
            began,
            left,
            read_at: began,
            from: limits.processor_time_from,
            elsewhere: Duration::ZERO,
            spent: Duration::ZERO,
            refresh_at: began,
        }
    }

    /// The time limit that is reached, if any. Reads no clock that has no limit.
    pub fn exceeded(&mut self, limits: &Limits) -> Option<StopReason> {
        if limits.time.is_some_and(|max| self.began.elapsed() >= max) {
            return Some(StopReason::Time);
        }
        let max = limits.processor_time?;
        let now = Instant::now();
        if now >= self.read_at {
            self.left = max.saturating_sub(self.spent_now());
            self.read_at = now + PAUSE.max(self.left / THREADS);
        }
        self.left.is_zero().then_some(StopReason::ProcessorTime)
    }

    /// The wall-clock time so far.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    fn spent_now(&self) -> Duration {
        ProcessTime::now().as_duration().saturating_sub(self.from) + self.elsewhere
    }

    /// The processor time so far, at most a millisecond old by the wall clock.
    pub fn processor_time(&mut self) -> Duration {
        let now = Instant::now();
        if now >= self.refresh_at {
            self.spent = self.spent_now();
            self.refresh_at = now + PAUSE;
        }
        self.spent
    }

    /// The processor time at this moment.
    pub fn processor_time_now(&mut self) -> Duration {
        self.refresh_at = Instant::now();
        self.processor_time()
    }

    /// Counts processor time that another process took for this one.
    pub fn spend_elsewhere(&mut self, time: Duration) {
        self.elsewhere += time;
        self.read_at = self.began;
    }

    /// Wall-clock time left until its limit.
    pub fn left(&self, limits: &Limits) -> Option<Duration> {
        limits.time.map(|max| max.saturating_sub(self.began.elapsed()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeping_uses_no_processor_time() {
        let used = ProcessTime::now().as_duration();
        let limits =
            Limits { processor_time: Some(used + Duration::from_secs(5)), ..Limits::default() };
        let mut clock = RunClock::new(Instant::now(), &limits);
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(clock.exceeded(&limits), None);
        assert_eq!(clock.left(&limits), None);
    }

    #[test]
    fn processor_time_before_an_exploration_does_not_count() {
        let from = ProcessTime::now().as_duration();
        let limits = Limits {
            processor_time: Some(Duration::from_secs(1_000)),
            processor_time_from: from + Duration::from_secs(1_000),
            ..Limits::default()
        };
        let mut clock = RunClock::new(Instant::now(), &limits);
        assert_eq!(clock.exceeded(&limits), None);
        assert_eq!(clock.processor_time(), Duration::ZERO);
        clock.spend_elsewhere(Duration::from_secs(1_000));
        assert_eq!(clock.exceeded(&limits), Some(StopReason::ProcessorTime));
    }

    #[test]
    fn each_limit_is_named() {
        let (none, some) = (Duration::ZERO, Duration::from_secs(1_000));
        let exceeded = |time, processor_time| {
            let limits = Limits { time, processor_time, ..Limits::default() };
            RunClock::new(Instant::now(), &limits).exceeded(&limits)
        };
        assert_eq!(exceeded(None, None), None);
        assert_eq!(exceeded(Some(some), Some(some)), None);
        assert_eq!(exceeded(Some(none), Some(some)), Some(StopReason::Time));
        assert_eq!(exceeded(Some(some), Some(none)), Some(StopReason::ProcessorTime));
    }
}
