//! `byway-bench dgse programs`: how much of realistic programs does a reduced exploration skip?

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_base::quantity::percentage;
use byway_rundir::RunReader;

use super::exploration::ReductionMode;
use crate::mutation::{self, MutationResult};
use crate::process::{self, ProcessStatus};
use crate::record;
use crate::run_metrics::RunMetrics;
use crate::setup::{BenchSetup, WorkDir};

const ABOUT: &str = "\
How much of realistic programs does `--reduce dgse` skip?

Explores each program of bench/dgse exhaustively and reduced, and compares paths, time,
instructions, queries and faults. `byway mutate` then judges the tests of both explorations by the
same mutants.

The exit code is 1 if the reduced exploration misses a fault, or an exploration is incomplete.";

const EXAMPLES: &str = "\
Examples:
  ./dev bench dgse programs --record
  ./dev bench dgse programs --only dates,json --no-mutation";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct ProgramsOptions {
    /// The programs, separated by commas (default: all)
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Option<Vec<String>>,

    /// Measure no mutation scores
    #[arg(long)]
    no_mutation: bool,

    /// Mutants of each program, chosen at random
    #[arg(long, value_name = "N", default_value_t = 100)]
    sample: u64,

    /// The most tests of each exploration that judge mutants: those that cover something new, and
    /// others, evenly spread
    #[arg(long, value_name = "N", default_value_t = 500)]
    tests: usize,

    /// Mutants judged at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: u16,

    /// Write the result to bench/results/DATE-dgse.md
    #[arg(long)]
    record: bool,
}

/// Time after which an exploration or a judgement counts as stuck.
const LIMIT: Duration = Duration::from_secs(3600);

/// The figures of one exploration.
struct ModeFigures {
    metrics: RunMetrics,
    faults: BTreeSet<String>,
    mutation: Option<MutationResult>,
}

/// The figures of one program.
struct ProgramFigures {
    name: String,
    /// Every path, depth first.
    all: ModeFigures,
    reduced: ModeFigures,
    /// Processor seconds for every path with the default searcher.
    default_seconds: f64,
}

/// Runs the benchmark and returns whether nothing is missed.
pub fn main(options: ProgramsOptions) -> Result<bool, String> {
    let setup = BenchSetup::in_memory()?;
    let programs = programs(&setup, options.only.as_deref())?;
    let mut figures = Vec::new();
    for (name, source) in programs {
        let measure = |arguments| measure(&setup, &source, arguments, &options);
        let (all, reduced) = (
            measure(ReductionMode::Exhaustive.arguments())?,
            measure(ReductionMode::Reduced.arguments())?,
        );
        let default_seconds = explore(&setup, &source, &[])?.1.cpu_seconds;
        let (most, few) = (all.metrics.paths, reduced.metrics.paths);
        eprintln!("dgse: {name}: {few} of {most} paths");
        figures.push(ProgramFigures { name, all, reduced, default_seconds });
    }
    let complaints: Vec<String> = figures.iter().flat_map(complaints).collect();
    let mut report = report(&figures, &options);
    complaints.iter().for_each(|it| report.push_str(&format!("\nWRONG: {it}\n")));
    println!("{report}");
    if options.record {
        record::write("dgse", "Reduced explorations of realistic programs", &report)?;
    }
    Ok(complaints.is_empty())
}

/// The programs of `bench/dgse`, by name.
fn programs(setup: &BenchSetup, only: Option<&[String]>) -> Result<Vec<(String, PathBuf)>, String> {
    files(&setup.root.join("bench/dgse"), "c", only)
}

/// The files of a folder with this extension, by name; only some of them if `only` names them.
pub fn files(
    folder: &Path,
    extension: &str,
    only: Option<&[String]>,
) -> Result<Vec<(String, PathBuf)>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut all: Vec<(String, PathBuf)> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ext| ext == extension))
        .filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path)))
        .collect();
    all.sort();
    let Some(only) = only else { return Ok(all) };
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    if let Some(unknown) = only.iter().find(|name| !names.contains(&name.as_str())) {
        return Err(format!("there is no `{unknown}`; there are: {}", names.join(" ")));
    }
    all.retain(|(name, _)| only.contains(name));
    Ok(all)
}

/// Explores a program with options; returns the folder of the run, and its figures.
fn explore(
    setup: &BenchSetup,
    source: &Path,
    arguments: &[&str],
) -> Result<(WorkDir, RunMetrics), String> {
    let folder = setup.folder("dgse")?;
    let run = folder.file("run");
    let mut command = setup.byway();
    command.arg("run").arg("--output-dir").arg(&run).args(arguments).arg(source);
    let ended = process::run(&mut command, b"", LIMIT)?;
    if !matches!(ended.status, ProcessStatus::Code(0 | 1)) {
        return Err(format!("{command:?}: {}\n{}", ended.status, ended.stderr_text()));
    }
    let metrics = RunMetrics::read(&run)?;
    Ok((folder, metrics))
}

