//! Runs many independent pieces of work on a few threads, and shows how far it is.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::thread;

use crate::checks::{CheckVerdict, SuiteTally};

/// One program to check.
pub struct CheckCase<'a> {
    /// Its name in tables and for `--filter`.
    pub name: String,
    /// Does the check.
    pub check: Box<dyn Fn() -> CheckVerdict + Send + Sync + 'a>,
}

/// Runs all cases on `jobs` threads and counts; the order of the cases decides
/// the order of the results.
pub fn run(suite: &str, cases: &[CheckCase], jobs: usize) -> SuiteTally {
    let progress = Mutex::new(Progress::new(suite, cases.len()));
    let verdicts = map(cases, jobs, |case| {
        let verdict = (case.check)();
        lock(&progress).step(&case.name, &verdict);
        verdict
    });
    lock(&progress).erase();
    let mut tally = SuiteTally::default();
    cases.iter().zip(verdicts).for_each(|(case, verdict)| tally.add(&case.name, verdict));
    tally
}

/// What `work` makes of each item, in the items' order, done on `jobs` threads.
pub fn map<T: Sync, R: Send>(items: &[T], jobs: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    let result = work(item);
                    lock(&results).push((at, result));
                }
            });
        }
    });
    let mut results = std::mem::take(&mut *lock(&results));
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A line that is rewritten on a terminal; elsewhere, a line per tenth.
struct Progress<'a> {
    suite: &'a str,
    total: usize,
    done: usize,
    mismatches: usize,
    terminal: bool,
}

impl<'a> Progress<'a> {
    fn new(suite: &'a str, total: usize) -> Self {
        let terminal = std::io::stderr().is_terminal();
        Progress { suite, total, done: 0, mismatches: 0, terminal }
    }

    fn step(&mut self, name: &str, verdict: &CheckVerdict) {
        self.done += 1;
        if let CheckVerdict::Mismatch { difference, .. } = verdict {
            self.mismatches += 1;
            self.erase();
            eprintln!("mismatch: {} {name}: {difference}", self.suite);
        }
        let Progress { suite, total, done, mismatches, terminal } = *self;
        if terminal {
            eprint!("\r{suite}: {done}/{total}, {mismatches} mismatches\x1b[K");
            drop(std::io::stderr().flush());
        } else if done * 10 / total != (done - 1) * 10 / total {
            eprintln!("{suite}: {done}/{total}, {mismatches} mismatches");
        }
    }

    fn erase(&self) {
        if self.terminal {
            eprint!("\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        let items: Vec<u32> = (0..100).collect();
        assert_eq!(map(&items, 4, |n| n * 2), (0..200).step_by(2).collect::<Vec<_>>());
        assert!(map(&[] as &[u32], 4, |n| *n).is_empty());
    }
}
