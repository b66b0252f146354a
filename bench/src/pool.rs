//! Runs many independent checks on a few threads, and shows how far it is.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::verdict::{Tally, Verdict};

/// One program to check.
pub struct Case<'a> {
    /// Its name in tables and for `--filter`.
    pub name: String,
    /// Does the check.
    pub check: Box<dyn Fn() -> Verdict + Send + Sync + 'a>,
}

/// Runs all cases on `jobs` threads and counts; the order of the cases decides
/// the order of the results.
pub fn run(suite: &str, cases: &[Case], jobs: usize) -> Tally {
    let next = AtomicUsize::new(0);
    let progress = Mutex::new(Progress::new(suite, cases.len()));
    let verdicts: Mutex<Vec<Option<Verdict>>> = Mutex::new(vec![None; cases.len()]);
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, cases.len().max(1)) {
            scope.spawn(|| {
                while let Some((at, case)) = take(&next, cases) {
                    let verdict = (case.check)();
                    lock(&progress).step(&case.name, &verdict);
                    lock(&verdicts)[at] = Some(verdict);
                }
            });
        }
    });
    lock(&progress).finish();

    let verdicts = std::mem::take(&mut *lock(&verdicts));
    let mut tally = Tally::default();
    for (case, verdict) in cases.iter().zip(verdicts) {
        tally.add(
            &case.name,
            verdict.unwrap_or_else(|| Verdict::Skipped("the check broke off".to_owned())),
        );
    }
    tally
}

fn take<'c, 'a>(next: &AtomicUsize, cases: &'c [Case<'a>]) -> Option<(usize, &'c Case<'a>)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    cases.get(at).map(|case| (at, case))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
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

    fn step(&mut self, name: &str, verdict: &Verdict) {
        self.done += 1;
        if let Verdict::Mismatch { difference, .. } = verdict {
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

    fn finish(&self) {
        self.erase();
    }
}
