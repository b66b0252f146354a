//! Runs tests on the instrumented program, each in a sandbox, several at once.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_native::sandbox::{
    LeftDirs, Sandbox, SandboxEnding, SandboxLayout, SandboxLimits, SandboxSpec, SandboxTask,
};
use byway_progress::{JobEvent, JobProgress, ProgressMode, run_jobs};
use byway_rundir::RunReader;
use byway_testcase::ktest;
use byway_testcase::symbolic::{InputFile, ProgramInput};

use crate::failure::{Failure, Result, reason};
use crate::interrupt;
use crate::native_coverage::build::InstrumentedProgram;
use crate::native_coverage::gcov::{CoverageMap, Covered};
use crate::native_coverage::units::CompilationUnits;
use crate::native_run::{self, RunTest};

/// The test in the control directory.
const TEST: &str = "test.ktest";
/// The directory of counters in the control directory.
const COUNTERS: &str = "counters";
/// How often a test without counters is run: the machine may have been the cause.
const ATTEMPTS: usize = 2;
/// The time before the kill at which the program is asked to save its counters.
const MARGIN: Duration = Duration::from_secs(1);

/// Runs tests on an instrumented program and decodes its counters.
pub struct CoverageRunner<'a> {
    run: &'a RunReader,
    built: &'a InstrumentedProgram,
    units: &'a CompilationUnits,
    map: &'a CoverageMap,
    env: Vec<Vec<u8>>,
    /// Paths of the machine that the program may read.
    visible: Vec<PathBuf>,
    options: CoverageRunOptions,
}

/// How tests are run for coverage.
pub struct CoverageRunOptions {
    /// The number of tests that run at once.
    pub jobs: usize,
    /// The time limit of one test.
    pub time_limit: Duration,
    /// Tests run in namespaces.
    pub sandboxed: bool,
    pub progress: ProgressMode,
}

/// A summary of all tests.
pub struct CoverageRuns {
    /// The number of tests that left counters.
    pub measured: u64,
    /// Tests without counters, by reason.
    pub unmeasured: BTreeMap<String, Vec<u64>>,
    /// The user interrupted the measurement.
    pub interrupted: bool,
}

impl<'a> CoverageRunner<'a> {
    /// Prepares to run tests of `run` on the instrumented build.
    pub fn new(
        run: &'a RunReader,
        built: &'a InstrumentedProgram,
        units: &'a CompilationUnits,
        map: &'a CoverageMap,
        options: CoverageRunOptions,
    ) -> Self {
        let env = native_run::environment(run.manifest());
        let visible = native_run::visible_paths(run.manifest());
        CoverageRunner { run, built, units, map, env, visible, options }
    }

    /// Runs the tests. `add` receives the coverage of each test, in any order.
    pub fn run_all(
        &self,
        tests: &[RunTest],
        add: &mut dyn FnMut(u64, Covered),
    ) -> Result<CoverageRuns> {
        let threads = self.options.jobs.min(tests.len());
        let sandboxes =
            native_run::sandboxes(&self.sandbox_spec(), self.options.sandboxed, threads)?;
        let mut unmeasured = BTreeMap::<String, Vec<u64>>::new();
        let mut measured = 0;
        let mut progress = JobProgress::new(self.options.progress, "measuring", tests.len());
        let start =
            |mut sandbox: Sandbox| move |index: usize| self.run_test(&tests[index], &mut sandbox);
        run_jobs(sandboxes, tests.len(), &interrupt::requested, start, |event| {
            let JobEvent::Finished(index, result) = event else { return };
            let test = tests[index].number;
            match result {
                TestCoverage::Covered(covered) => {
                    measured += 1;
                    add(test, covered);
                }
                TestCoverage::Unmeasured(why) => unmeasured.entry(why).or_default().push(test),
                TestCoverage::Interrupted => {}
            }
            progress.finished(String::new);
        })?;
        unmeasured.values_mut().for_each(|tests| tests.sort_unstable());
        Ok(CoverageRuns { measured, unmeasured, interrupted: interrupt::requested() })
    }