/// Explores a program and judges its tests.
fn measure(
    setup: &BenchSetup,
    source: &Path,
    arguments: &[&str],
    options: &ProgramsOptions,
) -> Result<ModeFigures, String> {
    let (folder, metrics) = explore(setup, source, arguments)?;
    let run = folder.file("run");
    let faults = faults(&run)?;
    let mutation = match options.no_mutation {
        true => None,
        false => Some(judge(setup, &run, options)?),
    };
    Ok(ModeFigures { metrics, faults, mutation })
}

/// The faults of a run: kind and place.
fn faults(run: &Path) -> Result<BTreeSet<String>, String> {
    let summary = RunReader::open(run).and_then(|run| run.ended_summary());
    let summary = summary.map_err(|e| e.to_string())?;
    let place = |fault: &byway_rundir::FaultCount| match &fault.at {
        Some(at) => format!("{} at line {}", fault.kind, at.line),
        None => fault.kind.clone(),
    };
    Ok(summary.faults.iter().map(place).collect())
}

fn judge(
    setup: &BenchSetup,
    run: &Path,
    options: &ProgramsOptions,
) -> Result<MutationResult, String> {
    let tests = mutation::chosen_tests(run, options.tests)?;
    if tests.is_empty() {
        return Ok(MutationResult::default());
    }
    let mut command = setup.byway();
    command.arg("mutate").arg(run).args(["--json", "--tests", &tests]);
    command.args(["--sample", &options.sample.to_string(), "--jobs", &options.jobs.to_string()]);
    let ended = process::succeed(&mut command, LIMIT)?;
    let value =
        serde_json::from_slice(&ended.stdout).map_err(|e| format!("byway mutate --json: {e}"))?;
    Ok(mutation::read(&value))
}

/// What is wrong with a program's explorations.
fn complaints(figures: &ProgramFigures) -> Vec<String> {
    let ProgramFigures { name, all, reduced, .. } = figures;
    let mut found = Vec::new();
    for fault in all.faults.difference(&reduced.faults) {
        found.push(format!("{name}: the reduced exploration misses {fault}"));
    }
    for (mode, side) in [("exhaustive", all), ("reduced", reduced)] {
        if !side.metrics.complete {
            let lost = &side.metrics.lost;
            found.push(format!("{name}: the {mode} exploration is incomplete: {lost}"));
        }
    }
    found
}

fn report(figures: &[ProgramFigures], options: &ProgramsOptions) -> String {
    let mut text = String::new();
    text.push_str(
        "Each pair of numbers is exhaustive → reduced. Seconds are those of the processor, \
         loading included. The exhaustive exploration is depth first, which is fastest; the time \
         with the default searcher is beside it, since that is what a reduction that is given up \
         goes on with. Time is that of the reduced exploration as a multiple of each.\n\n\
         | program | paths | share | seconds | time | by default, seconds | time | instructions \
         | queries | faults | mutants killed |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for ProgramFigures { name, all, reduced, default_seconds } in figures {
        let (a, r) = (&all.metrics, &reduced.metrics);
        let share = r.paths as f64 / a.paths.max(1) as f64;
        let times = r.cpu_seconds / a.cpu_seconds.max(1e-9);
        let default_times = r.cpu_seconds / default_seconds.max(1e-9);
        let score = |side: &ModeFigures| match side.mutation {
            Some(it) => format!("{} % of {}", percentage(it.part()), it.judged),
            None => "–".to_owned(),
        };
        text.push_str(&format!(
            "| {name} | {} → {} | {} % | {:.1} → {:.1} | {times:.2} × | \
             {default_seconds:.1} | {default_times:.2} × | {} → {} | {} → {} | {} → {} | {} → {} |\n",
            a.paths,
            r.paths,
            percentage(share),
            a.cpu_seconds,
            r.cpu_seconds,
            a.instructions,
            r.instructions,
            a.queries,
            r.queries,
            all.faults.len(),
            reduced.faults.len(),
            score(all),
            score(reduced),
        ));
    }
    let share = |it: &ProgramFigures| it.reduced.metrics.paths as f64 / it.all.metrics.paths as f64;
    let few = figures.iter().filter(|it| share(it) < 0.3).count();
    text.push_str(&format!("\n{few} of {} programs below 30 % of the paths.\n", figures.len()));
    if !options.no_mutation {
        text.push_str(&format!(
            "\nMutants: {} of each program, judged by at most {} tests of each exploration.\n",
            options.sample, options.tests
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("dgse")
    }

    /// Each change applies to the programs as they are, and only to one of them.
    #[test]
    fn the_changes_apply() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut count = 0;
        for entry in std::fs::read_dir(folder().join("changes")).expect("a folder").flatten() {
            let path = entry.path();
            let mut command = Command::new("git");
            command.current_dir(&root).args(["apply", "--check", "-p1"]).arg(&path);
            let ended = command.output().expect("git runs");
            let error = String::from_utf8_lossy(&ended.stderr);
            assert!(ended.status.success(), "{}: {error}", path.display());
            let text = std::fs::read_to_string(&path).expect("a change");
            let files = text.lines().filter(|line| line.starts_with("+++ ")).count();
            assert_eq!(files, 1, "{}", path.display());
            count += 1;
        }
        assert_eq!(count, 10);
    }
}
