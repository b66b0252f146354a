//! The matrix of an experiment: which runs there are, how each is started, and under which
//! key its result is kept.
//!
//! A key stands for what a result depends on: the contents of the program's files and of what
//! runs read beside them, the options, seed and budget, and how coverage is measured. It does not
//! hold names, nor the executable: a strategy that is renamed keeps its results, and so does a byway that was built
//! again (results tell which build they are from, and the report tells if there are several).

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use crate::experiment::{Budget, Coverage, Experiment, Program};
use crate::host::Host;
use crate::problem::{Problem, Result};
use crate::tree;

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
    /// What it reads beside them. Left out where there is nothing, as in keys of a time before.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    reads: &'a [String],
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

/// An experiment, and where it is written.
pub struct Matrix<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// The name of its file, to complain with.
    pub name: &'a str,
    /// The directory of its file.
    pub dir: &'a Path,
}

impl Matrix<'_> {
    /// The runs: all with the first seed, then all with the second, so that what is there
    /// when it is stopped can be compared. Complains of what makes no sense, before anything
    /// runs. What is in `results` are results, and nothing they depend on.
    pub fn cells(&self, results: &Path, host: &Host<'_>) -> Result<Vec<Cell>> {
        let contents: Vec<Contents> = self
            .experiment
            .programs
            .iter()
            .map(|program| self.contents(program, host))
            .collect::<Result<_>>()?;
        let pairs: Vec<(usize, usize)> = (0..self.experiment.programs.len())
            .flat_map(|program| (0..self.experiment.strategies.len()).map(move |s| (program, s)))
            .collect();
        let results = results.canonicalize().unwrap_or(results.to_path_buf());
        let first = self.experiment.seeds.first().copied().unwrap_or(0);
        let mut reads = Vec::new();
        for &(program, strategy) in &pairs {
            reads.push(self.reads((program, strategy, first), &results, host)?);
        }
        let mut cells = Vec::new();
        for &seed in &self.experiment.seeds {
            for (&(program, strategy), reads) in pairs.iter().zip(&reads) {
                let at = (program, strategy, seed);
                cells.push(cell(self.experiment, host, at, &contents[program], reads));
            }
        }
        Ok(cells)
    }

    /// Checks the options of a run, and looks at what it reads beside its program.
    fn reads(
        &self,
        at: (usize, usize, u64),
        results: &Path,
        host: &Host<'_>,
    ) -> Result<Vec<String>> {
        let program = &self.experiment.programs[at.0];
        let strategy = &self.experiment.strategies[at.1];
        let run = run_words(self.experiment, at);
        let cover = cover_options(self.experiment, program).map(|options| {
            let words = ["cover", "RUN"].map(String::from).into_iter();
            words.chain(options).collect::<Vec<String>>()
        });
        let complain = |words: &[String], why: String| {
            Problem::new(format!(
                "'{}', strategy '{}' of line {} with program '{}' of line {}: {why}",
                self.name, strategy.name, strategy.line, program.name, program.line
            ))
            .detail(format!("byway {}", words.join(" ")))
        };
        for words in [Some(&run), cover.as_ref()].into_iter().flatten() {
            (host.check)(words).map_err(|why| complain(words, why))?;
        }
        let reads = (host.reads)(&run).map_err(|why| complain(&run, why))?;
        let digest = |path: &PathBuf| tree::digest(&self.dir.join(path), results, host);
        reads.iter().map(digest).collect()
    }

    fn contents(&self, program: &Program, host: &Host<'_>) -> Result<Contents> {
        let digest = |name: &String, (key, line): (&str, usize)| {
            let path = self.dir.join(name);
            let bytes = fs::read(&path).map_err(|error| {
                let why = Problem::io("read", &path, &error).message;
                let (file, of) = (self.name, &program.name);
                Problem::new(format!("'{file}', line {line}: '{key}' of program '{of}': {why}"))
            })?;
            Ok((host.digest)(&bytes))
        };
        let files = program.files.iter().map(|name| digest(name, ("files", program.files_line)));
        let build = program.coverage_build.as_ref();
        Ok(Contents {
            files: files.collect::<Result<_>>()?,
            build: build.map(|(name, line)| digest(name, ("coverage-build", *line))).transpose()?,
        })
    }
}

/// Digests of what a program is made of.
struct Contents {
    files: Vec<String>,
    build: Option<String>,
}

fn cell(
    experiment: &Experiment,
    host: &Host<'_>,
    at: (usize, usize, u64),
    contents: &Contents,
    reads: &[String],
) -> Cell {
    let (program, strategy, seed) = at;
    let of = &experiment.programs[program];
    let run = run_words(experiment, at);
    let cover = cover_options(experiment, of);
    let digest = |material: serde_json::Result<Vec<u8>>| {
        (host.digest)(&material.expect("plain data becomes JSON"))
    };
    let run_key = digest(serde_json::to_vec(&RunKey {
        version: VERSION,
        files: &contents.files,
        reads,
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

/// The arguments of `byway run`.
fn run_words(
    experiment: &Experiment,
    (program, strategy, seed): (usize, usize, u64),
) -> Vec<String> {
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
    run
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

/// The options of `byway cover`, if that measures.
fn cover_options(experiment: &Experiment, program: &Program) -> Option<Vec<String>> {
    if experiment.coverage != Coverage::Gcov {
        return None;
    }
    let partial = experiment.partial_tests.name();
    let mut options = vec!["--partial-tests".to_string(), partial.to_string()];
    let mut add = |option: &str, value: &str| options.extend([option.into(), value.into()]);
    if let Some((build, _)) = &program.coverage_build {
        add("--coverage-build", build);
    }
    if let Some(notes) = &program.notes {
        add("--notes", notes);
    }
    program.source_dirs.iter().for_each(|dir| add("--source-dir", dir));
    program.measured.iter().for_each(|name| add("--files", name));
    Some(options)
}
