//! The behaviour of the unmutated program on each test: a mutant that behaves the same survives.
//!
//! Each test runs twice. Behaviour that differs is not deterministic (time, addresses, random
//! numbers) and is not compared.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use byway_native::dir_handle::DirHandle;
use byway_native::sandbox::Sandbox;
use byway_native::snapshot;
use byway_native::{Executable, NativeEnding, NativeRun};
use byway_rundir::RunReader;

use crate::cmd::mutate::pool::MutantPool;
use crate::cmd::mutate::sandbox_pool::SandboxPool;
use crate::failure::{Failure, Result, reason};
use crate::hash::Digest;
use crate::interrupt;
use crate::native_run::{LoadedTest, RunTest};
use crate::process::signal_name;

/// The time limit of a mutant: a multiple of the program's time, and a minimum.
const TIME_FACTOR: u32 = 10;
const MIN_TIME: Duration = Duration::from_secs(2);

/// A test, and the behaviour of the program on it.
pub struct BaselineTest {
    pub number: u64,
    pub test: LoadedTest,
    /// The behaviour with which a mutant survives.
    pub expected: ExpectedBehaviour,
    /// The time limit of a mutant.
    pub time_limit: Duration,
    /// A signal kills the program.
    pub died: bool,
}

/// The behaviour of the program on all tests.
pub struct Baseline {
    /// Tests that can distinguish mutants, by number.
    pub tests: Vec<BaselineTest>,
    /// Tests that cannot be used, by reason.
    pub unusable: BTreeMap<String, Vec<u64>>,
    /// Tests with non-deterministic behaviour.
    pub unstable: Vec<u64>,
}

impl Baseline {
    /// Runs the tests on the program.
    pub fn measure(
        run: &RunReader,
        tests: &[RunTest],
        env: &[Vec<u8>],
        sandboxes: &SandboxPool<'_>,
        program: &Executable,
        limits: (Duration, Option<Duration>),
        pool: MutantPool,
    ) -> Result<Baseline> {
        let results = pool.run("running the program", tests.len(), |index| {
            let test = &tests[index];
            let Ok(loaded) = LoadedTest::read(run, &test.name, env) else {
                return Ok(Err("the test cannot be read"));
            };
            sandboxes.with(program, |sandbox| one(test.number, loaded, program, sandbox, limits))
        })?;
        let mut baseline =
            Baseline { tests: Vec::new(), unusable: BTreeMap::new(), unstable: Vec::new() };
        for (test, result) in tests.iter().zip(results) {
            match result {
                None => return Err(Failure::interrupted()),
                Some(Err(why)) => {
                    baseline.unusable.entry(why.into()).or_default().push(test.number);
                }
                Some(Ok(test)) => {
                    if test.expected.is_unstable() {
                        baseline.unstable.push(test.number);
                    }
                    baseline.tests.push(test);
                }
            }
        }
        Ok(baseline)
    }
}

fn one(
    number: u64,
    test: LoadedTest,
    program: &Executable,
    sandbox: &mut Sandbox,
    (limit, mutants_limit): (Duration, Option<Duration>),
) -> Result<std::result::Result<BaselineTest, &'static str>> {
    let began = Instant::now();
    let mut runs = Vec::new();
    let mut died = false;
    for _ in 0..2 {
        let (native, files) = execute(number, &test, limit, program, sandbox)?;
        match native.ending {
            NativeEnding::TimedOut => return Ok(Err("the program exceeds the time limit")),
            NativeEnding::UsedTooMuch(_) => return Ok(Err("the program exceeds a resource limit")),
            _ => runs.push(ExpectedBehaviour::new(&native, files)),
        }
        died |= matches!(native.ending, NativeEnding::Killed(_));
    }
    let elapsed = began.elapsed();
    let time_limit = mutants_limit.unwrap_or((elapsed * TIME_FACTOR / 2).max(MIN_TIME));
    let expected = match &runs[..] {
        [first, second] => first.agreed(second),
        _ => ExpectedBehaviour::default(),
    };
    Ok(Ok(BaselineTest { number, test, expected, time_limit, died }))
}

