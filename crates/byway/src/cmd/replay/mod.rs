//! `byway replay`: runs every test of a run on the program compiled for this machine, and
//! compares each with the outcome that the run recorded.
//!
//! ```text
//! run directory ──▶ tests, recorded outcomes ──[`runner`]──▶ native runs ──[`verdict`]──▶ [`table`]
//! ```
//!
//! Each test runs on two programs, in sandboxes. One is built with sanitizers, which report
//! faults with their lines, or is the user's own executable. The other is linked with the C
//! library of the exploration; there exit codes and output are compared exactly. A test that
//! predicts a use of uninitialised memory runs on a build with MemorySanitizer instead.
//!
//! A test agrees, diverges, or is not comparable because a native run cannot show its fault.
//! Lack of evidence never counts as agreement.

mod config;
mod exact;
mod flags;
mod harnesses;
mod listing;
mod runner;
mod sandboxes;
mod table;
mod verdict;

use std::path::Path;

use byway_native::{BuildError, BuildSpec, Executable};
use byway_rundir::RunReader;
use byway_testcase::atomic;

pub use config::ReplayConfig;
pub use flags::{EXAMPLES, ReplayFlags};

use crate::console::{Style, print, say};
use crate::exit;
use crate::failure::{Failure, Result, reason};
use crate::interrupt;
use crate::native_run::{self, RunTest};
use crate::rerun;
use exact::ExactComparison;
use runner::TestRunner;
use table::{ReplaySetup, ReplayTable};
pub use verdict::Verdict;
use verdict::{Expected, SanitizerCoverage};

/// Tests and their verdicts.
pub struct ReplayedTests {
    pub tests: Vec<RunTest>,
    /// `None` for a test that did not run before an interrupt.
    pub results: Vec<Option<Verdict>>,
    setup: ReplaySetup,
}

/// `byway replay`: exit code 0 if no test diverges, 1 if some do.
pub fn replay(config: &ReplayConfig) -> Result<u8> {
    let verdicts = config.verdicts.as_deref().map(std::path::absolute).transpose();
    let verdicts = verdicts.map_err(|e| Failure::new(format!("--verdicts: {}", reason(&e))))?;
    if let Some(path) = &verdicts {
        atomic::check(path).map_err(|error| Failure::io("write", path, &error))?;
    }
    let ReplayedTests { tests, results, setup } = replay_tests(config)?;
    let table = ReplayTable::new(&tests, &results, setup);
    print(&table.render(&config.run, Style::new(config.color)))?;
    if let Some(path) = verdicts {
        atomic::write(&path, listing::lines(&tests, &results).as_bytes())
            .map_err(|error| Failure::io("write", &path, &error))?;
    }
    Ok(match (table.is_complete(), table.diverges()) {
        (false, _) => exit::INTERRUPTED,
        (true, true) => exit::FAULT,
        (true, false) => exit::SUCCESS,
    })
}

/// Builds the program and runs the tests. Enters the directory of the run.
pub fn replay_tests(config: &ReplayConfig) -> Result<ReplayedTests> {
    let run = RunReader::open(&config.run)?;
    let tests = native_run::select_tests(&run, config.tests.as_deref())?;
    for warning in native_run::changed_files(run.manifest()) {
        let style = Style::new(config.color);
        say(&format!("{}: {warning}", style.warning("byway: warning")));
    }
    let spec = native_run::build_spec(run.manifest(), config.clang.clone(), config.compile_limit)?;
    let binary = config.binary.as_deref().map(native_run::executable_path).transpose()?;
    let scratch = native_run::scratch_dir()?;
    // From here on, relative paths refer to the directory of the run.
    let run = RunReader::open(&native_run::absolute(&config.run)?)?;
    rerun::enter_directory(run.manifest())?;
    let starts_in_main = run.manifest().config.entry.is_none();
    let spec = match starts_in_main {
        true => spec,
        false => harnesses::spec(spec, &run, &tests, scratch.path())?,
    };
    let (program, also_on) = match binary {
        Some(path) => (Executable::prebuilt(path.clone()), format!("on '{}'", path.display())),
        None => (build_sanitised(&spec, scratch.path())?, SANITISED.into()),
    };
    let exact_dir = scratch.path().join("exact");
    let comparison = match starts_in_main {
        true => ExactComparison::prepare(config, run.manifest(), &spec, &exact_dir)?,
        false => ExactComparison::Impossible("the tests call a function, by harnesses".into()),
    };
    let exact = comparison.program();
    let memory = memory_program(config, &tests, &spec, &scratch.path().join("memory"))?;
    let sandboxes = sandboxes::create(
        exact.map(|exact| &exact.executable),
        &program,
        memory.as_ref().ok(),
        &native_run::visible_paths(run.manifest()),
        config.sandboxed,
        config.jobs.min(tests.len()),
    )?;
    let setup = ReplaySetup {
        containment: sandboxes.first().map(|one| one.other.containment()),
        exact: comparison.describe(),
        also_on,
        time_limit: config.time_limit,
    };
    let env = native_run::environment(run.manifest());
    let memory = memory.as_ref().map_err(String::as_str);
    let runner = TestRunner { config, run: &run, exact, program: &program, memory, env: &env };
    let results = runner.run_all(&tests, sandboxes)?;
    Ok(ReplayedTests { tests, results, setup })
}

const SANITISED: &str = "with sanitizers and this machine's C library";

/// The task that an interrupt before the first test stops.
const BUILDING: &str = "building the program for replay";

/// The program with MemorySanitizer, or why there is none.
fn memory_program(
    config: &ReplayConfig,
    tests: &[RunTest],
    spec: &BuildSpec,
    dir: &Path,
) -> Result<std::result::Result<Executable, String>> {
    let coverage = SanitizerCoverage { addresses: false, behaviour: false };
    if config.binary.is_some() {
        return Ok(Err("only a build with MemorySanitizer shows it, not your executable".into()));
    }
    if !tests.iter().any(|test| Expected::new(test, coverage).is_uninitialised()) {
        return Ok(Err("no test predicts such a fault".into()));
    }
    std::fs::create_dir(dir).map_err(|error| Failure::io("make", dir, &error))?;
    match Executable::build_for_memory(spec, dir, &mut || !interrupt::requested()) {
        Ok(program) => Ok(Ok(program)),
        Err(BuildError::Stopped) => Err(Failure::interrupted_while(BUILDING)),
        Err(why) => Ok(Err(why.to_string())),
    }
}

fn build_sanitised(spec: &BuildSpec, dir: &Path) -> Result<Executable> {
    let built = Executable::build(spec, dir, &mut || !interrupt::requested());
    built.map_err(|error| native_run::build_failure(error, BUILDING))
}
