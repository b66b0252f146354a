//! What the program itself does with each test: a mutant that does the same survives it.
//!
//! Each test is run twice. What differs then is the machine's doing (the time, addresses,
//! random numbers) and is compared with nobody.

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

/// A mutant may take so many times as long as the program itself, and no less than this.
const PATIENCE: u32 = 10;
const LEAST: Duration = Duration::from_secs(2);

/// A test, and what the program does with it.
pub struct BaselineTest {
    /// Its number.
    pub number: u64,
    /// The test.
    pub test: LoadedTest,
    /// What a mutant has to do to survive it.
    pub expected: ExpectedBehaviour,
    /// How long a mutant may take.
    pub time_limit: Duration,
    /// Whether the program dies of it, by a signal.
    pub died: bool,
}

/// What is known of all tests.
pub struct Baseline {
    /// Those that can tell mutants from the program, by number.
    pub tests: Vec<BaselineTest>,
    /// Those that cannot, by why.
    pub useless: BTreeMap<String, Vec<u64>>,
    /// Those of which something was not the same twice.
    pub unsteady: Vec<u64>,
}

impl Baseline {
    /// Runs the tests on the program.
    pub fn measure(
        run: &RunReader,
        tests: &[RunTest],
        env: &[Vec<u8>],
        places: &SandboxPool<'_>,
        program: &Executable,
        limits: (Duration, Option<Duration>),
        pool: MutantPool,
    ) -> Result<Baseline> {
        let known = pool.run("running the program", tests.len(), |index| {
            let test = &tests[index];
            let Ok(loaded) = LoadedTest::read(&run.test_path(&test.name), env) else {
                return Ok(Err("the test cannot be read"));
            };
            places.with(program, |sandbox| one(test.number, loaded, program, sandbox, limits))
        })?;
        let mut baseline =
            Baseline { tests: Vec::new(), useless: BTreeMap::new(), unsteady: Vec::new() };
        for (test, known) in tests.iter().zip(known) {
            match known {
                None => return Err(Failure::interrupted()),
                Some(Err(why)) => {
                    baseline.useless.entry(why.into()).or_default().push(test.number);
                }
                Some(Ok(known)) => {
                    if known.expected.is_unsteady() {
                        baseline.unsteady.push(test.number);
                    }
                    baseline.tests.push(known);
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
            NativeEnding::TimedOut => return Ok(Err("the program does not end in time")),
            NativeEnding::UsedTooMuch(_) => return Ok(Err("the program uses too much")),
            _ => runs.push(ExpectedBehaviour::of(&native, files)),
        }
        died |= matches!(native.ending, NativeEnding::Killed(_));
    }
    let slower = began.elapsed();
    let time_limit = mutants_limit.unwrap_or((slower * PATIENCE / 2).max(LEAST));
    let expected = match &runs[..] {
        [first, second] => first.agreed(second),
        _ => ExpectedBehaviour::default(),
    };
    Ok(Ok(BaselineTest { number, test, expected, time_limit, died }))
}

/// Runs a test; gives what it showed, and what stands for the files it left.
pub fn execute(
    number: u64,
    test: &LoadedTest,
    time_limit: Duration,
    program: &Executable,
    sandbox: &mut Sandbox,
) -> Result<(NativeRun, Digest)> {
    let mut files = Digest::of(&[]);
    let mut look = |dir: Option<DirHandle>| {
        files = Digest::of(&snapshot::take(dir));
        Ok(())
    };
    let go_on = &mut || !interrupt::requested();
    let ran = program.run_and_inspect(&test.job(time_limit), sandbox, go_on, &mut look);
    let ran = ran.map_err(|error| {
        Failure::new(format!("cannot run test {number:06}: {}", reason(&error)))
    })?;
    match ran.ending {
        NativeEnding::Stopped => Err(Failure::interrupted()),
        _ => Ok((ran, files)),
    }
}

/// What a run showed, as far as it can be relied on.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct ExpectedBehaviour {
    ending: Option<NativeEnding>,
    stdout: Option<Digest>,
    stderr: Option<Digest>,
    files: Option<Digest>,
}

impl ExpectedBehaviour {
    fn of(run: &NativeRun, files: Digest) -> ExpectedBehaviour {
        ExpectedBehaviour {
            ending: Some(run.ending.clone()),
            stdout: Some(Digest::of(&run.stdout)),
            stderr: Some(Digest::of(&run.stderr)),
            files: Some(files),
        }
    }

    /// What two runs have in common.
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

    fn is_unsteady(&self) -> bool {
        self.ending.is_none()
            || self.stdout.is_none()
            || self.stderr.is_none()
            || self.files.is_none()
    }

    /// How a run differs, in words, if it does.
    pub fn difference(&self, run: &NativeRun, files: Digest) -> Option<String> {
        let seen = ExpectedBehaviour::of(run, files);
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

/// How a run ended, in words.
fn describe(ending: &NativeEnding) -> String {
    match ending {
        // The code itself is often what was found in memory, another each time.
        NativeEnding::Exited(_) => "exit code".into(),
        NativeEnding::Killed(signal) => match signal_name(*signal) {
            Some(name) => name.into(),
            None => format!("signal {signal}"),
        },
        NativeEnding::Diverged(_) => "it asks for other inputs".into(),
        NativeEnding::Reported { .. } => "it reports an error".into(),
        _ => "it ends otherwise".into(),
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
    fn what_is_not_the_same_twice_is_compared_with_nobody() {
        let (none, some) = (Digest::of(b""), Digest::of(b"file"));
        let (one, two) = (run(NativeEnding::Exited(0), "1"), run(NativeEnding::Exited(0), "2"));
        let first = ExpectedBehaviour::of(&one, none);
        let steady = first.agreed(&first);
        assert!(!steady.is_unsteady());
        assert_eq!(steady.difference(&one, none), None);
        assert_eq!(steady.difference(&one, some).as_deref(), Some("files"));
        assert_eq!(steady.difference(&two, none).as_deref(), Some("standard output"));
        let unsteady = first.agreed(&ExpectedBehaviour::of(&two, none));
        assert!(unsteady.is_unsteady());
        assert_eq!(unsteady.difference(&run(NativeEnding::Exited(0), "3"), none), None);
        let killed = run(NativeEnding::Killed(libc::SIGSEGV), "3");
        assert_eq!(unsteady.difference(&killed, none).as_deref(), Some("SIGSEGV"));
        assert!(unsteady.difference(&run(NativeEnding::TimedOut, "3"), none).is_some());
    }
}
