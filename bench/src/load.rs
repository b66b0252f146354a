//! `byway-bench load`: how fast a large program loads, the first time and from
//! the cache.

use std::path::Path;
use std::time::Duration;

use crate::exec_stats::{ExecStats, TargetResult};
use crate::record;
use crate::setup::BenchSetup;
use crate::sources;
use crate::toolchain::Level;

const ABOUT: &str = "\
How fast does a large program load?

Compiles SQLite (about 250,000 instructions at -O1 -g) with a small main program to bitcode, and
measures `byway exec` on it: the first time, and again from the cache. The program runs too,
which proves that it was loaded correctly.

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
    let report = report(&rows);
    println!("{report}");
    if record {
        record::write("load", "How fast a large program loads", &report)?;
    }
    Ok(rows.iter().all(|(_, stats, target)| target_result(stats, *target) != TargetResult::Missed))
}

fn compile(setup: &BenchSetup, sqlite: &Path, main: &Path) -> Result<(), String> {
    let source = sources::sqlite(setup)?;
    let include = format!("-I{}", source.display());
    let flags = ["-g", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION", &include];
    let flags = flags.map(str::to_owned);
    setup.toolchain.bitcode(&source.join("sqlite3.c"), Level::O1, &flags, sqlite)?;
    setup.toolchain.bitcode(&setup.root.join("bench/load/main.c"), Level::O1, &flags, main)
}

fn load(
    setup: &BenchSetup,
    bitcode: &[std::path::PathBuf],
    cache: &Path,
) -> Result<ExecStats, String> {
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
