//! `byway lab`: experiments. Programs times strategies times seeds become runs; what they
//! came to becomes tables, tests of significance and curves.
//!
//! ```text
//! EXPERIMENT.toml ──[`experiment`]──▶ [`plan`]: runs, each with a key
//!     missing ones ──[`crew`], [`trial`]──▶ byway run, byway cover (child processes)
//!         run directory ──[`rundir`]──▶ [`result`], kept by its key ([`store`])
//! results ──[`findings`], [`series`], [`stats`]──▶ [`report`]
//! ```
//!
//! The lab knows runs only by the files they leave (docs/run-directory.md), and starts them
//! only through the executable it belongs to ([`Host`]). It explores nothing itself.

mod crew;
mod experiment;
mod findings;
#[cfg(test)]
mod fixture;
mod host;
mod plan;
mod problem;
mod progress;
mod report;
mod result;
mod rundir;
mod series;
mod stats;
mod store;
#[cfg(test)]
mod tests;
mod tree;
mod trial;

pub use experiment::{EXAMPLE, PartialTests};
pub use host::{Digester, Host};
pub use problem::{Problem, Result};

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use experiment::{Experiment, Variables};
use findings::Findings;
use plan::{Cell, Matrix};
use progress::Progress;
use result::{Build, Outcome};
use store::Store;
use trial::Trials;

/// What a lab is told beside its experiment.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// The experiment's file.
    pub experiment: PathBuf,
    /// Where results go; beside the file if `None`.
    pub output: Option<PathBuf>,
    /// How many runs go on at once, if not as the experiment says.
    pub jobs: Option<usize>,
    /// Whether tests of paths that had not ended count, if not as the experiment says.
    pub partial_tests: Option<PartialTests>,
    /// What variables of the experiment stand for.
    pub set: BTreeMap<String, String>,
    /// Whether to report what is there, and run nothing.
    pub report_only: bool,
}

/// How a lab ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Done {
    /// The report in short.
    pub summary: String,
    /// The files of the report.
    pub files: Vec<PathBuf>,
    /// Runs that failed.
    pub failed: usize,
    /// Whether the user stopped it.
    pub stopped: bool,
}

/// Carries out an experiment and writes its report.
pub fn run(wishes: &Wishes, host: &Host<'_>) -> Result<Done> {
    let path = &wishes.experiment;
    let experiment = read(wishes, host)?;
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let dir = fs::canonicalize(dir).map_err(|error| Problem::io("read", dir, &error))?;
    let place = place(wishes, &dir)?;
    (host.enter)(&dir).map_err(|error| Problem::io("enter", &dir, &error))?;
    let matrix = Matrix { experiment: &experiment, name: &path.display().to_string(), dir: &dir };
    let cells = matrix.cells(&place, host)?;
    let store = Store::new(place);
    let made = match wishes.report_only {
        // Also while another lab is at work there.
        true => crew::Made::default(),
        false => {
            store.make()?;
            let _lock = store.lock()?;
            make(&experiment, &cells, &dir, &store, host)?
        }
    };
    let name = |cell: &Cell| {
        let program = &experiment.programs[cell.program].name;
        let strategy = &experiment.strategies[cell.strategy].name;
        format!("{program}, {strategy}, seed {}", cell.seed)
    };
    let failed: Vec<String> = made
        .failed
        .iter()
        .map(|(index, problem)| format!("{}: {problem}", name(&cells[*index])))
        .collect();
    let results = results(&cells, &store)?;
    if wishes.report_only && results.is_empty() {
        let place = store.place().display();
        return Err(Problem::new(format!("there are no results of this experiment in '{place}'"))
            .hint("without --report-only the runs are made; --output-dir names another place"));
    }
    let done = report(&experiment, results, &store, &failed)?;
    Ok(Done { failed: failed.len(), stopped: made.stopped, ..done })
}

