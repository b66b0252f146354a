//! `byway lab`: experiments. Every combination of program, strategy and seed is a run; their
//! results become tables, significance tests and curves.
//!
//! ```text
//! EXPERIMENT.toml ──[`experiment`]──▶ [`plan`]: runs, each with a key
//!     those without a result ──[`pool`], [`cell_runner`]──▶ byway run, byway cover (children)
//!         run directory ──[`measurements`]──▶ [`result`], stored under its key ([`store`])
//! results ──[`findings`], [`series`], [`stats`]──▶ [`report`]
//! ```
//!
//! The lab reads runs from their directories (`byway_rundir`), and starts them through the
//! executable it belongs to ([`LabHost`]). It explores nothing itself.

#![forbid(unsafe_code)]

mod cell_runner;
mod error;
mod experiment;
mod findings;
#[cfg(test)]
mod fixture;
mod host;
mod inputs;
mod measurements;
mod plan;
mod pool;
mod report;
mod result;
mod series;
pub mod stats;
mod store;
#[cfg(test)]
mod tests;

pub use error::{LabError, Result};
pub use experiment::{EXAMPLE, PartialTests};
pub use host::{Digester, LabHost};

/// TOML files whose errors name line and key, for other commands that read such files.
pub mod toml_file {
    pub use crate::experiment::document::{TomlDocument, TomlItem, TomlTable};
}

/// Plots, for other commands that have curves to draw.
pub mod plot {
    pub use crate::report::plot::{Curve, Plot, PlotScale};
    pub use crate::series::CurvePoint;
}

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use cell_runner::CellRunner;
use experiment::{Experiment, Variables};
use findings::Findings;
use plan::{Cell, Matrix};
use pool::ExecutedRuns;
use result::{BywayBuild, CellResult};
use store::ResultStore;

/// The options of a lab, beside those in the experiment's file.
#[derive(Clone, Debug, Default)]
pub struct LabOptions {
    /// The path of the experiment's file.
    pub experiment: PathBuf,
    /// The directory of the results; `None` puts it beside the file.
    pub output: Option<PathBuf>,
    /// Runs at once; overrides the experiment.
    pub jobs: Option<usize>,
    /// Whether tests of truncated paths count; overrides the experiment.
    pub partial_tests: Option<PartialTests>,
    /// Values of the experiment's variables.
    pub set: BTreeMap<String, String>,
    /// Report the existing results and run nothing.
    pub report_only: bool,
}

/// The result of a lab.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabResult {
    /// The report's main table, as text.
    pub summary: String,
    /// The paths of the reports.
    pub files: Vec<PathBuf>,
    /// Failed runs.
    pub failed: usize,
    /// The user stopped it.
    pub stopped: bool,
}

/// Executes an experiment and writes its reports.
pub fn run(options: &LabOptions, host: &LabHost<'_>) -> Result<LabResult> {
    let path = &options.experiment;
    let experiment = read(options, host)?;
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let dir = fs::canonicalize(dir).map_err(|error| LabError::io("read", dir, &error))?;
    let results_dir = results_dir(options, &dir)?;
    (host.enter)(&dir).map_err(|error| LabError::io("enter", &dir, &error))?;
    let matrix = Matrix { experiment: &experiment, name: &path.display().to_string(), dir: &dir };
    let cells = matrix.cells(&results_dir, host)?;
    let store = ResultStore::new(results_dir);
    let executed = match options.report_only {
        // Takes no lock, so it works while another lab runs.
        true => ExecutedRuns::default(),
        false => {
            store.create()?;
            let _lock = store.lock()?;
            execute(&experiment, &cells, &dir, &store, host)?
        }
    };
    let name = |cell: &Cell| {
        let program = &experiment.programs[cell.program].name;
        let strategy = &experiment.strategies[cell.strategy].name;
        format!("{program}, {strategy}, seed {}", cell.seed)
    };
    let failed: Vec<String> = executed
        .failed
        .iter()
        .map(|(index, error)| format!("{}: {error}", name(&cells[*index])))
        .collect();
    let results = results(&cells, &store)?;
    if options.report_only && results.is_empty() {
        let dir = store.dir().display();
        return Err(LabError::new(format!("there are no results of this experiment in '{dir}'"))
            .hint(
                "omit --report-only to execute the runs, or name a directory with --output-dir",
            ));
    }
    let done = report(&experiment, results, &store, &failed)?;
    Ok(LabResult { failed: failed.len(), stopped: executed.stopped, ..done })
}

