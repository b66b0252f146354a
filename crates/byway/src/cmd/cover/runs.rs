//! The tests of a run on a program that counts, each in a sandbox, several at once.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use byway_native::sandbox::{
    LeftDirs, Sandbox, SandboxEnding, SandboxLayout, SandboxLimits, SandboxSpec, SandboxTask,
};
use byway_rundir::RunReader;
use byway_testcase::ktest;
use byway_testcase::symbolic::{InputFile, ProgramInput};

use crate::cmd::cover::build::Built;
use crate::cmd::cover::gcov::{Covered, Map};
use crate::cmd::cover::units::Units;
use crate::cmd::replay::place;
use crate::cmd::replay::plan::{self, Planned};
use crate::failure::{Failure, Result, reason};
use crate::interrupt;
use crate::report;

/// How often the line on a terminal is drawn anew.
const REDRAW: Duration = Duration::from_millis(100);
/// Where the program finds its test, below what is kept.
const TEST: &str = "test.ktest";
/// Where its counters go, below what is kept.
const COUNTERS: &str = "counters";
/// How often a test is run that leaves no counters: the machine may have been at fault.
const ATTEMPTS: usize = 2;
/// How long before its time is up the program is asked to save its counters.
const MARGIN: Duration = Duration::from_secs(1);

/// Who runs the tests.
pub struct Crew<'a> {
    run: &'a RunReader,
    built: &'a Built,
    units: &'a Units,
    map: &'a Map,
    env: Vec<Vec<u8>>,
    /// Directories of the machine that the program may read.
    shown: Vec<PathBuf>,
    manner: Manner,
}

/// How tests are run.
pub struct Manner {
    /// How many tests run at once.
    pub jobs: usize,
    /// How long one may take.
    pub time_limit: Duration,
    /// Whether tests are kept from doing harm.
    pub sandboxed: bool,
    /// Whether someone is watching standard error.
    pub progress: bool,
}

/// What came of all tests.
pub struct Outcome {
    /// How many ran and left counters.
    pub measured: u64,
    /// Those that left none, by why.
    pub lost: BTreeMap<String, Vec<u64>>,
    /// Whether the user stopped it.
    pub stopped: bool,
}

impl<'a> Crew<'a> {
    /// Of tests of a run on a program whose counters go there, and in which there is that.
    pub fn new(
        run: &'a RunReader,
        built: &'a Built,
        units: &'a Units,
        map: &'a Map,
        manner: Manner,
    ) -> Self {
        let (env, shown) = (plan::environment(run.manifest()), plan::shown(run.manifest()));
        Crew { run, built, units, map, env, shown, manner }
    }

