//! Runs the tests, several at once, and compares each with its prediction.

use std::io;

use byway_native::sandbox::{Sandbox, SandboxLayout};
use byway_native::{Executable, NativeEnding, NativeRun};
use byway_progress::{JobEvent, JobProgress, run_jobs};
use byway_rundir::RunReader;

use super::ReplayConfig;
use super::exact::{self, ExactProgram};
use super::harnesses;
use super::sandboxes::TestSandboxes;
use super::verdict::{self, Expected, SanitizerCoverage, Verdict};
use crate::failure::{Failure, Result, reason};
use crate::interrupt;
use crate::native_run::{LoadedTest, RunTest};
use crate::rerun::{RerunConditions, Rerunner};

/// Runs tests on the exact program and on the one with sanitizers.
pub struct TestRunner<'a> {
    pub config: &'a ReplayConfig,
    pub run: &'a RunReader,
    /// The program for the exact comparison, if it could be built.
    pub exact: Option<&'a ExactProgram>,
    /// The program with sanitizers, or the user's executable.
    pub program: &'a Executable,
    /// The program with MemorySanitizer, or why there is none; built if a test needs it.
    pub memory: std::result::Result<&'a Executable, &'a str>,
    pub env: &'a [Vec<u8>],
}

impl TestRunner<'_> {
    /// Runs the tests on one thread per element of `sandboxes`. The verdict of a test that did
    /// not run before an interrupt is `None`.
    pub fn run_all(
        &self,
        tests: &[RunTest],
        sandboxes: Vec<TestSandboxes>,
    ) -> Result<Vec<Option<Verdict>>> {
        let start = |mut sandboxes: TestSandboxes| {
            let engine = self.exact.and_then(ExactProgram::engine);
            move |index: usize| self.run_test(&tests[index], &mut sandboxes, engine.as_ref())
        };
        let mut verdicts: Vec<Option<Verdict>> = tests.iter().map(|_| None).collect();
        let mut diverged = 0;
        let mut progress = JobProgress::new(self.config.progress, "replaying", tests.len());
        run_jobs(sandboxes, tests.len(), &interrupt::requested, start, |event| {
            if let JobEvent::Finished(index, verdict) = event {
                diverged += usize::from(matches!(verdict, Some(Verdict::Diverges { .. })));
                verdicts[index] = verdict;
                progress.finished(|| format!("{diverged} diverge"));
            }
        })?;
        Ok(verdicts)
    }

    /// Runs one test; `None` if the user interrupted it.
    fn run_test(
        &self,
        test: &RunTest,
        sandboxes: &mut TestSandboxes,
        engine: Option<&Rerunner<'_>>,
    ) -> Result<Option<Verdict>> {
        let coverage = SanitizerCoverage {
            addresses: self.program.is_sanitised(),
            behaviour: self.program.has_checks(),
        };
        let expected = Expected::new(test, coverage);
        let starts_in_main = self.run.manifest().config.entry.is_none();
        let loaded = match LoadedTest::read(self.run, &test.name, self.env) {
            Ok(loaded) if starts_in_main => loaded,
            Ok(loaded) => harnesses::call(loaded, test.number),
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
        if expected.is_uninitialised() {
            let (Ok(program), Some(sandbox)) = (self.memory, &mut sandboxes.memory) else {
                let why = self.memory.err().unwrap_or_default();
                return Ok(Some(expected.not_comparable(why)));
            };
            let native = run(program, sandbox)?;
            let stopped = native.ending == NativeEnding::Stopped;
            let verdict = verdict::compare(&expected, &native).excused_by(&loaded.input);
            return Ok((!stopped).then_some(verdict));
        }
        let native = run(self.program, &mut sandboxes.other)?;
        if native.ending == NativeEnding::Stopped {
            return Ok(None);
        }
        let mut verdict = verdict::compare(&expected, &native);
        if let (Some(exact), Some((standard, varied)), true) =
            (self.exact, &mut sandboxes.exact, expected.is_exit())
        {
            let mut run = |layout| match layout {
                SandboxLayout::Standard => run(&exact.executable, standard),
                SandboxLayout::Varied => run(&exact.executable, varied),
            };
            let limit = test.instruction_limit();
            let Some(exact) = exact::compare(engine, &expected, &loaded.inputs, limit, &mut run)?
            else {
                return Ok(None);
            };
            verdict = verdict::combine(exact, verdict, &native.ending);
        }
        let mut verdict = verdict.excused_by(&loaded.input).excused_by_unset_memory(&loaded.inputs);
        if let (true, Some(engine)) = (verdict.differs(), engine) {
            let limit = test.instruction_limit();
            let rerun = engine.run(&loaded.inputs, RerunConditions::Same, limit)?;
            verdict = verdict.excused_by_model(&rerun.not_modelled);
        }
        Ok(Some(verdict))
    }
}
