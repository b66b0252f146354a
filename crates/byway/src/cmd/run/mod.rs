//! `byway run`: explores a program and records the results as they arise.
//!
//! ```text
//! explore ──→ RunObserver ──┬─→ byway_rundir      tests, paths, faults, statistics
//!  (the engine)             ├─→ RunProgressLine   progress on standard error
//!                           └─→ standard error    faults when first found, the summary
//! ```
//!
//! The engine reads no clock and does no I/O; both happen here, and neither influences
//! the exploration, except that a run can be stopped.

mod against;
mod campaign;
mod config;
mod faults;
mod flags;
mod knowledge;
pub mod listener;
mod manifest;
mod messages;
mod observer;
mod process_memory;
pub mod progress;
pub mod records;
mod requirements;
mod resume;
mod session;
mod start;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use byway_base::{MemoryGuard, ProcessMemory};
use byway_engine::{ExploreConfig, NamedTarget, Observer, TargetIndex, TargetOutcome, WorkerPool};
use byway_ir::Module;
use byway_rundir::{RunDirectory, RunSummary};
use byway_search::pruner::build_pruner;
use byway_solver::{QueryError, SolverOptions};

use crate::change::{self, DiffedProgram, ProgramChange, RemovedCode};
use crate::cmd::reach;
use crate::cmd::run::listener::RunListener;
use crate::console::{self, Style};
use crate::entry::{self, InputReporter};
use crate::exit;
use crate::failure::{Failure, Result};
use crate::git::Changes;
use crate::host::files::HostDirectories;
use crate::host::pure_call;
use crate::host::snapshot::Snapshot;
use crate::interrupt;
use crate::load::{self, Loaded};
use crate::random_inputs::RandomInputSources;
use crate::report;
use against::OldBuild;
pub use config::{RunConfig, TestPolicy};
pub use flags::{EXIT_CODES, RunCommandFlags, RunFlags, examples};
use observer::{RunObserver, SolverErrors};
pub use resume::CompletedLine;
use session::RunSession;
use start::RunStart;

/// Explores a program; the exit code reports whether faults were found.
pub fn run(config: &RunConfig) -> Result<u8> {
    if let Some(campaign) = &config.campaign {
        return campaign::run(config, campaign);
    }
    let program = prepare(config)?;
    let targets = targets(&program.loaded, &config.targets)?;
    requirements::check_targets(config, targets.is_empty())?;
    let revision = config.change.since.as_deref();
    let changes = revision.map(|it| change::changed_since(&config.load.program, it)).transpose()?;
    let change = match config.change.has_lines() {
        true => Some(change(config, &program.loaded.module, changes.as_ref())?),
        false => None,
    };
    let old = match config.change.against.is_empty() {
        true => None,
        false => Some(OldBuild::load(config, changes)?),
    };
    if let (Some(change), Some(revision)) = (&change, revision)
        && change.is_empty()
        && !old.as_ref().is_some_and(OldBuild::is_changed)
    {
        console::say(&format!("byway: no line with code changed since {revision}"));
        return Ok(exit::SUCCESS);
    }
    let explored = explore(config, &program, &targets, change.as_ref())?;
    if !targets.is_empty() {
        reach::record(&explored, &targets)?;
    }
    match old {
        None => Ok(explored.exit_code),
        Some(mut old) => {
            old.explore(&explored)?;
            against::report(config, explored, (program, change.as_ref()), old)
        }
    }
}

/// A program that is loaded, with the files of this machine that it may read.
pub struct PreparedProgram {
    pub loaded: Loaded,
    files: Mutex<Snapshot<HostDirectories>>,
}

/// A finished exploration.
#[derive(Debug)]
pub struct ExploredRun {
    pub exit_code: u8,
    /// The run directory.
    pub dir: PathBuf,
    pub summary: RunSummary,
    /// What was found out about each target.
    pub targets: Vec<TargetOutcome>,
    /// The summary as text.
    report: String,
    /// States are left to go on with.
    has_checkpoint: bool,
    session: RunSession,
}

/// Checks the searcher and loads the program.
pub fn prepare(config: &RunConfig) -> Result<PreparedProgram> {
    requirements::check_searchers(config)?;
    let files = Mutex::new(Snapshot::new(HostDirectories::new(&config.host_files)?));
    if let Some(corpus) = &config.seeds {
        console::say_raw(&report::render_rejected(&corpus.rejected, Style::new(config.load.color)));
    }
    let loaded = match &config.entry {
        None => load::load_to_run(&config.load)?,
        Some(entry) => {
            let mut loaded = load::load_and_warn(&config.load)?;
            entry::prepare(&mut loaded.module, entry)?;
            loaded
        }
    };
    Ok(PreparedProgram { loaded, files })
}

