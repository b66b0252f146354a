//! Many pieces of work, several at once, and how far they are.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Failure, FailureKind, Result};
use crate::interrupt;
use crate::report;
use byway_base::quantity::time;

/// How often the line on a terminal is drawn anew.
const REDRAW: Duration = Duration::from_millis(100);

/// Who works.
#[derive(Copy, Clone)]
pub struct Pool {
    /// How many at once.
    pub jobs: usize,
    /// Whether someone is watching standard error.
    pub progress: bool,
}

impl Pool {
    /// Does all pieces, begun in order. What is missing the user stopped. The first
    /// failure ends it.
    pub fn each<T: Send>(
        &self,
        what: &str,
        count: usize,
        work: impl Fn(usize) -> Result<T> + Sync,
    ) -> Result<Vec<Option<T>>> {
        let next = AtomicUsize::new(0);
        let shared = Mutex::new(Shared {
            done: (0..count).map(|_| None).collect(),
            failure: None,
            finished: 0,
            began: Instant::now(),
            drawn: None,
        });
        let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = || {
            while !interrupt::requested() && lock().failure.is_none() {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= count {
                    return;
                }
                let done = work(index);
                let mut shared = lock();
                match done {
                    Ok(done) => shared.done[index] = Some(done),
                    Err(failure) if failure.kind() == FailureKind::Interrupted => {}
                    Err(failure) => drop(shared.failure.get_or_insert(failure)),
                }
                shared.finished += 1;
                if self.progress {
                    shared.draw(what, count);
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..self.jobs.min(count) {
                scope.spawn(worker);
            }
        });
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        if shared.drawn.is_some() {
            report::say_raw("\r\x1b[K");
        }
        match shared.failure {
            Some(failure) => Err(failure),
            None => Ok(shared.done),
        }
    }
}

struct Shared<T> {
    done: Vec<Option<T>>,
    failure: Option<Failure>,
    finished: usize,
    began: Instant,
    drawn: Option<Instant>,
}

impl<T> Shared<T> {
    fn draw(&mut self, what: &str, count: usize) {
        if self.drawn.is_some_and(|drawn| drawn.elapsed() < REDRAW) {
            return;
        }
        let done = self.finished;
        let left = self.began.elapsed().mul_f64((count - done) as f64 / done.max(1) as f64);
        let left = time(Duration::from_secs(left.as_secs()));
        report::say_raw(&format!("\r\x1b[K{what}: {done} of {count}, about {left} left"));
        self.drawn = Some(Instant::now());
    }
}
