//! How long an exploration has been going, by the wall and by the processor.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

use super::{Limits, StopReason};

/// The processor's time is a system call away: it is not looked at again before this
/// part of what was left has passed, by the wall. So many threads may use it up at once.
const THREADS: u32 = 16;

/// The shortest pause between two looks.
const PAUSE: Duration = Duration::from_millis(1);

/// Knows when time is up.
pub(super) struct RunClock {
    began: Instant,
    /// The processor's time that was left when it was last looked at.
    left: Duration,
    look_at: Instant,
}

impl RunClock {
    /// For an exploration that began then.
    pub fn new(began: Instant, limits: &Limits) -> RunClock {
        RunClock { began, left: limits.processor_time.unwrap_or_default(), look_at: began }
    }

    /// The limit on time that is reached, if one is. Asks no clock that has no limit.
    pub fn ends(&mut self, limits: &Limits) -> Option<StopReason> {
        if limits.time.is_some_and(|max| self.began.elapsed() >= max) {
            return Some(StopReason::Time);
        }
        let max = limits.processor_time?;
        let now = Instant::now();
        if now >= self.look_at {
            self.left = max.saturating_sub(ProcessTime::now().as_duration());
            self.look_at = now + PAUSE.max(self.left / THREADS);
        }
        self.left.is_zero().then_some(StopReason::ProcessorTime)
    }

    /// What is left until the nearer of the limits, as far as is known.
    pub fn left(&self, limits: &Limits) -> Option<Duration> {
        let wall = limits.time.map(|max| max.saturating_sub(self.began.elapsed()));
        let processor = limits.processor_time.map(|_| self.left.max(PAUSE));
        [wall, processor].into_iter().flatten().min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeping_takes_no_time_of_the_processor() {
        let used = ProcessTime::now().as_duration();
        let limits =
            Limits { processor_time: Some(used + Duration::from_secs(5)), ..Limits::default() };
        let mut clock = RunClock::new(Instant::now(), &limits);
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(clock.ends(&limits), None);
        assert!(clock.left(&limits) > Some(Duration::from_secs(1)));
    }

    #[test]
    fn each_limit_ends_it_by_its_name() {
        let (none, some) = (Duration::ZERO, Duration::from_secs(1_000));
        let ends = |time, processor_time| {
            let limits = Limits { time, processor_time, ..Limits::default() };
            RunClock::new(Instant::now(), &limits).ends(&limits)
        };
        assert_eq!(ends(None, None), None);
        assert_eq!(ends(Some(some), Some(some)), None);
        assert_eq!(ends(Some(none), Some(some)), Some(StopReason::Time));
        assert_eq!(ends(Some(some), Some(none)), Some(StopReason::ProcessorTime));
    }
}