fn read(options: &LabOptions, host: &LabHost<'_>) -> Result<Experiment> {
    let path = &options.experiment;
    let text = fs::read_to_string(path).map_err(|error| LabError::io("read", path, &error))?;
    let environment = |name: &str| std::env::var(name).ok();
    let mut variables = Variables {
        set: options.set.clone(),
        environment: Some(&environment),
        ..Variables::default()
    };
    let name = path.display().to_string();
    let mut experiment = experiment::read(&name, &text, &mut variables)?;
    for unused in variables.unused() {
        (host.say)(&format!("lab: warning: --set {unused}: '{name}' has no ${{{unused}}}\n"));
    }
    experiment.jobs = options.jobs.unwrap_or(experiment.jobs);
    experiment.partial_tests = options.partial_tests.unwrap_or(experiment.partial_tests);
    Ok(experiment)
}

/// The directory of the results: by default beside the experiment, with its name.
fn results_dir(options: &LabOptions, dir: &Path) -> Result<PathBuf> {
    let dir = match &options.output {
        Some(output) => {
            std::path::absolute(output).map_err(|error| LabError::io("find", output, &error))?
        }
        None => {
            let stem = options.experiment.file_stem().unwrap_or_default().to_string_lossy();
            dir.join(format!("{stem}-results"))
        }
    };
    match dir.to_str() {
        Some(_) => Ok(dir),
        None => Err(LabError::new(format!("the name of '{}' is not UTF-8", dir.display()))
            .hint("--output-dir names another directory")),
    }
}

/// Executes the runs without a result. Strategies with equal options share their results.
fn execute(
    experiment: &Experiment,
    cells: &[Cell],
    dir: &Path,
    store: &ResultStore,
    host: &LabHost<'_>,
) -> Result<ExecutedRuns> {
    let mut keys = BTreeSet::new();
    let mut missing = Vec::new();
    for (index, cell) in cells.iter().enumerate() {
        if keys.insert(&cell.key) && store.result(&cell.key)?.is_none() {
            missing.push((index, cell));
        }
    }
    let build = (host.build)().map_err(LabError::new)?;
    let runner = CellRunner {
        experiment,
        dir,
        store,
        executable: host.executable,
        build: &BywayBuild { byway: host.version.into(), build },
        digest: host.digest,
        interrupted: host.interrupted,
        moving: Mutex::default(),
    };
    let skipped = keys.len() - missing.len();
    if skipped > 0 {
        (host.say)(&format!("lab: {skipped} of {} runs have a result already\n", keys.len()));
    }
    let waiting: Vec<&Cell> = missing.iter().map(|(_, cell)| *cell).collect();
    let mut executed = pool::execute(&runner, &waiting, skipped, host.terminal);
    executed.failed.iter_mut().for_each(|(index, _)| *index = missing[*index].0);
    Ok(executed)
}

/// Results by index of program, index of strategy, and seed.
type Results = BTreeMap<(usize, usize, u64), CellResult>;

/// The results that exist.
fn results(cells: &[Cell], store: &ResultStore) -> Result<Results> {
    let mut results = BTreeMap::new();
    for cell in cells {
        if let Some(outcome) = store.result(&cell.key)? {
            results.insert((cell.program, cell.strategy, cell.seed), outcome);
        }
    }
    Ok(results)
}

/// Writes the reports.
fn report(
    experiment: &Experiment,
    mut results: Results,
    store: &ResultStore,
    failed: &[String],
) -> Result<LabResult> {
    let findings = Findings::new(experiment, |program, strategy, seed| {
        results.remove(&(program, strategy, experiment.seeds[seed]))
    });
    let notes = report::ReportNotes::new(&findings, failed);
    let files = vec![
        store.report("report.md", &report::markdown(&findings, &notes))?,
        store.report("report.html", &report::html(&findings, &notes))?,
    ];
    let summary = report::terminal(&findings, &notes);
    Ok(LabResult { summary, files, failed: 0, stopped: false })
}