/// Runs a test; returns its result and a digest of the files it left.
pub fn execute(
    number: u64,
    test: &LoadedTest,
    time_limit: Duration,
    program: &Executable,
    sandbox: &mut Sandbox,
) -> Result<(NativeRun, Digest)> {
    let mut files = Digest::of(&[]);
    let mut inspect = |dir: Option<DirHandle>| {
        files = Digest::of(&snapshot::take(dir));
        Ok(())
    };
    let go_on = &mut || !interrupt::requested();
    let ran = program.run_and_inspect(&test.job(time_limit), sandbox, go_on, &mut inspect);
    let ran = ran.map_err(|error| {
        Failure::new(format!("cannot run test {number:06}: {}", reason(&error)))
    })?;
    match ran.ending {
        NativeEnding::Stopped => Err(Failure::interrupted()),
        _ => Ok((ran, files)),
    }
}

/// The behaviour of a run; `None` for parts that are not deterministic.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct ExpectedBehaviour {
    ending: Option<NativeEnding>,
    stdout: Option<Digest>,
    stderr: Option<Digest>,
    files: Option<Digest>,
}

impl ExpectedBehaviour {
    fn new(run: &NativeRun, files: Digest) -> ExpectedBehaviour {
        ExpectedBehaviour {
            ending: Some(run.ending.clone()),
            stdout: Some(Digest::of(&run.stdout)),
            stderr: Some(Digest::of(&run.stderr)),
            files: Some(files),
        }
    }

    /// The parts in which two runs agree.
    fn agreed(&self, other: &ExpectedBehaviour) -> ExpectedBehaviour {
        fn both<T: PartialEq + Clone>(one: &Option<T>, two: &Option<T>) -> Option<T> {
            one.clone().filter(|_| one == two)
        }
        ExpectedBehaviour {
            ending: both(&self.ending, &other.ending),
            stdout: both(&self.stdout, &other.stdout),
            stderr: both(&self.stderr, &other.stderr),
            files: both(&self.files, &other.files),
        }
    }

    fn is_unstable(&self) -> bool {
        self.ending.is_none()
            || self.stdout.is_none()
            || self.stderr.is_none()
            || self.files.is_none()
    }

    /// A description of how a run differs, if it does.
    pub fn difference(&self, run: &NativeRun, files: Digest) -> Option<String> {
        let seen = ExpectedBehaviour::new(run, files);
        let differs = |one: Option<Digest>, two| one.is_some() && one != two;
        match &run.ending {
            NativeEnding::TimedOut => Some("it does not end in time".into()),
            NativeEnding::UsedTooMuch(what) => Some(format!("it uses too much {what}")),
            ending if self.ending.as_ref().is_some_and(|expected| expected != ending) => {
                Some(describe(ending))
            }
            _ if differs(self.stdout, seen.stdout) => Some("standard output".into()),
            _ if differs(self.stderr, seen.stderr) => Some("standard error".into()),
            _ if differs(self.files, seen.files) => Some("files".into()),
            _ => None,
        }
    }
}

/// A description of an ending.
fn describe(ending: &NativeEnding) -> String {
    match ending {
        // The code itself is often an uninitialised value that varies.
        NativeEnding::Exited(_) => "exit code".into(),
        NativeEnding::Killed(signal) => match signal_name(*signal) {
            Some(name) => name.into(),
            None => format!("signal {signal}"),
        },
        NativeEnding::Diverged(_) => "it asks for other inputs".into(),
        NativeEnding::Reported { .. } => "it reports an error".into(),
        _ => "it ends differently".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(ending: NativeEnding, stdout: &str) -> NativeRun {
        NativeRun {
            ending,
            assertion: None,
            remarks: Vec::new(),
            unread_inputs: 0,
            stdout: stdout.into(),
            stderr: Vec::new(),
        }
    }

    #[test]
    fn non_deterministic_behaviour_is_not_compared() {
        let (none, some) = (Digest::of(b""), Digest::of(b"file"));
        let (one, two) = (run(NativeEnding::Exited(0), "1"), run(NativeEnding::Exited(0), "2"));
        let first = ExpectedBehaviour::new(&one, none);
        let stable = first.agreed(&first);
        assert!(!stable.is_unstable());
        assert_eq!(stable.difference(&one, none), None);
        assert_eq!(stable.difference(&one, some).as_deref(), Some("files"));
        assert_eq!(stable.difference(&two, none).as_deref(), Some("standard output"));
        let unstable = first.agreed(&ExpectedBehaviour::new(&two, none));
        assert!(unstable.is_unstable());
        assert_eq!(unstable.difference(&run(NativeEnding::Exited(0), "3"), none), None);
        let killed = run(NativeEnding::Killed(libc::SIGSEGV), "3");
        assert_eq!(unstable.difference(&killed, none).as_deref(), Some("SIGSEGV"));
        assert!(unstable.difference(&run(NativeEnding::TimedOut, "3"), none).is_some());
    }
}
