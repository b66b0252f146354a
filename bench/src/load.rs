//! `byway-bench load`: how fast a large program loads, the first time and from
//! the cache.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use byway_ir::analysis::{CallEffect, DistanceGraph, ProgramPoint};
use byway_ir::text;

use crate::exec_stats::{ExecStats, TargetResult};
use crate::process;
use crate::record;
use crate::setup::BenchSetup;
use crate::sources;
use crate::toolchain::Level;

const ABOUT: &str = "\
How fast does a large program load?

Compiles SQLite (about 250,000 instructions at -O1 -g) with a small main program to bitcode, and
measures `byway exec` on it: the first time, and again from the cache. The program runs too,
which proves that it was loaded correctly. Then the distances of all its blocks to one target are
prepared, as `byway reach` and the searcher `sdse` do.

The exit code is 1 if a target is missed both in seconds and in CPU seconds.";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT)]
pub struct LoadOptions {
    /// Loads of each kind; the best counts
    #[arg(long, value_name = "N", default_value_t = 3)]
    runs: usize,

    /// Write the result to bench/results/DATE-load.md
    #[arg(long)]
    record: bool,
}

/// Seconds the first load and one from the cache may take.
const FIRST_TARGET: f64 = 2.0;
const CACHED_TARGET: f64 = 0.2;
/// Seconds that the distances to a target may take.
const DISTANCES_TARGET: f64 = 1.0;

const LIMIT: Duration = Duration::from_secs(300);

/// Runs the benchmark and returns whether the targets are met.
pub fn main(options: LoadOptions) -> Result<bool, String> {
    let (runs, record) = (options.runs.max(1), options.record);

    let setup = BenchSetup::new(None)?;
    let folder = setup.folder("load")?;
    let bitcode = [folder.file("sqlite3.bc"), folder.file("main.bc")];
    compile(&setup, &bitcode[0], &bitcode[1])?;

    let (mut first, mut cached) = (Vec::new(), Vec::new());
    for run in 0..runs {
        let cache = folder.file(&format!("cache-{run}"));
        first.push(load(&setup, &bitcode, &cache)?);
        cached.push(load(&setup, &bitcode, &cache)?);
    }
    let (first, cached) = (fastest(&first)?, fastest(&cached)?);
    let rows = [("first", first, FIRST_TARGET), ("from the cache", cached, CACHED_TARGET)];
    let distances = distances(&setup, &bitcode, &folder.file("sqlite3.bwir"), runs)?;
    let distances_result = TargetResult::of(distances, distances, DISTANCES_TARGET);
    let report = format!(
        "{}\nDistances of all blocks to `sqlite3_complete`: {distances:.3} s (target \
         {DISTANCES_TARGET}, {distances_result}).\n",
        report(&rows)
    );
    println!("{report}");
    if record {
        record::write("load", "How fast a large program loads", &report)?;
    }
    let loads = rows.iter().map(|(_, stats, target)| target_result(stats, *target));
    Ok(loads.chain([distances_result]).all(|result| result != TargetResult::Missed))
}

/// The least seconds that it takes to prepare the distances to a function.
fn distances(
    setup: &BenchSetup,
    bitcode: &[PathBuf],
    text: &Path,
    runs: usize,
) -> Result<f64, String> {
    let mut command = setup.byway();
    command.args(["ir", "--out"]).arg(text).args(bitcode);
    process::succeed(&mut command, LIMIT)?;
    let text = fs::read_to_string(text).map_err(|e| format!("cannot read {text:?}: {e}"))?;
    let module = text::parse(&text).map_err(|e| format!("byway ir wrote a bad program: {e}"))?;
    let func = module.func_by_name("sqlite3_complete").ok_or("no function sqlite3_complete")?;
    let block = module.funcs[func].entry().ok_or("sqlite3_complete has no body")?;
    let target = ProgramPoint { func, block, inst: 0 };
    let seconds = (0..runs).map(|_| {
        let start = Instant::now();
        let graph = DistanceGraph::new(&module, |_| CallEffect::Returns);
        black_box(graph.to([target]));
        start.elapsed().as_secs_f64()
    });
    Ok(seconds.fold(f64::INFINITY, f64::min))
}

fn compile(setup: &BenchSetup, sqlite: &Path, main: &Path) -> Result<(), String> {
    let source = sources::sqlite(setup)?;
    let include = format!("-I{}", source.display());
    let flags = ["-g", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION", &include];
    let flags = flags.map(str::to_owned);
    setup.toolchain.bitcode(&source.join("sqlite3.c"), Level::O1, &flags, sqlite)?;
    setup.toolchain.bitcode(&setup.root.join("bench/load/main.c"), Level::O1, &flags, main)
}

fn load(setup: &BenchSetup, bitcode: &[PathBuf], cache: &Path) -> Result<ExecStats, String> {
    let mut command = setup.byway();
    command.args(["exec", "--stats"]).args(bitcode).env("BYWAY_CACHE", cache);
    let (stats, stdout) = ExecStats::measure(&mut command, LIMIT)?;
    let expected = "total = 43\nlast = two\n";
    if stdout != expected.as_bytes() {
        let got = String::from_utf8_lossy(&stdout);
        return Err(format!("SQLite ran wrongly: `{got}` instead of `{expected}`"));
    }
    Ok(stats)
}

/// The processor time includes running SQLite, some hundredths of a second.
fn target_result(stats: &ExecStats, target: f64) -> TargetResult {
    TargetResult::of(stats.load, stats.cpu, target)
}

fn fastest(loads: &[ExecStats]) -> Result<ExecStats, String> {
    loads.iter().copied().min_by(|a, b| a.cpu.total_cmp(&b.cpu)).ok_or("no run".to_owned())
}

fn report(rows: &[(&str, ExecStats, f64)]) -> String {
    let mut out = String::from(
        "| load | instructions | seconds | CPU seconds | target | |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    for (name, stats, target) in rows {
        let target_result = target_result(stats, *target);
        out.push_str(&format!(
            "| {name} | {} | {:.3} | {:.2} | {target} | {target_result} |\n",
            stats.size, stats.load, stats.cpu
        ));
    }
    out
}
