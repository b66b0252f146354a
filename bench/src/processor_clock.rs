//! The processor time of child processes, over time.
//!
//! Byway's own statistics count the time of its process alone; native tests run in others.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The time between two readings.
const INTERVAL: Duration = Duration::from_millis(20);

/// Linux counts processor time in hundredths of a second.
const TICKS_PER_SECOND: f64 = 100.0;

/// Reads the processor time of all descendants of this process in a thread, until it is finished.
pub struct ProcessorClock {
    is_finished: Arc<AtomicBool>,
    thread: JoinHandle<ProcessorTimes>,
}

impl ProcessorClock {
    pub fn start() -> ProcessorClock {
        let is_finished = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&is_finished);
        let thread = thread::spawn(move || {
            let began = seconds_of_descendants();
            let mut times = ProcessorTimes { readings: vec![(milliseconds_now(), 0.0)] };
            loop {
                let stops = stop.load(Ordering::Relaxed);
                times.add(milliseconds_now(), seconds_of_descendants() - began);
                if stops {
                    return times;
                }
                thread::sleep(INTERVAL);
            }
        });
        ProcessorClock { is_finished, thread }
    }

    pub fn finish(self) -> Result<ProcessorTimes, String> {
        self.is_finished.store(true, Ordering::Relaxed);
        self.thread.join().map_err(|_| "the thread that reads processor times failed".to_owned())
    }
}

/// Processor seconds by wall-clock time, in milliseconds since 1970.
pub struct ProcessorTimes {
    readings: Vec<(u64, f64)>,
}

impl ProcessorTimes {
    /// A process that ends while its parent is read is missing from both: times never fall.
    fn add(&mut self, at: u64, seconds: f64) {
        let last = self.readings.last().map_or(0.0, |reading| reading.1);
        self.readings.push((at, seconds.max(last)));
    }

    /// The processor seconds up to a time, between two readings in proportion.
    pub fn at(&self, time: u64) -> f64 {
        let next = self.readings.partition_point(|reading| reading.0 < time);
        match (next.checked_sub(1).map(|last| self.readings[last]), self.readings.get(next)) {
            (Some((before, low)), Some(&(after, high))) => {
                low + (high - low) * (time - before) as f64 / (after - before) as f64
            }
            (Some((_, seconds)), None) | (None, Some(&(_, seconds))) => seconds,
            (None, None) => 0.0,
        }
    }

    /// The processor seconds at the last reading.
    pub fn last(&self) -> f64 {
        self.readings.last().map_or(0.0, |reading| reading.1)
    }
}

fn milliseconds_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// The processor time of all descendants: those that live, and those that have ended.
pub fn seconds_of_descendants() -> f64 {
    let this = std::process::id();
    let mut open = children(this);
    let mut ticks = processor_ticks(this)[1];
    while let Some(process) = open.pop() {
        ticks += processor_ticks(process).iter().sum::<u64>();
        open.extend(children(process));
    }
    ticks as f64 / TICKS_PER_SECOND
}

/// The children of all threads of a process.
fn children(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task"));
    let lists = threads.into_iter().flatten().flatten();
    let lists = lists.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| parse_numbers(&list)).collect()
}

fn parse_numbers(text: &str) -> Vec<u32> {
    text.split_whitespace().filter_map(|number| number.parse().ok()).collect()
}

/// The ticks of a process, and of its children that have ended.
fn processor_ticks(process: u32) -> [u64; 2] {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name, in parentheses, may contain spaces; the state comes after it.
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let ticks: Vec<u64> = fields.skip(11).take(4).filter_map(|field| field.parse().ok()).collect();
    match ticks[..] {
        [user, system, of_children, system_of_children] => {
            [user + system, of_children + system_of_children]
        }
        _ => [0; 2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn times_are_interpolated_and_never_fall() {
        let mut times = ProcessorTimes { readings: vec![(1000, 0.0)] };
        times.add(1100, 0.1);
        times.add(1200, 0.05);
        times.add(1300, 0.3);
        assert_eq!((times.at(900), times.at(2000), times.last()), (0.0, 0.3, 0.3));
        assert!((times.at(1050) - 0.05).abs() < 1e-9 && (times.at(1250) - 0.2).abs() < 1e-9);
    }

    #[test]
    fn grandchildren_are_counted() {
        let clock = ProcessorClock::start();
        let busy = "sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'; true";
        let status = Command::new("sh").args(["-c", busy]).status();
        assert!(status.is_ok_and(|status| status.success()));
        assert!(clock.finish().is_ok_and(|times| times.last() > 0.0));
    }
}
