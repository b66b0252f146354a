//! The matrix of an experiment: which runs there are, how each is started, and under which
//! key its result is kept.
//!
//! A key stands for all that a result depends on: the contents of the program's files, the
//! options, seed and budget, and how coverage is measured. It does not hold names, nor the
//! executable: a strategy that is renamed keeps its results, and so does a byway that was built
//! again (results tell which build they are from, and the report tells if there are several).

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use crate::experiment::{Budget, Coverage, Experiment, PartialTests, Program};
use crate::host::Host;
use crate::problem::{Problem, Result};

/// Samples of a run's statistics that are wanted over its budget.
const SAMPLES: u32 = 100;

/// One run of an experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// The number of its program.
    pub program: usize,
    /// The number of its strategy.
    pub strategy: usize,
    /// Its seed.
    pub seed: u64,
    /// The arguments of `byway run`, without where to write.
    pub run: Vec<String>,
    /// The options of `byway cover`, if that measures.
    pub cover: Option<Vec<String>>,
    /// Stands for the run.
    pub run_key: String,
    /// Stands for the run and how it is measured.
    pub key: String,
}

/// What a run's key is made of.
#[derive(Serialize)]
struct RunKey<'a> {
    version: u32,
    files: &'a [String],
    arguments: &'a [String],
}

/// What the key of a measured run is made of.
#[derive(Serialize)]
struct ResultKey<'a> {
    version: u32,
    run: &'a str,
    cover: Option<&'a [String]>,
    build: Option<&'a str>,
    measured: &'a [String],
    partial_tests: &'a str,
}

/// To be raised when a result of the same key would come out otherwise.
const VERSION: u32 = 1;

/// The runs of an experiment: all with the first seed, then all with the second, so that
/// what is there when it is stopped can be compared.
pub fn cells(experiment: &Experiment, dir: &Path, host: &Host<'_>) -> Result<Vec<Cell>> {
    let programs: Vec<Contents> = experiment
        .programs
        .iter()
        .map(|program| Contents::of(program, dir, host))
        .collect::<Result<_>>()?;
    let mut cells = Vec::new();
    for &seed in &experiment.seeds {
        for (program, contents) in programs.iter().enumerate() {
            for strategy in 0..experiment.strategies.len() {
                cells.push(cell(experiment, host, (program, strategy, seed), contents));
            }
        }
    }
    Ok(cells)
}

/// Complains of options that make no sense, before anything runs.
pub fn check(experiment: &Experiment, cells: &[Cell], name: &str, host: &Host<'_>) -> Result<()> {
    let first = experiment.seeds.first();
    for cell in cells.iter().filter(|cell| Some(&cell.seed) == first) {
        let program = &experiment.programs[cell.program];
        let strategy = &experiment.strategies[cell.strategy];
        let cover = cell.cover.iter().map(|options| {
            let words = ["cover", "RUN"].map(String::from).into_iter();
            words.chain(options.iter().cloned()).collect()
        });
        for words in [cell.run.clone()].into_iter().chain(cover) {
            (host.check)(&words).map_err(|why| {
                Problem::new(format!(
                    "'{name}', strategy '{}' of line {} with program '{}' of line {}: {why}",
                    strategy.name, strategy.line, program.name, program.line
                ))
                .detail(format!("byway {}", words.join(" ")))
            })?;
        }
    }
    Ok(())
}

/// Digests of what a program is made of.
struct Contents {
    files: Vec<String>,
    build: Option<String>,
}

impl Contents {
    fn of(program: &Program, dir: &Path, host: &Host<'_>) -> Result<Contents> {
        let digest = |name: &String| {
            let path = dir.join(name);
            let bytes = fs::read(&path).map_err(|error| {
                let mut problem = Problem::io("read", &path, &error);
                problem.message = format!("program '{}': {}", program.name, problem.message);
                problem
            })?;
            Ok((host.digest)(&bytes))
        };
        Ok(Contents {
            files: program.files.iter().map(digest).collect::<Result<_>>()?,
            build: program.coverage_build.as_ref().map(digest).transpose()?,
        })
    }
}

fn cell(
    experiment: &Experiment,
    host: &Host<'_>,
    (program, strategy, seed): (usize, usize, u64),
    contents: &Contents,
) -> Cell {
    let of = &experiment.programs[program];
    let mut run = vec!["run".to_string()];
    run.extend(budget_options(&experiment.budget));
    run.extend(["--seed".to_string(), seed.to_string()]);
    run.extend(experiment.options.iter().cloned());
    run.extend(experiment.strategies[strategy].options.iter().cloned());
    run.extend(of.options.iter().cloned());
    if !run.iter().any(|word| word.starts_with("--stats-interval")) {
        let interval = stats_interval(&experiment.budget);
        run.extend(["--stats-interval".to_string(), format!("{}ms", interval.as_millis())]);
    }
    run.extend(of.files.iter().cloned());
    if !of.args.is_empty() {
        run.push("--".into());
        run.extend(of.args.iter().cloned());
    }
    let cover = (experiment.coverage == Coverage::Gcov)
        .then(|| cover_options(of, experiment.partial_tests));
    let digest = |material: serde_json::Result<Vec<u8>>| {
        (host.digest)(&material.expect("plain data becomes JSON"))
    };
    let run_key = digest(serde_json::to_vec(&RunKey {
        version: VERSION,
        files: &contents.files,
        arguments: &run,
    }));
    let key = digest(serde_json::to_vec(&ResultKey {
        version: VERSION,
        run: &run_key,
        cover: cover.as_deref(),
        build: contents.build.as_deref().filter(|_| cover.is_some()),
        measured: &of.measured,
        partial_tests: experiment.partial_tests.name(),
    }));
    Cell { program, strategy, seed, run, cover, run_key, key }
}

fn budget_options(budget: &Budget) -> Vec<String> {
    let time = |option: &str, time: Option<Duration>| {
        time.map(|time| [option.to_string(), format!("{}ms", time.as_millis())])
    };
    let work = budget.work.map(|work| ["--max-work".to_string(), work.to_string()]);
    let all = [time("--max-time", budget.time), time("--max-cpu", budget.cpu), work];
    all.into_iter().flatten().flatten().collect()
}

/// How often a run notes how far it is: about a hundred times in all. Some million of work
/// are done in a second.
fn stats_interval(budget: &Budget) -> Duration {
    let of_work = budget.work.map(|work| Duration::from_micros(work / 2));
    let shortest = [budget.time, budget.cpu, of_work].into_iter().flatten().min();
    let interval = shortest.map_or(Duration::ZERO, |time| time / SAMPLES);
    interval.clamp(Duration::from_millis(2), Duration::from_secs(60))
}

fn cover_options(program: &Program, partial: PartialTests) -> Vec<String> {
    let mut options = vec!["--partial-tests".to_string(), partial.name().to_string()];
    let mut add = |option: &str, value: &str| options.extend([option.into(), value.into()]);
    if let Some(build) = &program.coverage_build {
        add("--coverage-build", build);
    }
    if let Some(notes) = &program.notes {
        add("--notes", notes);
    }
    program.source_dirs.iter().for_each(|dir| add("--source-dir", dir));
    program.measured.iter().for_each(|name| add("--files", name));
    options
}
