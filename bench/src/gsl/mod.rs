//! `byway-bench gsl`: how much of numeric functions do strategies cover?
//!
//! The experiment of the paper on greedy concolic testing: functions of the GNU Scientific Library
//! with unconstrained parameters, symbolic doubles among them.

mod functions;
mod reachable;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_base::quantity::{parse_time, percentage};
use byway_ir::Module;
use byway_rundir::{CoverageRecord, RunReader};

use crate::process::{self, ProcessStatus};
use crate::record;
use crate::setup::BenchSetup;
use crate::sources;
use functions::FUNCTIONS;
use reachable::{ReachableCode, ReachedShares};

const ABOUT: &str = "\
How much of numeric functions do strategies cover?

Explores 20 functions of the GNU Scientific Library (Debian's sources) with `--entry`, each with
every strategy for the same processor time. Instructions are those on lines that tests execute, of
the function itself, and of it with all functions that it can call. The first run fetches and compiles the
library, which is kept in the cache.

The exit code is 1 if a function cannot be explored, or the first strategy covers less than 80 % of
the functions' own instructions on average.";

const EXAMPLES: &str = "\
Examples:
  ./dev bench gsl --record
  ./dev bench gsl --only bessel_cos --max-cpu 20s --search greedy,random-testing";

/// The share of the functions' own instructions that the first strategy should cover.
const GOAL: f64 = 0.8;

/// Time for loading and results beyond the exploration.
const GRACE: Duration = Duration::from_secs(600);

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct GslOptions {
    /// Functions whose name contains this text
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    only: String,

    /// The processor time of each exploration
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = parse_time)]
    max_cpu: Duration,

    /// The strategies, separated by commas
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "greedy,auto,random-testing,klee-default"
    )]
    search: Vec<String>,

    /// Write the result to bench/results/DATE-gsl.md
    #[arg(long)]
    record: bool,
}

/// Runs the benchmark and returns whether its result is as it should be.
pub fn main(options: GslOptions) -> Result<bool, String> {
    let setup = BenchSetup::in_memory()?;
    let library = library(&setup)?;
    let module = load(&setup, &library)?;
    let mut report = heading(&options);
    let mut sums = vec![FunctionShares::default(); options.search.len()];
    let chosen: Vec<&str> =
        FUNCTIONS.into_iter().filter(|name| name.contains(&options.only)).collect();
    if chosen.is_empty() {
        return Err(format!("no function contains `{}`", options.only));
    }
    for &name in &chosen {
        let func = module.func_by_name(name).ok_or_else(|| format!("no `{name}`"))?;
        let own = ReachableCode::of(&module, func);
        let all = ReachableCode::with_callees(&module, func);
        _ = write!(report, "| {name} | {} | {} |", own.instructions(), all.instructions());
        for (sum, search) in sums.iter_mut().zip(&options.search) {
            let coverage = explore(&setup, &library, name, search, options.max_cpu)?;
            let shares = FunctionShares { own: own.shares(&coverage), all: all.shares(&coverage) };
            eprintln!("gsl: {name}, {search}: {}", shares.cells());
            report += &shares.cells();
            sum.add(shares, 1.0 / chosen.len() as f64);
        }
        report += "\n";
    }
    report += "| mean | | |";
    sums.iter().for_each(|mean| report += &mean.cells());
    report += "\n";
    println!("{report}");
    if options.record {
        record::write("gsl", "Numeric functions of GSL", &report)?;
    }
    Ok(sums.first().is_some_and(|first| first.own.instructions >= GOAL))
}

fn heading(options: &GslOptions) -> String {
    let mut text = format!(
        "Functions of GSL with unconstrained parameters, {} s of the processor each: the part of \
         the function's own instructions that tests execute; of the instructions, and of the \
         lines, of the function with all that it can call, much of which its arguments exclude. \
         The paper, in 30 minutes: greedy 76.9 % of the instructions, random tests 74.0 %, KLEE's \
         best searcher 36.5 %. It must count the functions' own: it has 97 % for \
         coulomb_FG0_series, whose callees get arguments for which most of their code is dead.\n\n\
         | function | instructions | with callees |",
        options.max_cpu.as_secs()
    );
    options.search.iter().for_each(|it| text += &format!(" {it}: own | all | lines |"));
    text += &format!("\n|---|---:|---:|{}\n", "---:|---:|---:|".repeat(options.search.len()));
    text
}

/// What tests execute of a function, alone and with what it can call.
#[derive(Copy, Clone, Default)]
struct FunctionShares {
    own: ReachedShares,
    all: ReachedShares,
}

impl FunctionShares {
    fn add(&mut self, other: FunctionShares, weight: f64) {
        for (sum, other) in [(&mut self.own, other.own), (&mut self.all, other.all)] {
            sum.instructions += other.instructions * weight;
            sum.lines += other.lines * weight;
        }
    }

    fn cells(self) -> String {
        let FunctionShares { own, all } = self;
        let shown = [own.instructions, all.instructions, all.lines].map(percentage);
        format!(" {} % | {} % | {} % |", shown[0], shown[1], shown[2])
    }
}

/// The library as bitcode.
fn library(setup: &BenchSetup) -> Result<PathBuf, String> {
    let build = setup.root.join("bench/gsl/build");
    let script = format!("'{}' .", build.display());
    sources::once(setup, "gsl", &script).map(|folder| folder.join("gsl.bc"))
}

/// The library as the engine sees it.
fn load(setup: &BenchSetup, library: &Path) -> Result<Module, String> {
    let folder = setup.folder("gsl")?;
    let text = folder.file("gsl.bwir");
    let mut command = setup.byway();
    command.args(["ir", "--no-cache", "--out"]).arg(&text).arg(library);
    process::succeed(&mut command, GRACE)?;
    let read = std::fs::read_to_string(&text).map_err(|e| format!("{}: {e}", text.display()))?;
    byway_ir::text::parse(&read).map_err(|e| format!("{}: {e}", text.display()))
}

/// Explores a function with a strategy.
fn explore(
    setup: &BenchSetup,
    library: &Path,
    name: &str,
    search: &str,
    time: Duration,
) -> Result<CoverageRecord, String> {
    let folder = setup.folder(name)?;
    let out = folder.file("out");
    let mut command = setup.byway();
    command.args(["run", "--entry", name, "--search", search, "--only-covering-new"]);
    command.arg(format!("--max-cpu={}s", time.as_secs())).arg("--output-dir").arg(&out);
    let ended = process::run(command.arg(library), b"", time + GRACE)?;
    if !matches!(ended.status, ProcessStatus::Code(0 | 1 | 3 | 5)) {
        return Err(format!("{command:?}: {}\n{}", ended.status, ended.stderr_text()));
    }
    let coverage = RunReader::open(&out).and_then(|run| run.coverage());
    coverage.map_err(|e| e.to_string())?.ok_or_else(|| format!("{name}, {search}: no coverage"))
}
