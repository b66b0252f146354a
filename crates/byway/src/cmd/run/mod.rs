//! `byway run`: explores a program and writes down what it finds, as it finds it.
//!
//! ```text
//! explore ──→ Watch ──┬─→ rundir::RunWriter   tests, paths, faults, statistics
//!  (the engine)       ├─→ Live             the line that shows how far it is
//!                     └─→ standard error   faults when first found, the summary
//! ```
//!
//! The engine looks at no clock and does no I/O; both happen in here, and nothing of
//! it influences what is explored, except that a run can be stopped.

mod config;
mod faults;
mod flags;
pub mod live;
mod manifest;
mod manner;
mod messages;
mod process_memory;
pub mod records;
#[cfg(test)]
mod tests;
mod watch;

use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use byway_engine::WorkerPool;
use byway_rundir::{ClockStart, RunDirectory, RunWriter, SCHEMA};
use byway_solver::{QueryError, SolverOptions};

use crate::console::{self, Style};
use crate::failure::{Failure, Result};
use crate::host::files::ShownFiles;
use crate::host::snapshot::Snapshot;
use crate::interrupt;
use crate::load;
use crate::report;
pub use config::{RunConfig, TestPolicy};
pub use flags::{EXIT_CODES, RunFlags, examples};
use watch::{Troubles, Watch};

/// Explores a program; the exit code says whether faults were found.
pub fn run(config: &RunConfig) -> Result<u8> {
    let searcher = byway_search::build(&config.search).map_err(|error| {
        Failure::new(error.to_string()).hint("'byway help run' lists the searchers")
    })?;
    manner::check(config, searcher.requirements())?;
    let files = Mutex::new(Snapshot::new(ShownFiles::new(&config.host_files)?));
    if let Some(corpus) = &config.seeds {
        console::say_raw(&report::render_refused(&corpus.refused, Style::new(config.load.color)));
    }
    let loaded = load::load_to_run(&config.load)?;
    let manifest = manifest::describe(config, &loaded)?;
    let program = config.load.program.first().map_or(Path::new(""), |path| path.as_path());
    let directory = RunDirectory::create(config.output.as_deref(), program)?;
    let clock = ClockStart {
        schema: SCHEMA,
        // A clock set before 1970 reads as 1970.
        started_ms: SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_millis() as u64),
        load_ms: loaded.time.as_millis() as u64,
    };
    let writer = RunWriter::create(directory, &manifest, &clock)?;

    // The solver reports from within; whoever watches tells it at the next occasion,
    // when the live line is out of the way.
    let troubles = Troubles::default();
    let workers = WorkerPool {
        jobs: config.jobs,
        searcher: &|| byway_search::build(&config.search).expect("it was built before"),
        pruner: None,
        solver: &|job| solver_options(config, job, &troubles),
        files: Some(&files),
    };
    let mut watch = Watch::new(config, writer, Arc::clone(&troubles));
    let explored =
        byway_engine::explore_in_jobs(&loaded.module, &config.explore, &workers, &mut watch);
    match explored {
        Ok(explored) => watch.finish(&explored),
        Err(why) => {
            watch.discard();
            Err(Failure::new(why))
        }
    }
}

/// How a job's solver works. Several jobs write their queries into directories of their own.
fn solver_options(config: &RunConfig, job: usize, troubles: &Troubles) -> SolverOptions {
    let heard = Arc::clone(troubles);
    let log = config.log_queries.as_ref().map(|directory| match config.jobs.get() {
        1 => directory.clone(),
        _ => directory.join(format!("job-{}", job + 1)),
    });
    SolverOptions {
        check: config.solver_check,
        log,
        interrupt: Some(interrupt::flag()),
        on_error: Rc::new(move |trouble: &QueryError| {
            let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
            heard.push(trouble.to_string());
        }),
    }
}
