//! The matrix of an experiment: which runs there are, how each is started, and under which
//! key its result is kept.
//!
//! A key stands for what a result depends on: the contents of the program's files and of what
//! runs read beside them, the options, seed and budget, and how coverage is measured. It does not
//! hold names, nor the executable: a strategy that is renamed keeps its results, and so does a byway that was built
//! again (results tell which build they are from, and the report tells if there are several).

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::error::{LabError, Result};
use crate::experiment::{CoverageSource, Experiment, ExperimentBudget, OptionWords, ProgramSpec};
use crate::host::LabHost;
use crate::inputs::RunInput;

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
    /// The files that the keys stand for.
    pub inputs: Arc<[RunInput]>,
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
    pub fn cells(&self, results: &Path, host: &LabHost<'_>) -> Result<Vec<Cell>> {
        let results = results.canonicalize().unwrap_or(results.to_path_buf());
        let contents: Vec<ProgramDigests> = self
            .experiment
            .programs
            .iter()
            .map(|program| self.contents(program, &results, host))
            .collect::<Result<_>>()?;
        let pairs: Vec<(usize, usize)> = (0..self.experiment.programs.len())
            .flat_map(|program| (0..self.experiment.strategies.len()).map(move |s| (program, s)))
            .collect();
        let first = self.experiment.seeds.first().copied().unwrap_or(0);
        let mut reads = Vec::new();
        for &(program, strategy) in &pairs {
            let read = self.reads((program, strategy, first), &results, host)?;
            let inputs: Arc<[RunInput]> =
                contents[program].inputs.iter().chain(&read).cloned().collect();
            let digests: Vec<String> = read.into_iter().map(|input| input.digest).collect();
            reads.push((digests, inputs));
        }
        let mut cells = Vec::new();
        for &seed in &self.experiment.seeds {
            for (&(program, strategy), (reads, inputs)) in pairs.iter().zip(&reads) {
                let at = (program, strategy, seed);
                let cell = cell(self.experiment, host, at, &contents[program], reads);
                cells.push(Cell { inputs: inputs.clone(), ..cell });
            }
        }
        Ok(cells)
    }

    /// Checks the options of a run, and looks at what it reads beside its program.
    fn reads(
        &self,
        at: (usize, usize, u64),
        results: &Path,
        host: &LabHost<'_>,
    ) -> Result<Vec<RunInput>> {
        let program = &self.experiment.programs[at.0];
        let strategy = &self.experiment.strategies[at.1];
        let said = said(self.experiment, at);
        let run = run_words(self.experiment, at, &said);
        let cover = cover_options(self.experiment, program).map(|options| {
            let words = ["cover", "RUN"].map(String::from).into_iter();
            words.chain(options).collect::<Vec<String>>()
        });
        let complain = |words: &[String], why: String| {
            LabError::new(format!(
                "'{}', strategy '{}' of line {} with program '{}' of line {}: {why}",
                self.name, strategy.name, strategy.line, program.name, program.line
            ))
            .detail(format!("byway {}", words.join(" ")))
        };
        // The first part that makes no sense beside those before it is to blame.
        for count in 0..=said.len() {
            let words = run_words(self.experiment, at, &said[..count]);
            let Err(why) = (host.check)(&words) else { continue };
            let Some(part) = count.checked_sub(1).map(|last| &said[last]) else {
                return Err(complain(&words, why));
            };
            let (line, OptionSource { key, of, .. }) = (part.said.line, part);
            return Err(LabError::new(format!("'{}', line {line}: '{key}'{of}: {why}", self.name))
                .detail(format!("byway {}", words.join(" "))));
        }
        if let Some(words) = &cover {
            (host.check)(words).map_err(|why| complain(words, why))?;
        }
        let reads = (host.reads)(&run).map_err(|why| complain(&run, why))?;
        let input = |path| RunInput::of(self.dir.join(path), results, host.digest);
        reads.into_iter().map(input).collect()
    }

    fn contents(
        &self,
        program: &ProgramSpec,
        results: &Path,
        host: &LabHost<'_>,
    ) -> Result<ProgramDigests> {
        let build = program.coverage_build.as_ref();
        // Taken first: if a file changes in between, it is seen to have.
        let paths = program.files.iter().chain(build.map(|(name, _)| name));
        let paths = paths.map(|name| self.dir.join(name)).filter(|path| path.exists());
        let inputs = paths.map(|path| RunInput::of(path, results, host.digest));
        let inputs = inputs.collect::<Result<_>>()?;
        let digest = |name: &String, (key, line): (&str, usize)| {
            let path = self.dir.join(name);
            let bytes = fs::read(&path).map_err(|error| {
                let why = LabError::io("read", &path, &error).message;
                let (file, of) = (self.name, &program.name);
                LabError::new(format!("'{file}', line {line}: '{key}' of program '{of}': {why}"))
            })?;
            Ok((host.digest)(&bytes))
        };
        let files = program.files.iter().map(|name| digest(name, ("files", program.files_line)));
        Ok(ProgramDigests {
            inputs,
            files: files.collect::<Result<_>>()?,
            build: build.map(|(name, line)| digest(name, ("coverage-build", *line))).transpose()?,
        })
    }
}

