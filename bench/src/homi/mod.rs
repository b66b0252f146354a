//! `byway-bench homi`: does dropping states by what was learnt cover more with little memory?

mod figures;
mod plan;
mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use byway_rundir::RunReader;
use clap::builder::PossibleValuesParser;

use crate::coreutils::INPUT;
use crate::parallel::map_reporting;
use crate::process;
use crate::record;
use crate::setup::BenchSetup;
use figures::HomiFigures;
use plan::{Configuration, HomiProgram, PROGRAMS, Pruning, ScaledSettings};
use report::{ConfigurationResult, ProgramResult};

const ABOUT: &str = "\
Does dropping states by what was learnt (--prune homi) cover more with little memory?

The experiment of the paper on Homi, shorter and with less memory: grep and gawk (Debian's sources) and
Coreutils' ptx and sort, with the paper's symbolic input and 256 MiB, by random-path and auto, alone and
with Homi; random-path also with states dropped at random; on grep, both also with
restarts alone. The intervals and the lengths of runs are the paper's in proportion: there, an
exploration takes five hours. The first benchmark builds the programs, which takes a few minutes;
they are kept in the cache.

The exit code is 1 if a run failed, or a process took more than a tenth beyond its cap.";

const EXAMPLES: &str = "\
Examples:
  ./dev bench homi --record
  ./dev bench homi --seconds 30 --seeds 1 --programs grep --keep /tmp/runs";

/// The cap of memory in MiB, and those that are tried for a program that cannot begin with it.
const CAPS: [u64; 5] = [256, 384, 512, 1024, 2048];

/// The longest exploration that shows whether a cap suffices.
const TRIAL: Duration = Duration::from_secs(5);

/// Wall time beyond ten times the processor time, for loading and a busy machine.
const GRACE: Duration = Duration::from_secs(600);

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct HomiBenchOptions {
    /// The processor time of each run
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,

    /// Runs of each configuration
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,

    /// The programs, separated by commas (default: all)
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(PROGRAMS.each_ref().map(|program| program.name)),
        default_values_t = PROGRAMS.each_ref().map(|program| program.name.to_owned()),
        hide_default_value = true
    )]
    programs: Vec<String>,

    /// Keep the run directories in this directory; a run that has ended there is not repeated, so
    /// an interrupted benchmark goes on
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,

    /// Runs at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,

    /// Write the result to bench/results/DATE-homi.md
    #[arg(long)]
    record: bool,
}

/// A program with the memory it gets.
struct MeasuredProgram {
    program: &'static HomiProgram,
    bitcode: PathBuf,
    cap: u64,
}

/// One run.
struct HomiRun<'a> {
    program: &'a MeasuredProgram,
    configuration: Configuration,
    seed: u64,
}

impl HomiRun<'_> {
    fn title(&self) -> String {
        format!("{} {} {}", self.program.program.name, self.configuration.title(), self.seed)
    }
}

/// Runs the benchmark and returns whether no run failed and all kept to their memory.
pub fn main(options: HomiBenchOptions) -> Result<bool, String> {
    let setup = match &options.keep {
        Some(_) => BenchSetup::new(options.keep.clone())?,
        None => BenchSetup::in_memory()?,
    };
    let settings = ScaledSettings { time: Duration::from_secs(options.seconds) };
    let mut programs = Vec::new();
    for (program, bitcode) in plan::build(&setup, &options.programs)? {
        let cap = least_cap(&setup, program, &bitcode, settings.time.min(TRIAL))?;
        programs.push(MeasuredProgram { program, bitcode, cap });
    }

    // The configurations of a seed follow each other, on a machine that is equally busy.
    let mut runs = Vec::new();
    for program in &programs {
        for seed in 1..=options.seeds {
            let run = |configuration| HomiRun { program, configuration, seed };
            runs.extend(Configuration::of(program.program).into_iter().map(run));
        }
    }
    let work = |run: &HomiRun| (run.title(), explore(&setup, run, settings));
    let line = |(title, result): &(String, Result<HomiFigures, String>)| {
        format!("{title}: {}", report::progress(result))
    };
    let results = map_reporting("homi", &runs, options.jobs, work, line);

    let mut text = heading(&options, settings);
    let mut is_sound = true;
    for explored in &programs {
        let own: Vec<_> = (runs.iter().zip(&results))
            .filter(|(run, _)| run.program.program.name == explored.program.name)
            .map(|(run, (_, result))| (&run.configuration, result))
            .collect();
        let result = program_result(explored, &own);
        is_sound &= result.is_sound();
        text += &format!("\n{}", result.section());
    }
    println!("{text}");
    if options.record {
        record::write("homi", "States dropped by what was learnt", &text)?;
    }
    Ok(is_sound)
}