fn read(wishes: &Wishes, host: &Host<'_>) -> Result<Experiment> {
    let path = &wishes.experiment;
    let text = fs::read_to_string(path).map_err(|error| Problem::io("read", path, &error))?;
    let environment = |name: &str| std::env::var(name).ok();
    let mut variables = Variables {
        set: wishes.set.clone(),
        environment: Some(&environment),
        ..Variables::default()
    };
    let name = path.display().to_string();
    let mut experiment = experiment::read(&name, &text, &mut variables)?;
    for unused in variables.unused() {
        (host.say)(&format!("lab: warning: --set {unused}: '{name}' has no ${{{unused}}}\n"));
    }
    experiment.jobs = wishes.jobs.unwrap_or(experiment.jobs);
    experiment.partial_tests = wishes.partial_tests.unwrap_or(experiment.partial_tests);
    Ok(experiment)
}

/// Where results go: beside the experiment, under its name, if nobody says otherwise.
fn place(wishes: &Wishes, dir: &Path) -> Result<PathBuf> {
    let place = match &wishes.output {
        Some(output) => {
            std::path::absolute(output).map_err(|error| Problem::io("find", output, &error))?
        }
        None => {
            let stem = wishes.experiment.file_stem().unwrap_or_default().to_string_lossy();
            dir.join(format!("{stem}-results"))
        }
    };
    match place.to_str() {
        Some(_) => Ok(place),
        None => Err(Problem::new(format!("the name of '{}' is not UTF-8", place.display()))
            .hint("--output-dir names another place")),
    }
}

/// Makes the runs whose results are missing. Strategies with the same options share theirs.
fn make(
    experiment: &Experiment,
    cells: &[Cell],
    dir: &Path,
    store: &Store,
    host: &Host<'_>,
) -> Result<crew::Made> {
    let mut keys = BTreeSet::new();
    let mut missing = Vec::new();
    for (index, cell) in cells.iter().enumerate() {
        if keys.insert(&cell.key) && store.result(&cell.key)?.is_none() {
            missing.push((index, cell));
        }
    }
    let build = (host.build)().map_err(Problem::new)?;
    let trials = Trials {
        experiment,
        dir,
        store,
        executable: host.executable,
        build: &Build { byway: host.version.into(), build },
        digest: host.digest,
        interrupted: host.interrupted,
        moving: Mutex::default(),
    };
    let skipped = keys.len() - missing.len();
    if skipped > 0 {
        (host.say)(&format!("lab: {skipped} of {} runs are there already\n", keys.len()));
    }
    let counts = (keys.len(), skipped, experiment.jobs);
    let mut progress = Progress::new(experiment, counts, host.terminal, host.say);
    let waiting: Vec<&Cell> = missing.iter().map(|(_, cell)| *cell).collect();
    let mut made = crew::work(&trials, &waiting, experiment.jobs, &mut progress);
    made.failed.iter_mut().for_each(|(index, _)| *index = missing[*index].0);
    Ok(made)
}

/// Results by the number of their program, that of their strategy, and their seed.
type Results = BTreeMap<(usize, usize, u64), Outcome>;

/// What is there.
fn results(cells: &[Cell], store: &Store) -> Result<Results> {
    let mut results = BTreeMap::new();
    for cell in cells {
        if let Some(outcome) = store.result(&cell.key)? {
            results.insert((cell.program, cell.strategy, cell.seed), outcome);
        }
    }
    Ok(results)
}

/// Writes the report of what is there.
fn report(
    experiment: &Experiment,
    mut results: Results,
    store: &Store,
    failed: &[String],
) -> Result<Done> {
    let findings = Findings::new(experiment, |program, strategy, seed| {
        results.remove(&(program, strategy, experiment.seeds[seed]))
    });
    let facts = report::Facts::new(&findings, failed);
    let files = vec![
        store.report("report.md", &report::markdown(&findings, &facts))?,
        store.report("report.html", &report::html(&findings, &facts))?,
    ];
    let summary = report::terminal(&findings, &facts);
    Ok(Done { summary, files, failed: 0, stopped: false })
}
