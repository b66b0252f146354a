//! `byway replay`: every test of a run on the program compiled for this machine, each
//! compared with how the engine said it would end.
//!
//! ```text
//! rundir ──plan──▶ tests and predictions ──pool──▶ native runs ──verdict──▶ table
//! ```
//!
//! Each test runs on two programs, in sandboxes. One is watched by sanitizers, which show
//! faults and their lines, or is the user's own. On the other, which has the C library of
//! the exploration, exit codes and output are compared exactly.
//!
//! A test agrees, diverges, or cannot be compared, because a native run does not show
//! such a fault; it is never taken to agree for want of evidence.

mod config;
mod exact;
mod flags;
mod listing;
pub mod place;
pub mod plan;
mod pool;
mod table;
mod verdict;

use std::path::Path;

use byway_native::{BuildError, BuildSpec, Executable};
use byway_rundir::RunReader;
use byway_testcase::atomic;

pub use config::ReplayConfig;
pub use flags::{EXAMPLES, ReplayFlags};

use crate::exit;
use crate::failure::{Failure, Result, reason};
use crate::interrupt;
use crate::report::print;
use crate::report::{self, Style};
use crate::rerun;
use exact::Exactness;
use table::{Means, Table};
use tempfile::TempDir;

/// `byway replay`: exit code 0 if no test diverges, 1 if some do.
pub fn replay(config: &ReplayConfig) -> Result<u8> {
    let run = RunReader::open(&config.run)?;
    let tests = plan::tests(&run, config.tests.as_deref())?;
    for warning in plan::changes(run.manifest()) {
        let style = Style::new(config.color);
        report::say(&format!("{}: {warning}", style.warning("byway: warning")));
    }
    let verdicts = config.verdicts.as_deref().map(std::path::absolute).transpose();
    let verdicts = verdicts.map_err(|e| Failure::new(format!("--verdicts: {}", reason(&e))))?;
    if let Some(path) = &verdicts {
        atomic::check(path).map_err(|error| Failure::io("write", path, &error))?;
    }
    let recipe = plan::recipe(run.manifest(), config.clang.clone(), config.compile_limit)?;
    let binary = config.binary.as_deref().map(plan::binary).transpose()?;
    let scratch = TempDir::with_prefix("byway-").map_err(|error| {
        Failure::io("make a directory in", &std::env::temp_dir(), &error)
            .hint("TMPDIR names the place for temporary files")
    })?;
    // From here on, names mean what they meant in the run.
    let run = RunReader::open(&plan::absolute(&config.run)?)?;
    rerun::enter_directory(run.manifest())?;
    let (other, elsewhere) = match binary {
        Some(path) => (Executable::prebuilt(path.clone()), format!("on '{}'", path.display())),
        None => (sanitised(&recipe, scratch.path())?, SANITISED.into()),
    };
    let exactness =
        Exactness::prepare(config, run.manifest(), &recipe, &scratch.path().join("exact"))?;
    let exact = exactness.exact();
    let places = place::places(
        exact.map(|exact| &exact.executable),
        &other,
        &plan::shown(run.manifest()),
        config.sandboxed,
        config.jobs.min(tests.len()),
    )?;
    let means = Means {
        containment: places.first().map(|place| place.other.containment()),
        exact: exactness.describe(),
        elsewhere,
    };
    let env = plan::environment(run.manifest());
    let crew = pool::Crew { config, run: &run, exact, other: &other, env: &env };
    let results = crew.work(&tests, places)?;
    let table = Table::new(&tests, &results, means);
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

const SANITISED: &str = "with sanitizers and this machine's C library";

/// What is done before tests run, as told to who interrupts it.
const BUILDING: &str = "building the program for replay";

fn sanitised(recipe: &BuildSpec, dir: &Path) -> Result<Executable> {
    let built = Executable::build(recipe, dir, &mut || !interrupt::requested());
    built.map_err(|error| match error {
        BuildError::Stopped => Failure::interrupted_while(BUILDING),
        other => Failure::new(other.to_string()).detail(other.tool_output()),
    })
}
