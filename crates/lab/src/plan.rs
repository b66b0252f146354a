//! The matrix of an experiment: its runs, the arguments of each, and the key of its result.
//!
//! A key is a digest of everything a result depends on: the contents of the program's files and
//! of the files runs read beside them, the options, seed and budget, and how coverage is
//! measured. Names and the executable are not part of it: a renamed strategy keeps its results,
//! and so does a rebuilt byway. Results record their build, and the report warns of several.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::error::{LabError, Result};
use crate::experiment::{CoverageSource, Experiment, ExperimentBudget, OptionWords, ProgramSpec};
use crate::host::LabHost;
use crate::inputs::RunInput;

/// Samples of a run's statistics over its budget.
const SAMPLES: u32 = 100;

/// One run of an experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// The index of its program.
    pub program: usize,
    /// The index of its strategy.
    pub strategy: usize,
    pub seed: u64,
    /// The arguments of `byway run`, without `--output-dir`.
    pub run: Vec<String>,
    /// The options of `byway cover`; `None` if the engine's coverage counts.
    pub cover: Option<Vec<String>>,
    /// The key of the run directory.
    pub run_key: String,
    /// The key of the result: run and measurement.
    pub key: String,
    /// The files and directories that the keys depend on.
    pub inputs: Arc<[RunInput]>,
}

/// A run's key is the digest of this.
#[derive(Serialize)]
struct RunKey<'a> {
    version: u32,
    files: &'a [String],
    /// Other inputs. Omitted if there are none, so that keys of older versions stay valid.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    reads: &'a [String],
    arguments: &'a [String],
}

/// A result's key is the digest of this.
#[derive(Serialize)]
struct ResultKey<'a> {
    version: u32,
    run: &'a str,
    cover: Option<&'a [String]>,
    build: Option<&'a str>,
    measured: &'a [String],
    partial_tests: &'a str,
}

/// Raise this when the same key would now give another result.
const VERSION: u32 = 1;

/// An experiment and the location of its file.
pub struct Matrix<'a> {
    pub experiment: &'a Experiment,
    /// The name of its file in messages.
    pub name: &'a str,
    /// The directory of its file.
    pub dir: &'a Path,
}

impl Matrix<'_> {
    /// All runs: those with the first seed, then those with the second, so that the results of a
    /// stopped lab are comparable. Checks all options before anything runs. Files in the
    /// directory `results` are never inputs.
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

    /// Checks the options of a run, and digests the files it reads beside its program.
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
        // The first source of options that is invalid together with those before it is to blame.
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
        // Digested first, so that a change in between is detected.
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

/// Digests of a program's files.
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

/// A key of the experiment that contributes options to a run.
struct OptionSource<'a> {
    said: &'a OptionWords,
    key: &'static str,
    /// Its owner, for messages: ` of strategy 'dfs'`.
    of: String,
}

/// All sources of a run's options, in the order in which they apply.
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

/// The arguments of `byway run` from these sources of options.
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

/// The interval of a run's statistics: about a hundred samples in all, if a second does about two
/// million of work.
fn stats_interval(budget: &ExperimentBudget) -> Duration {
    let of_work = budget.work.map(|work| Duration::from_micros(work / 2));
    let shortest = [budget.time, budget.cpu, of_work].into_iter().flatten().min();
    let interval = shortest.map_or(Duration::ZERO, |time| time / SAMPLES);
    interval.clamp(Duration::from_millis(2), Duration::from_secs(60))
}

/// The options of `byway cover`; `None` if the engine's coverage counts.
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
