//! `byway-bench micro`: how fast small programs are explored to the end, beside KLEE.

pub mod klee;

use std::path::Path;
use std::time::Duration;

use crate::exec_stats::{ExecStats, TargetResult};
use crate::process;
use crate::record;
use crate::run_metrics::RunMetrics;
use crate::setup::{BenchSetup, WorkDir};

use klee::{CASES, KleeCase};

const ABOUT: &str = "\
How fast are small programs explored to the end, compared with KLEE?

Compiles the programs in bench/micro to bitcode, explores each several times with `byway run`,
writing tests, and takes the median run. The numbers of paths and faults must be those KLEE
found; the table has KLEE's better time, measured on an idle machine with 2 cores. Seconds are
those of the whole process: loading, exploring, writing. The first run loads the program from
its bitcode; the others find it in byway's cache. A second table shows where the time goes. Runs
write into memory (/dev/shm), so that no disk is measured.

The exit code is 1 if a number of paths or faults is wrong, or if a program takes longer than
KLEE both in seconds and in CPU seconds.";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT)]
pub struct MicroOptions {
    /// Programs whose name contains this text
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    only: String,

    /// Runs of each program
    #[arg(long, value_name = "N", default_value_t = 3)]
    runs: usize,

    /// The searcher; may be repeated (default: that of byway run)
    #[arg(long, value_name = "S")]
    search: Vec<String>,

    /// Write the result to bench/results/DATE-micro.md
    #[arg(long)]
    record: bool,
}

/// Far more than any run should take.
const LIMIT: Duration = Duration::from_secs(600);

/// How `byway run` is called.
struct MicroSettings {
    runs: usize,
    search: Vec<String>,
}

/// One exploration.
struct MicroRun {
    wall: f64,
    cpu: f64,
    metrics: RunMetrics,
}

/// The measurements of one program.
struct MicroResult {
    case: &'static KleeCase,
    /// Seconds of the first run, which loads the program from its bitcode.
    first: f64,
    /// The median of the others.
    run: MicroRun,
    /// Seconds of `byway exec`, for programs without symbolic input.
    exec: Option<f64>,
}

impl MicroResult {
    fn target_result(&self) -> TargetResult {
        TargetResult::of(self.run.wall, self.run.cpu, self.case.klee_seconds)
    }

    /// What is wrong with the numbers of paths and faults.
    fn complaint(&self) -> Option<String> {
        let (metrics, case) = (&self.run.metrics, self.case);
        if !metrics.complete {
            return Some(format!("not explored to the end: {}", metrics.lost));
        }
        let found = (metrics.paths, metrics.faulty_paths);
        (found != (case.paths, case.faulty_paths)).then(|| {
            format!(
                "{} paths, {} of them faulty; KLEE has {} and {}",
                metrics.paths, metrics.faulty_paths, case.paths, case.faulty_paths
            )
        })
    }
}

/// Runs the benchmark and returns whether everything was found, and as fast as by KLEE.
pub fn main(options: MicroOptions) -> Result<bool, String> {
    let MicroOptions { only, runs, search, record } = options;
    let settings = MicroSettings { runs: runs.max(1), search };

    let cases: Vec<_> = CASES.iter().filter(|case| case.name.contains(&only)).collect();
    if cases.is_empty() {
        let names: Vec<_> = CASES.iter().map(|case| case.name).collect();
        return Err(format!("no program is called `{only}`; there are {}", names.join(", ")));
    }
    let setup = BenchSetup::in_memory()?;
    let mut results = Vec::new();
    for case in cases {
        eprintln!("{}", case.title());
        results.push(measure(&setup, case, &settings)?);
    }
    let report = report(&results, &settings);
    println!("{report}");
    if record {
        record::write("micro", "How fast small programs are explored", &report)?;
    }
    let sound = |result: &MicroResult| {
        result.complaint().is_none() && result.target_result() != TargetResult::Missed
    };
    Ok(results.iter().all(sound))
}

fn measure(
    setup: &BenchSetup,
    case: &'static KleeCase,
    settings: &MicroSettings,
) -> Result<MicroResult, String> {
    let folder = setup.folder(case.name)?;
    let bitcode = folder.file("program.bc");
    let source = setup.root.join("bench/micro").join(case.name).with_extension("c");
    let mut flags = case.compiler_flags();
    flags.push(format!("-I{}", setup.root.join("runtime/include").display()));
    setup.toolchain.bitcode(&source, case.level, &flags, &bitcode)?;

    let run = |number| explore(setup, &folder, &bitcode, number, settings);
    let first = run(0)?.wall;
    let mut runs = (1..=settings.runs).map(run).collect::<Result<Vec<_>, _>>()?;
    runs.sort_by(|a, b| a.wall.total_cmp(&b.wall));
    let run = runs.swap_remove(runs.len() / 2);
    let exec = case.is_concrete().then(|| execute(setup, &bitcode)).transpose()?;
    Ok(MicroResult { case, first, run, exec })
}