/// Digests of what a program is made of.
struct ProgramDigests {
    inputs: Vec<RunInput>,
    files: Vec<String>,
    build: Option<String>,
}

fn cell(
    experiment: &Experiment,
    host: &LabHost<'_>,
    at: (usize, usize, u64),
    contents: &ProgramDigests,
    reads: &[String],
) -> Cell {
    let (program, strategy, seed) = at;
    let of = &experiment.programs[program];
    let run = run_words(experiment, at, &said(experiment, at));
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
    Cell { program, strategy, seed, run, cover, run_key, key, inputs: Arc::default() }
}

/// A part of a run's options.
struct OptionSource<'a> {
    said: &'a OptionWords,
    /// The key that says it.
    key: &'static str,
    /// Whose key that is, in words.
    of: String,
}

/// What the experiment says of a run's options, in the order in which it counts.
fn said(
    experiment: &Experiment,
    (program, strategy, _): (usize, usize, u64),
) -> [OptionSource<'_>; 4] {
    let (program, strategy) = (&experiment.programs[program], &experiment.strategies[strategy]);
    let by = format!(" of strategy '{}'", strategy.name);
    [
        OptionSource { said: &experiment.options, key: "options", of: String::new() },
        OptionSource { said: &strategy.search, key: "search", of: by.clone() },
        OptionSource { said: &strategy.options, key: "options", of: by },
        OptionSource {
            said: &program.options,
            key: "options",
            of: format!(" of program '{}'", program.name),
        },
    ]
}

/// The arguments of `byway run` with these options.
fn run_words(
    experiment: &Experiment,
    (program, _, seed): (usize, usize, u64),
    said: &[OptionSource<'_>],
) -> Vec<String> {
    let of = &experiment.programs[program];
    let mut run = vec!["run".to_string()];
    run.extend(budget_options(&experiment.budget));
    run.extend(["--seed".to_string(), seed.to_string()]);
    run.extend(said.iter().flat_map(|part| &part.said.words).cloned());
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

fn budget_options(budget: &ExperimentBudget) -> Vec<String> {
    let time = |option: &str, time: Option<Duration>| {
        time.map(|time| [option.to_string(), format!("{}ms", time.as_millis())])
    };
    let work = budget.work.map(|work| ["--max-work".to_string(), work.to_string()]);
    let all = [time("--max-time", budget.time), time("--max-cpu", budget.cpu), work];
    all.into_iter().flatten().flatten().collect()
}

/// How often a run notes how far it is: about a hundred times in all. Some million of work
/// are done in a second.
fn stats_interval(budget: &ExperimentBudget) -> Duration {
    let of_work = budget.work.map(|work| Duration::from_micros(work / 2));
    let shortest = [budget.time, budget.cpu, of_work].into_iter().flatten().min();
    let interval = shortest.map_or(Duration::ZERO, |time| time / SAMPLES);
    interval.clamp(Duration::from_millis(2), Duration::from_secs(60))
}

/// The options of `byway cover`, if that measures.
fn cover_options(experiment: &Experiment, program: &ProgramSpec) -> Option<Vec<String>> {
    if experiment.coverage != CoverageSource::Gcov {
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
