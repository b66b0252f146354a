//! `byway-bench interp`: how fast programs run, in seconds and in instructions.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::exec_stats::{ExecStats, TargetResult};
use crate::process;
use crate::record;
use crate::setup::BenchSetup;
use crate::toolchain::Level;

const ABOUT: &str = "\
How fast do programs run?

Runs the programs in bench/micro at -O0 and -O2 under `byway exec` and natively, each several
times, and takes the best: on a shared machine the least disturbed run is the most accurate.
Seconds are the program's own, without compiling and loading; CPU seconds include both.

The exit code is 1 if concrete_loop misses its target both in seconds and in CPU seconds: on a
busy machine a program waits more than it runs.";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT)]
pub struct InterpOptions {
    /// Programs whose name contains this text
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    filter: String,

    /// Runs of each program
    #[arg(long, value_name = "N", default_value_t = 3)]
    runs: usize,

    /// Multiplies the work
    #[arg(long, value_name = "N", default_value_t = 1)]
    scale: u64,

    /// Write the result to bench/results/DATE-interp.md
    #[arg(long)]
    record: bool,
}

/// A program and how much work to give it.
pub struct Kernel {
    pub name: &'static str,
    pub iterations: u64,
    what: &'static str,
}

pub const KERNELS: [Kernel; 6] = [
    Kernel { name: "concrete_loop", iterations: 10_000_000, what: "integers, a table" },
    Kernel { name: "sha256", iterations: 10_000, what: "rotations, arrays, calls" },
    Kernel { name: "sort", iterations: 100_000, what: "qsort, function pointers" },
    Kernel { name: "matrix", iterations: 160, what: "doubles" },
    Kernel { name: "hashtable", iterations: 200_000, what: "malloc, strings, pointers" },
    Kernel { name: "print", iterations: 20_000, what: "printf" },
];

/// Seconds per million iterations `concrete_loop` may take.
fn target(level: Level) -> f64 {
    if level == Level::O0 { 0.55 } else { 0.105 }
}

/// Long enough for the slowest kernel on a busy machine.
const LIMIT: Duration = Duration::from_secs(600);

/// What was measured.
struct InterpResult {
    kernel: &'static Kernel,
    iterations: u64,
    level: Level,
    byway: ExecStats,
    native: f64,
}

impl InterpResult {
    fn per_million(&self, seconds: f64) -> f64 {
        seconds / self.iterations as f64 * 1e6
    }

    /// How it stands to its target, if there is one.
    fn target_result(&self) -> Option<TargetResult> {
        let (wall, cpu) = (self.per_million(self.byway.run), self.per_million(self.byway.cpu));
        let has_target = self.kernel.name == "concrete_loop";
        has_target.then(|| TargetResult::of(wall, cpu, target(self.level)))
    }
}

/// Runs the benchmark and returns whether the targets are met.
pub fn main(options: InterpOptions) -> Result<bool, String> {
    let InterpOptions { filter, scale, record, .. } = options;
    let runs = options.runs.max(1);

    let setup = BenchSetup::new(None)?;
    let mut results = Vec::new();
    for kernel in KERNELS.iter().filter(|kernel| kernel.name.contains(&filter)) {
        for level in Level::COMPARED {
            eprintln!("{} {}", kernel.name, level.flag());
            results.push(measure(&setup, kernel, kernel.iterations * scale, level, runs)?);
        }
    }
    let report = report(&results);
    println!("{report}");
    if record {
        record::write("interp", "How fast programs run", &report)?;
    }
    Ok(results.iter().all(|result| result.target_result() != Some(TargetResult::Missed)))
}

fn measure(
    setup: &BenchSetup,
    kernel: &'static Kernel,
    iterations: u64,
    level: Level,
    runs: usize,
) -> Result<InterpResult, String> {
    let source = setup.root.join("bench/micro").join(kernel.name).with_extension("c");
    let folder = setup.folder(kernel.name)?;
    let work = format!("-DITER={iterations}u");
    let (bitcode, native) = (folder.file("program.bc"), folder.file("native"));
    setup.toolchain.bitcode(&source, level, std::slice::from_ref(&work), &bitcode)?;
    setup.toolchain.executable(&bitcode, level, &native)?;

    let native_time = best(runs, || run_natively(&native))?;
    let byway = runs_of(runs, || {
        let mut command = setup.byway();
        command.args(["exec", "--stats", "--no-cache", level.flag(), &work]).arg(&source);
        ExecStats::measure(&mut command, LIMIT)
    })?;
    let fastest = byway.into_iter().map(|(stats, _)| stats).min_by(|a, b| a.cpu.total_cmp(&b.cpu));
    let byway = fastest.ok_or("no run")?;
    Ok(InterpResult { kernel, iterations, level, byway, native: native_time })
}

fn run_natively(executable: &Path) -> Result<f64, String> {
    let ended = process::run(&mut Command::new(executable), b"", LIMIT)?;
    Ok(ended.time.as_secs_f64())
}

fn runs_of<T>(runs: usize, run: impl Fn() -> Result<T, String>) -> Result<Vec<T>, String> {
    (0..runs).map(|_| run()).collect()
}

fn best(runs: usize, run: impl Fn() -> Result<f64, String>) -> Result<f64, String> {
    Ok(runs_of(runs, run)?.into_iter().fold(f64::INFINITY, f64::min))
}

fn report(results: &[InterpResult]) -> String {
    let mut out = String::from(
        "| program | level | iterations | seconds | CPU seconds | million instructions | million/s | native s | times native |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for result in results {
        let InterpResult { kernel, iterations, level, byway, native } = result;
        let executed = byway.executed as f64 / 1e6;
        out.push_str(&format!(
            "| {} ({}) | {} | {iterations} | {:.3} | {:.2} | {executed:.1} | {:.1} | {native:.4} | {:.0} |\n",
            kernel.name,
            kernel.what,
            level.flag(),
            byway.run,
            byway.cpu,
            executed / byway.run.max(1e-9),
            byway.run / native,
        ));
    }
    for result in results {
        let Some(target_result) = result.target_result() else { continue };
        out.push_str(&format!(
            "\n{} {}: {:.4} s ({:.4} CPU s) per million iterations, target {} s: {}\n",
            result.kernel.name,
            result.level.flag(),
            result.per_million(result.byway.run),
            result.per_million(result.byway.cpu),
            target(result.level),
            target_result,
        ));
    }
    out
}