fn explore(
    setup: &BenchSetup,
    folder: &WorkDir,
    bitcode: &Path,
    number: usize,
    settings: &MicroSettings,
) -> Result<MicroRun, String> {
    let out = folder.file(&format!("run-{number}"));
    let mut command = setup.byway();
    command.arg("run").arg("--output-dir").arg(&out);
    command.args(settings.search.iter().flat_map(|searcher| ["--search", searcher]));
    command.env("BYWAY_CACHE", folder.file("cache")).arg(bitcode);
    let process::ProcessTimes { wall, cpu } = process::explore(&mut command, LIMIT)?;
    let metrics = RunMetrics::read(&out)?;
    // Tens of thousands of tests need not pile up.
    drop(std::fs::remove_dir_all(&out));
    Ok(MicroRun { wall, cpu, metrics })
}

fn execute(setup: &BenchSetup, bitcode: &Path) -> Result<f64, String> {
    let mut command = setup.byway();
    command.args(["exec", "--stats", "--no-cache"]).arg(bitcode);
    let (stats, _) = ExecStats::measure(&mut command, LIMIT)?;
    Ok(stats.run)
}

fn report(results: &[MicroResult], settings: &MicroSettings) -> String {
    let searchers = match settings.search.as_slice() {
        [] => "its own choice".to_owned(),
        several => several.join(", "),
    };
    let mut out = format!("The median of {} runs; searcher: {searchers}.\n\n", settings.runs);
    out.push_str(&speed_table(results));
    out.push_str("\nWhat the time goes into, in seconds:\n\n");
    out.push_str(&share_table(results));
    for result in results {
        if let Some(complaint) = result.complaint() {
            out.push_str(&format!("\n{}: WRONG: {complaint}\n", result.case.title()));
        }
        match result.target_result() {
            TargetResult::Met => {}
            target_result => out.push_str(&format!(
                "\n{}: no slower than KLEE: {target_result}\n",
                result.case.title()
            )),
        }
        if let Some(exec) = result.exec {
            out.push_str(&format!(
                "\n{}: exploring took {:.3} s, `byway exec` {exec:.3} s\n",
                result.case.title(),
                result.run.metrics.explore_seconds
            ));
        }
    }
    out
}

fn speed_table(results: &[MicroResult]) -> String {
    let mut out = String::from(
        "| program | paths | first s | s | CPU s | instructions | queries searched / all | RSS MB | KLEE s | KLEE's time / ours |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for MicroResult { case, first, run, .. } in results {
        let metrics = &run.metrics;
        let mark = if metrics.paths == case.paths { "" } else { " (!)" };
        out.push_str(&format!(
            "| {} | {}{mark} | {first:.3} | {:.3} | {:.2} | {} | {} / {} | {:.0} | {} | {:.1} |\n",
            case.title(),
            metrics.paths,
            run.wall,
            run.cpu,
            metrics.instructions,
            metrics.searched_queries,
            metrics.queries,
            metrics.process_memory as f64 / 1e6,
            case.klee_seconds,
            case.klee_seconds / run.wall,
        ));
    }
    out
}

fn share_table(results: &[MicroResult]) -> String {
    let mut out = String::from(
        "| program | start, load, end | solver's searches | solver's cheap layers | interpreter, forks, tests | most |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    for MicroResult { case, run, .. } in results {
        let metrics = &run.metrics;
        let around = (run.wall - metrics.explore_seconds).max(0.0);
        let layers = metrics.solver_seconds - metrics.search_seconds;
        let rest = (metrics.explore_seconds - metrics.solver_seconds).max(0.0);
        let parts = [
            ("start, load, end", around),
            ("searches", metrics.search_seconds),
            ("layers", layers),
            ("engine", rest),
        ];
        let most = parts.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map_or("", |part| part.0);
        let seconds: Vec<_> = parts.iter().map(|(_, part)| format!("{part:.3}")).collect();
        out.push_str(&format!("| {} | {} | {most} |\n", case.title(), seconds.join(" | ")));
    }
    out
}