/// The targets that texts name.
pub fn targets(loaded: &Loaded, texts: &[String]) -> Result<Vec<NamedTarget>> {
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let index = TargetIndex::new(&loaded.module);
    let resolved = texts.iter().map(|text| {
        index.resolve(text).map_err(|why| Failure::new(format!("--target {text}: {why}")))
    });
    Ok(resolved.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// The change under test. Says which changed lines have no code.
fn change(config: &RunConfig, module: &Module, changes: Option<&Changes>) -> Result<ProgramChange> {
    let index = TargetIndex::new(module);
    let mut found = ProgramChange::default();
    for text in &config.change.changed {
        found.add_range(text, &index)?;
    }
    if let Some(changes) = changes {
        let diffed = DiffedProgram::new(changes, &index, RemovedCode::FirstBehind);
        console::say_raw(&diffed.skipped());
        found.add_diff(&diffed, &index)?;
    }
    let warnings = change::check_sources(module, &config.load.program, &found.files())?;
    let head = Style::new(config.load.color).warning("byway: warning");
    warnings.iter().for_each(|warning| console::say(&format!("{head}: {warning}")));
    Ok(found)
}

/// Explores a program, for these targets if there are any, or what a change can affect. Writes a
/// run directory and prints the summary.
pub fn explore(
    config: &RunConfig,
    program: &PreparedProgram,
    targets: &[NamedTarget],
    change: Option<&ProgramChange>,
) -> Result<ExploredRun> {
    let manifest = manifest::describe(config, &program.loaded, change)?;
    let start = match &config.resume {
        None => RunStart::create(config, &manifest, &program.loaded)?,
        Some(resumed) => RunStart::resume(config, resumed, &manifest)?,
    };
    let explored = explore_from(start, config, program, targets, change, RunSession::default())?;
    console::say_raw(&explored.report);
    Ok(explored)
}

/// Explores a program as [`explore`] does, into a directory that the caller made; another tool's
/// messages show the run.
pub fn explore_shown_by(
    listener: Box<dyn RunListener>,
    directory: &Path,
    config: &RunConfig,
    program: &PreparedProgram,
) -> Result<ExploredRun> {
    let manifest = manifest::describe(config, &program.loaded, None)?;
    let directory = RunDirectory::existing(directory);
    let start = RunStart::create_in(directory, &manifest, &program.loaded)?;
    let start = RunStart { listener: Some(listener), ..start };
    explore_from(start, config, program, &[], None, RunSession::default())
}

/// Explores a program from a start of its run.
fn explore_from(
    mut start: RunStart,
    config: &RunConfig,
    program: &PreparedProgram,
    targets: &[NamedTarget],
    change: Option<&ProgramChange>,
    mut session: RunSession,
) -> Result<ExploredRun> {
    let PreparedProgram { loaded, files } = program;
    session.begin_after(start.last_sample());
    let point = start.point();
    // The solver reports errors while the progress line is drawn; the observer prints
    // them when it has erased the line.
    let solver_errors = SolverErrors::default();
    let program = &config.load.program;
    let inputs = config.entry.as_ref().map(|it| InputReporter::new(&loaded.module, it, program));
    let inputs = inputs.transpose()?;
    let listener = start.listener;
    let output = listener.as_ref().and_then(|listener| listener.output());
    let mut watch = RunObserver::new(config, start.writer, Arc::clone(&solver_errors))
        .within(session)
        .shown_by(listener)
        .with_inputs(inputs);
    if let Some(earlier) = start.earlier {
        watch = watch.after(earlier);
    }
    let process = watch.process();
    let sources = RandomInputSources::new(config, loaded);
    let make_executor = |worker| Box::new(sources.executor(worker, Some(files))) as Box<_>;
    let unreduced = config.unreduced.as_ref();
    let unreduced =
        unreduced.map(|names| || byway_search::build(names).expect("a searcher of Byway"));
    let make_pruner = || {
        let prune = config.prune.as_deref().unwrap_or_default();
        build_pruner(prune).expect("it was built before")
    };
    let workers = WorkerPool {
        jobs: config.jobs,
        searcher: &|| byway_search::build(&config.search).expect("it was built before"),
        pruner: config.prune.is_some().then_some(&make_pruner),
        unreduced: unreduced.as_ref().map(|build| build as _),
        solver: &|job| solver_options(config, job, &solver_errors, process.clone()),
        files: Some(files),
        output,
        pure_calls: Some(pure_call::call),
        executor: Some(&make_executor),
    };
    let exploration = ExploreConfig {
        targets: targets.iter().map(|it| it.target.clone()).collect(),
        changed: change.map(|change| Arc::new(change.code(&loaded.module))),
        resume: point,
        knowledge: start.knowledge,
        ..config.explore.clone()
    };
    match byway_engine::explore_in_jobs(&loaded.module, &exploration, &workers, &mut watch) {
        Ok(explored) => watch.finish(&explored),
        Err(why) => {
            watch.discard();
            Err(Failure::new(why))
        }
    }
}

/// The options of a worker's solver. Each of several workers logs its queries to its own
/// directory.
fn solver_options(
    config: &RunConfig,
    job: usize,
    solver_errors: &SolverErrors,
    process: Option<Arc<dyn ProcessMemory>>,
) -> SolverOptions {
    let pending = Arc::clone(solver_errors);
    let log = config.log_queries.as_ref().map(|directory| match config.jobs.get() {
        1 => directory.clone(),
        _ => directory.join(format!("job-{}", job + 1)),
    });
    SolverOptions {
        check: config.solver_check,
        log,
        interrupt: Some(interrupt::flag()),
        memory: process.zip(config.explore.limits.memory).map(|(process, limit)| MemoryGuard {
            process,
            // States are dropped at the limit itself; a query may take a little more.
            limit: limit + limit / 25,
        }),
        on_error: Rc::new(move |error: &QueryError| {
            let mut pending = pending.lock().unwrap_or_else(PoisonError::into_inner);
            pending.push(error.to_string());
        }),
    }
}
