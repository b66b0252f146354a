//! Several tests at once, and how far they are.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use byway_native::sandbox::{Sandbox, SandboxLayout};
use byway_native::{Executable, NativeEnding, NativeRun};
use byway_rundir::RunReader;

use crate::cmd::replay::ReplayConfig;
use crate::cmd::replay::exact::{self, Exact};
use crate::cmd::replay::place::Place;
use crate::cmd::replay::plan::{Loaded, Planned};
use crate::cmd::replay::verdict::{self, Expected, Verdict};
use crate::failure::{Failure, Result, reason};
use crate::interrupt;
use crate::report;
use crate::rerun::Tester;

/// How often the line on a terminal is drawn anew.
const REDRAW: Duration = Duration::from_millis(100);

/// Who runs the tests.
pub struct Crew<'a> {
    /// What was asked for.
    pub config: &'a ReplayConfig,
    /// The run.
    pub run: &'a RunReader,
    /// The program for exact comparison, if there can be one.
    pub exact: Option<&'a Exact>,
    /// The program elsewhere: with sanitizers, or the user's own.
    pub other: &'a Executable,
    /// Its environment.
    pub env: &'a [Vec<u8>],
}

impl Crew<'_> {
    /// Runs the tests, as many at once as there are places; a verdict is missing where the user stopped it first.
    pub fn work(&self, tests: &[Planned], places: Vec<Place>) -> Result<Vec<Option<Verdict>>> {
        let next = AtomicUsize::new(0);
        let failing = AtomicBool::new(false);
        let shared = Mutex::new(Shared {
            verdicts: tests.iter().map(|_| None).collect(),
            failure: None,
            progress: Progress::new(self.config.progress, tests.len()),
        });
        let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = |mut place: Place| {
            let foreteller = self.exact.and_then(Exact::foreteller);
            while !interrupt::requested() && !failing.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(test) = tests.get(index) else { return };
                match self.test(test, &mut place, foreteller.as_ref()) {
                    Ok(Some(verdict)) => lock().done(index, verdict),
                    Ok(None) => {}
                    Err(failure) => {
                        failing.store(true, Ordering::Relaxed);
                        lock().failure.get_or_insert(failure);
                    }
                }
            }
        };
        thread::scope(|scope| {
            for place in places {
                scope.spawn(|| worker(place));
            }
        });
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        shared.progress.clear();
        match shared.failure {
            Some(failure) => Err(failure),
            None => Ok(shared.verdicts),
        }
    }

    /// Runs one test; `None` if the user stopped it.
    fn test(
        &self,
        test: &Planned,
        place: &mut Place,
        foreteller: Option<&Tester<'_>>,
    ) -> Result<Option<Verdict>> {
        let expected = Expected::new(test, self.other.is_sanitised());
        let file = self.run.test_path(&test.name);
        let loaded = match Loaded::read(&file, self.env) {
            Ok(loaded) => loaded,
            Err(why) => {
                return Ok(Some(expected.diverged(format!("the test cannot be read: {why}"))));
            }
        };
        let failed = |error: io::Error| {
            Failure::new(format!("cannot run test '{}': {}", test.name, reason(&error)))
        };
        let job = loaded.job(self.config.time_limit);
        let run = |program: &Executable, sandbox: &mut Sandbox| -> Result<NativeRun> {
            program.run(&job, sandbox, &mut || !interrupt::requested()).map_err(failed)
        };
        let native = run(self.other, &mut place.other)?;
        if native.ending == NativeEnding::Stopped {
            return Ok(None);
        }
        let mut verdict = verdict::compare(&expected, &native);
        if let (Some(exact), Some((usual, otherwise)), true) =
            (self.exact, &mut place.exact, expected.is_exit())
        {
            let mut run = |layout| match layout {
                SandboxLayout::Standard => run(&exact.executable, usual),
                SandboxLayout::Varied => run(&exact.executable, otherwise),
            };
            let limit = test.instruction_limit();
            let Some(exactly) =
                exact::compare(foreteller, &expected, &loaded.inputs, limit, &mut run)?
            else {
                return Ok(None);
            };
            verdict = verdict::combine(exactly, verdict, &native.ending);
        }
        Ok(Some(verdict.excused_by(&loaded.input)))
    }
}

struct Shared {
    verdicts: Vec<Option<Verdict>>,
    failure: Option<Failure>,
    progress: Progress,
}

impl Shared {
    fn done(&mut self, index: usize, verdict: Verdict) {
        self.progress.step(matches!(verdict, Verdict::Diverges { .. }));
        self.verdicts[index] = Some(verdict);
    }
}

/// A line on a terminal that says how far it is.
struct Progress {
    shown: bool,
    total: usize,
    done: usize,
    diverged: usize,
    drawn: Option<Instant>,
}

impl Progress {
    fn new(shown: bool, total: usize) -> Self {
        Progress { shown, total, done: 0, diverged: 0, drawn: None }
    }

    fn step(&mut self, diverged: bool) {
        self.done += 1;
        self.diverged += usize::from(diverged);
        if self.shown && self.drawn.is_none_or(|drawn| drawn.elapsed() >= REDRAW) {
            let (done, total, diverged) = (self.done, self.total, self.diverged);
            report::say_raw(&format!("\r\x1b[Kreplaying: {done} of {total}, {diverged} diverge"));
            self.drawn = Some(Instant::now());
        }
    }

    fn clear(&self) {
        if self.drawn.is_some() {
            report::say_raw("\r\x1b[K");
        }
    }
}