fn heading(options: &HomiBenchOptions, settings: ScaledSettings) -> String {
    let prune = |pruning| settings.prune(pruning).unwrap_or_default();
    format!(
        "`byway run --only-covering-new --max-cpu {}s --seed N {INPUT}`, the mean of {} seeds. *homi* is \
         `--prune {}`, *random* `--prune {}`, *divide* `--prune {}`: the paper's settings, scaled from \
         five hours. Branch sides and lines are of the user's code, by all tests; *states* are those \
         alive, at most and by the mean of the samples; *paths* have ended by themselves; *pruned* and \
         *for memory* count states dropped, the former also those left at the end of a run that \
         another one follows; *runs* are from the program's start; *MiB* is the most \
         memory of the process.\n",
        options.seconds,
        options.seeds,
        prune(Pruning::Homi),
        prune(Pruning::Random),
        prune(Pruning::Divide),
    )
}

fn program_result(
    explored: &MeasuredProgram,
    runs: &[(&Configuration, &Result<HomiFigures, String>)],
) -> ProgramResult {
    let row = |configuration: Configuration| {
        let title = configuration.title();
        let mut row = ConfigurationResult { configuration, runs: Vec::new(), failures: Vec::new() };
        for (_, result) in runs.iter().filter(|(other, _)| other.title() == title) {
            match result {
                Ok(figures) => row.runs.push(*figures),
                Err(error) => row.failures.push(error.clone()),
            }
        }
        row
    };
    ProgramResult {
        program: explored.program.name,
        cap: explored.cap,
        rows: Configuration::of(explored.program).into_iter().map(row).collect(),
    }
}

/// The least cap with which a path of the program ends by itself.
fn least_cap(
    setup: &BenchSetup,
    program: &HomiProgram,
    bitcode: &Path,
    time: Duration,
) -> Result<u64, String> {
    for cap in CAPS {
        let title = format!("{}-{cap}", program.name);
        let options = ["--search".into(), plan::SEARCHERS[0].into()];
        let figures = explore_once(setup, &title, &options, (bitcode, cap), time)
            .map_err(|error| format!("{}: {error}", program.name))?;
        if figures.paths > 0 {
            return Ok(cap);
        }
        eprintln!("homi: {} does not begin with {cap} MiB", program.name);
    }
    Err(format!("no path of {} ends with {} MiB", program.name, CAPS[CAPS.len() - 1]))
}

fn explore(
    setup: &BenchSetup,
    run: &HomiRun,
    settings: ScaledSettings,
) -> Result<HomiFigures, String> {
    let search = run.configuration.search.to_owned();
    let mut options = vec!["--seed".into(), run.seed.to_string(), "--search".into(), search];
    if let Some(prune) = settings.prune(run.configuration.pruning) {
        options.extend(["--prune".into(), prune]);
    }
    let program = (run.program.bitcode.as_path(), run.program.cap);
    explore_once(setup, &run.title(), &options, program, settings.time)
}

/// Explores a program, unless the run with this title has ended in a directory that is kept.
fn explore_once(
    setup: &BenchSetup,
    title: &str,
    options: &[String],
    (bitcode, cap): (&Path, u64),
    time: Duration,
) -> Result<HomiFigures, String> {
    // Removed at the end, unless it is kept.
    let folder = setup.folder(title)?;
    let out = folder.file("run");
    if !RunReader::has_ended(&out) {
        if out.exists() {
            fs::remove_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
        }
        let mut command = command(setup, &out, time, cap);
        finish(command.args(options).arg(bitcode), time)?;
    }
    HomiFigures::read(&out)
}

/// What all explorations have in common.
fn command(setup: &BenchSetup, out: &Path, time: Duration, cap: u64) -> Command {
    let mut command = setup.byway();
    command.args(["run", "--only-covering-new", "--output-dir"]).arg(out);
    command.arg("--max-cpu").arg(format!("{}s", time.as_secs()));
    command.arg("--max-memory").arg(format!("{cap}MiB")).args(INPUT.split(' '));
    command
}

/// Explores. Faults that were found are no failure.
fn finish(command: &mut Command, time: Duration) -> Result<(), String> {
    process::explore(command, time * 10 + GRACE).map(drop)
}
