//! Intervals of pruners.

use byway_base::quantity;

/// What the clock of a pruner counts.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum ClockUnit {
    /// The work of the exploration.
    #[default]
    Work,
    /// Milliseconds of the processor.
    ProcessorTime,
}

/// A span of time or of work.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ClockSpan {
    /// What it is measured in.
    pub unit: ClockUnit,
    /// Its length; not 0.
    pub length: u64,
}

impl ClockSpan {
    /// Reads a time with a unit (`30s`), or an amount of work (`5M`).
    pub fn parse(text: &str) -> Result<ClockSpan, String> {
        let time = || quantity::parse_time(text).map(|time| time.as_millis() as u64);
        let (unit, length) = match quantity::parse_count(text) {
            Ok(work) => (ClockUnit::Work, work),
            Err(_) => (ClockUnit::ProcessorTime, time()?),
        };
        match length {
            0 => Err(format!("`{text}` is too short")),
            _ => Ok(ClockSpan { unit, length }),
        }
    }
}

/// Is due once in each interval.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepeatingTimer {
    interval: u64,
    next: u64,
}

impl RepeatingTimer {
    /// A timer that is first due an interval after `now`.
    pub fn new(interval: u64, now: u64) -> RepeatingTimer {
        RepeatingTimer { interval, next: now.saturating_add(interval) }
    }

    /// Whether an interval has ended.
    pub fn is_due(&self, now: u64) -> bool {
        now >= self.next
    }

    /// Begins the next interval.
    pub fn restart(&mut self, now: u64) {
        self.next = now.saturating_add(self.interval);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_times_or_work() {
        let span = |unit, length| Ok(ClockSpan { unit, length });
        assert_eq!(ClockSpan::parse("30s"), span(ClockUnit::ProcessorTime, 30_000));
        assert_eq!(ClockSpan::parse("250ms"), span(ClockUnit::ProcessorTime, 250));
        assert_eq!(ClockSpan::parse("5M"), span(ClockUnit::Work, 5_000_000));
        for wrong in ["", "0", "0s", "soon", "-1s"] {
            assert!(ClockSpan::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_timer_is_due_once_in_each_interval() {
        let mut timer = RepeatingTimer::new(10, 5);
        let mut due = Vec::new();
        for now in (5..50).chain([1000, 1005, 1010]) {
            if timer.is_due(now) {
                timer.restart(now);
                due.push(now);
            }
        }
        assert_eq!(due, [15, 25, 35, 45, 1000, 1010]);
    }
}
