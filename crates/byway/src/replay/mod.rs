//! `byway replay`: every test of a run on the program compiled for this machine, each
//! compared with how the engine said it would end.
//!
//! ```text
//! rundir ──plan──▶ tests and predictions ──pool──▶ native runs ──verdict──▶ table
//! ```
//!
//! A test agrees, diverges, or cannot be compared, because a native run does not show
//! such a fault; it is never taken to agree for want of evidence.

pub(crate) mod place;
pub(crate) mod plan;
mod pool;
mod table;
mod verdict;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use byway_testcase::native::{BuildError, Executable};
use byway_testcase::sandbox::Sandbox;

use crate::commands::print;
use crate::exit;
use crate::failure::{Failure, Result};
use crate::interrupt;
use crate::report::{self, Style};
use crate::rundir::Run;
use crate::tempdir::TempDir;
use table::Table;

/// What `byway replay` works with.
pub struct ReplayConfig {
    /// The run's directory.
    pub run: PathBuf,
    /// The numbers of the tests to run; all if `None`.
    pub tests: Option<Vec<u64>>,
    /// How many tests run at once.
    pub jobs: usize,
    /// How long one test may take.
    pub time_limit: Duration,
    /// Whether tests are kept from doing harm.
    pub sandboxed: bool,
    /// How long compiling a file may take.
    pub compile_limit: Duration,
    /// The clang to call; the one the run used if `None`.
    pub clang: Option<OsString>,
    /// Whether the table shows colours.
    pub color: bool,
    /// Whether someone is watching standard error.
    pub progress: bool,
}

/// `byway replay`: exit code 0 if no test diverges, 1 if some do.
pub fn replay(config: &ReplayConfig) -> Result<u8> {
    let run = Run::open(&config.run)?;
    let tests = plan::tests(&run, config.tests.as_deref())?;
    for warning in plan::changes(run.manifest()) {
        let style = Style::new(config.color);
        report::say(&format!("{}: {warning}", style.warning("byway: warning")));
    }
    let recipe = plan::recipe(run.manifest(), config.clang.clone(), config.compile_limit)?;
    let scratch = TempDir::new().map_err(|error| {
        Failure::io("make a directory in", &std::env::temp_dir(), &error)
            .hint("TMPDIR names the place for temporary files")
    })?;
    let built = Executable::build(&recipe, scratch.path(), &mut || !interrupt::requested());
    let executable = built.map_err(|error| match error {
        BuildError::Stopped => Failure::interrupted(),
        BuildError::Failed(message, words) => Failure::new(message).detail(words),
    })?;
    let env = plan::environment(run.manifest());
    let world = executable.world(&plan::shown(run.manifest()));
    let jobs = config.jobs.min(tests.len());
    let sandboxes = place::sandboxes(&world, config.sandboxed, jobs)?;
    let containment = sandboxes.first().map(Sandbox::containment);
    let crew = pool::Crew { config, run: &run, executable: &executable, env: &env, sandboxes };
    let results = crew.work(&tests)?;
    let table = Table::new(&tests, &results, containment);
    print(&table.render(&config.run, Style::new(config.color)))?;
    Ok(match (table.is_complete(), table.diverges()) {
        (false, _) => exit::INTERRUPTED,
        (true, true) => exit::FAULT,
        (true, false) => exit::SUCCESS,
    })
}