    /// Runs the tests; `add` is given what each covers, in no certain order.
    pub fn work(
        &self,
        tests: &[Planned],
        add: &mut (dyn FnMut(u64, Covered) + Send),
    ) -> Result<Outcome> {
        let jobs = self.manner.jobs.min(tests.len());
        let sandboxes = place::sandboxes(&self.world(), self.manner.sandboxed, jobs)?;
        let (next, failing) = (AtomicUsize::new(0), AtomicBool::new(false));
        let shared = Mutex::new(Shared {
            outcome: Outcome { measured: 0, lost: BTreeMap::new(), stopped: false },
            add,
            failure: None,
            drawn: Instant::now(),
        });
        let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = |mut sandbox: Sandbox| {
            while !interrupt::requested() && !failing.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(test) = tests.get(index) else { return };
                match self.test(test, &mut sandbox) {
                    Ok(measured) => {
                        let mut shared = lock();
                        shared.add(test.number, measured);
                        if self.manner.progress {
                            shared.draw(index + 1, tests.len());
                        }
                    }
                    Err(failure) => {
                        failing.store(true, Ordering::Relaxed);
                        lock().failure.get_or_insert(failure);
                    }
                }
            }
        };
        thread::scope(|scope| {
            for sandbox in sandboxes {
                scope.spawn(|| worker(sandbox));
            }
        });
        if self.manner.progress {
            report::say_raw("\r\x1b[K");
        }
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        match shared.failure {
            Some(failure) => Err(failure),
            None => Ok(Outcome { stopped: interrupt::requested(), ..shared.outcome }),
        }
    }

    /// What the program sees of the machine.
    fn world(&self) -> SandboxSpec {
        let mut shown = self.shown.clone();
        shown.extend(self.built.preload.clone());
        SandboxSpec {
            program: self.built.program.clone(),
            needs_libraries: true,
            visible: shown,
            layout: SandboxLayout::Standard,
        }
    }

    /// Runs one test.
    fn test(&self, test: &Planned, sandbox: &mut Sandbox) -> Result<Measured> {
        let file = self.run.test_path(&test.name);
        let failed = |error: io::Error| {
            Failure::new(format!("cannot run test '{}': {}", test.name, reason(&error)))
        };
        let unread = |why: String| Ok(Measured::Lost(format!("the test cannot be read: {why}")));
        let input = match ktest::read(&file).map(|test| ProgramInput::from_test(&test)) {
            Ok(Ok(input)) => input,
            Ok(Err(why)) => return unread(why),
            Err(error) => return unread(reason(&error)),
        };
        let kept = [InputFile { name: TEST.into(), bytes: fs::read(&file).map_err(failed)? }];
        let env = self.environment(&input, &sandbox.control_dir());
        let task = SandboxTask {
            args: &input.arguments,
            env: &env,
            stdin: input.stdin.as_deref().unwrap_or_default(),
            files: &input.files,
            control_files: &kept,
            limits: SandboxLimits {
                time: self.manner.time_limit + MARGIN,
                ..SandboxLimits::default()
            },
        };
        let mut lost = String::new();
        for _ in 0..ATTEMPTS {
            let mut counters = Vec::new();
            let mut collect = |left: LeftDirs| {
                counters = self.units.read(&left.control, Path::new(COUNTERS));
                Ok(())
            };
            let ran = sandbox.run(&task, &mut || !interrupt::requested(), &mut collect);
            lost = match ran.map_err(failed)?.ending {
                SandboxEnding::Stopped => return Ok(Measured::Stopped),
                _ if !counters.is_empty() => {
                    return Ok(Measured::Covered(self.map.covered(&counters)));
                }
                SandboxEnding::TimedOut => "it did not end in time (--timeout allows more)".into(),
                SandboxEnding::UsedTooMuch(what) => format!("it used too much {what}"),
                SandboxEnding::Killed(signal) => {
                    format!("signal {signal} ended it, and none were saved")
                }
                SandboxEnding::Exited(code) => format!("it ended with code {code} and saved none"),
            };
        }
        Ok(Measured::Lost(lost))
    }

    fn environment(&self, input: &ProgramInput, kept: &Path) -> Vec<Vec<u8>> {
        let set = |name: &str, value: &[u8]| [name.as_bytes(), b"=", value].concat();
        let bytes = |path: &Path| path.as_os_str().as_encoded_bytes().to_vec();
        let mut own = vec![
            set("GCOV_PREFIX", &bytes(&kept.join(COUNTERS))),
            set("BYWAY_TEST", &bytes(&kept.join(TEST))),
            set("BYWAY_TEST_SKIP", input.consumed_inputs.to_string().as_bytes()),
            set("BYWAY_COVER_SECONDS", self.manner.time_limit.as_secs().to_string().as_bytes()),
        ];
        own.extend(self.built.preload.as_ref().map(|path| set("LD_PRELOAD", &bytes(path))));
        let variables = input.variables.iter();
        let variables = variables.map(|(name, value)| [name, b"=".as_slice(), value].concat());
        let mut env: Vec<Vec<u8>> = Vec::new();
        // Of a name that comes twice, the first counts.
        for entry in own.into_iter().chain(self.env.iter().cloned()).chain(variables) {
            let name = |entry: &[u8]| entry.split(|&byte| byte == b'=').next().map(<[u8]>::to_vec);
            if !env.iter().any(|known| name(known) == name(&entry)) {
                env.push(entry);
            }
        }
        env
    }
}

/// What came of one test.
enum Measured {
    Covered(Covered),
    Lost(String),
    Stopped,
}

struct Shared<'a> {
    outcome: Outcome,
    add: &'a mut (dyn FnMut(u64, Covered) + Send),
    failure: Option<Failure>,
    drawn: Instant,
}

impl Shared<'_> {
    fn add(&mut self, test: u64, measured: Measured) {
        match measured {
            Measured::Covered(covered) => {
                self.outcome.measured += 1;
                (self.add)(test, covered);
            }
            Measured::Lost(why) => {
                let tests = self.outcome.lost.entry(why).or_default();
                tests.push(test);
                tests.sort_unstable();
            }
            Measured::Stopped => {}
        }
    }

    fn draw(&mut self, done: usize, total: usize) {
        if self.drawn.elapsed() >= REDRAW {
            report::say_raw(&format!("\r\x1b[Kmeasuring: {done} of {total}"));
            self.drawn = Instant::now();
        }
    }
}