    /// The sandbox of the instrumented program.
    fn sandbox_spec(&self) -> SandboxSpec {
        let mut visible = self.visible.clone();
        visible.extend(self.built.preload.clone());
        SandboxSpec {
            program: self.built.program.clone(),
            needs_libraries: true,
            visible,
            layout: SandboxLayout::Standard,
        }
    }

    fn run_test(&self, test: &RunTest, sandbox: &mut Sandbox) -> Result<TestCoverage> {
        let failed = |error: io::Error| {
            Failure::new(format!("cannot run test '{}': {}", test.name, reason(&error)))
        };
        let unread =
            |why: String| Ok(TestCoverage::Unmeasured(format!("the test cannot be read: {why}")));
        let bytes = match self.run.read_test(&test.name) {
            Ok(bytes) => bytes,
            Err(error) => return unread(reason(&error)),
        };
        let input = match ktest::decode(&bytes).map(|test| ProgramInput::from_test(&test)) {
            Ok(Ok(input)) => input,
            Ok(Err(why)) => return unread(why),
            Err(error) => return unread(error.to_string()),
        };
        let control_files = [InputFile { name: TEST.into(), bytes }];
        let env = self.environment(&input, &sandbox.control_dir());
        let task = SandboxTask {
            args: &input.arguments,
            env: &env,
            stdin: input.stdin.as_deref().unwrap_or_default(),
            files: &input.files,
            control_files: &control_files,
            shared: None,
            limits: SandboxLimits {
                time: self.options.time_limit + MARGIN,
                ..SandboxLimits::default()
            },
        };
        let mut why = String::new();
        for _ in 0..ATTEMPTS {
            let mut counters = Vec::new();
            let mut collect = |left: LeftDirs| {
                counters = self.units.read(&left.control, Path::new(COUNTERS));
                Ok(())
            };
            let ran = sandbox.run(&task, &mut || !interrupt::requested(), &mut collect);
            why = match ran.map_err(failed)?.ending {
                SandboxEnding::Stopped => return Ok(TestCoverage::Interrupted),
                _ if !counters.is_empty() => {
                    return Ok(TestCoverage::Covered(self.map.covered(&counters)));
                }
                SandboxEnding::TimedOut => {
                    "it exceeded the time limit (--timeout allows more)".into()
                }
                SandboxEnding::UsedTooMuch(what) => format!("it used too much {what}"),
                SandboxEnding::Killed(signal) => {
                    format!("signal {signal} killed it before it saved any")
                }
                SandboxEnding::Exited(code) => format!("it exited with code {code} and saved none"),
            };
        }
        Ok(TestCoverage::Unmeasured(why))
    }

    fn environment(&self, input: &ProgramInput, control_dir: &Path) -> Vec<Vec<u8>> {
        let set = |name: &str, value: &[u8]| [name.as_bytes(), b"=", value].concat();
        let bytes = |path: &Path| path.as_os_str().as_encoded_bytes().to_vec();
        let mut own = vec![
            set("GCOV_PREFIX", &bytes(&control_dir.join(COUNTERS))),
            set("BYWAY_TEST", &bytes(&control_dir.join(TEST))),
            set("BYWAY_TEST_SKIP", input.consumed_inputs.to_string().as_bytes()),
            set("BYWAY_COVER_SECONDS", self.options.time_limit.as_secs().to_string().as_bytes()),
        ];
        own.extend(self.built.preload.as_ref().map(|path| set("LD_PRELOAD", &bytes(path))));
        let variables = input.variables.iter();
        let variables = variables.map(|(name, value)| [name, b"=".as_slice(), value].concat());
        let mut env: Vec<Vec<u8>> = Vec::new();
        // The first entry of a repeated name counts.
        for entry in own.into_iter().chain(self.env.iter().cloned()).chain(variables) {
            let name = |entry: &[u8]| entry.split(|&byte| byte == b'=').next().map(<[u8]>::to_vec);
            if !env.iter().any(|known| name(known) == name(&entry)) {
                env.push(entry);
            }
        }
        env
    }
}

/// The result of one test.
enum TestCoverage {
    Covered(Covered),
    /// The test left no counters, for this reason.
    Unmeasured(String),
    Interrupted,
}
