//! `byway-bench growth`: how fast costs grow with each dimension of a program and of a run.

mod dimensions;
mod fit;
mod programs;

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use byway_native::child::ResourceUsage;
use byway_rundir::{RunDirError, RunReader};

use crate::process::{self, ProcessStatus};
use crate::record;
use crate::setup::{BenchSetup, WorkDir};
use crate::toolchain::Level;

use dimensions::{Bound, DIMENSIONS, Dimension, MeasuredCommand, SMALLEST_SHARE, Source};

const ABOUT: &str = "\
How fast do time and memory grow with each dimension of a program and of a run?

Doubles the number of inputs, live objects, forks, frames, functions, statements, branches,
globals, conditions, bytes, switch cases and tests, one at a time, in a program that does little
else, and measures the processor time and the most resident memory of byway. The cost at size 1 is fixed
and subtracted; the exponent is the slope of log(cost) against log(size) by least squares on the
four largest sizes. No exponent should be above that of n log n, unless a reason is known. Runs
load the program from bitcode, without the cache, and write into memory (/dev/shm).

The exit code is 1 if an exponent is above its bound by more than the tolerance.";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT)]
pub struct GrowthOptions {
    /// Dimensions whose name contains this text
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    only: String,

    /// Runs of each size; the least cost counts
    #[arg(long, value_name = "N", default_value_t = 2)]
    runs: usize,

    /// Write the result to bench/results/DATE-growth.md
    #[arg(long)]
    record: bool,
}

/// How far an exponent may be above its bound: noise, and tables that double when they are full.
const TOLERANCE: f64 = 0.2;

/// Differences that are noise: seconds, and MiB.
const SECONDS_RESOLUTION: f64 = 0.05;
const MIB_RESOLUTION: f64 = 4.0;

/// Seconds of a run after which larger sizes are left out.
const LONG_RUN: f64 = 15.0;

/// Runs at size 1, at least. They are short, and noise in what is subtracted from all costs
/// changes the exponent most.
const FIXED_RUNS: usize = 5;

/// Far more than any run should take.
const LIMIT: Duration = Duration::from_secs(600);

/// The cost of one size.
#[derive(Copy, Clone)]
struct Cost {
    size: u64,
    /// Processor time.
    seconds: f64,
    mib: f64,
}

/// The costs of a dimension, and how they grow.
struct CostGrowth<'a> {
    dimension: &'a Dimension,
    fixed: Cost,
    costs: Vec<Cost>,
    time_exponent: f64,
    memory_exponent: f64,
}

/// Runs the benchmark and returns whether no cost grows faster than it may.
pub fn main(options: GrowthOptions) -> Result<bool, String> {
    let GrowthOptions { only, runs, record } = options;
    let dimensions: Vec<&Dimension> =
        DIMENSIONS.iter().filter(|dimension| dimension.name.contains(&only)).collect();
    if dimensions.is_empty() {
        let names: Vec<_> = DIMENSIONS.iter().map(|dimension| dimension.name).collect();
        return Err(format!("no dimension is called `{only}`; there are: {}", names.join("; ")));
    }
    let setup = BenchSetup::in_memory()?;
    let mut growths = Vec::new();
    for dimension in dimensions {
        eprintln!("{}", dimension.name);
        growths.push(measure(&setup, dimension, runs.max(1))?);
    }
    let report = report(&growths);
    println!("{report}");
    if record {
        record::write("growth", "How costs grow with each dimension", &report)?;
    }
    Ok(growths.iter().all(|growth| growth.remarks().1))
}

fn measure<'a>(
    setup: &BenchSetup,
    dimension: &'a Dimension,
    runs: usize,
) -> Result<CostGrowth<'a>, String> {
    let fixed = cost(setup, dimension, 1, runs.max(FIXED_RUNS))?;
    let mut costs: Vec<Cost> = Vec::new();
    let mut size = dimension.largest / SMALLEST_SHARE;
    while size <= dimension.largest && costs.last().is_none_or(|last| last.seconds < LONG_RUN) {
        costs.push(cost(setup, dimension, size, runs)?);
        size *= 2;
    }
    let seconds: Vec<(u64, f64)> = costs.iter().map(|cost| (cost.size, cost.seconds)).collect();
    let mib: Vec<(u64, f64)> = costs.iter().map(|cost| (cost.size, cost.mib)).collect();
    let time_exponent = fit::exponent(&seconds, fixed.seconds, SECONDS_RESOLUTION);
    let memory_exponent = fit::exponent(&mib, fixed.mib, MIB_RESOLUTION);
    Ok(CostGrowth { dimension, fixed, costs, time_exponent, memory_exponent })
}

/// The least cost of some runs of a size.
fn cost(setup: &BenchSetup, dimension: &Dimension, size: u64, runs: usize) -> Result<Cost, String> {
    let folder = setup.folder(dimension.name)?;
    compile(setup, dimension, size, &folder)?;
    let mut least = Cost { size, seconds: f64::MAX, mib: f64::MAX };
    for _ in 0..runs {
        let usage = run_once(setup, dimension, size, &folder)
            .map_err(|e| format!("{} {size}: {e}", dimension.name))?;
        least.seconds = least.seconds.min(usage.processor.as_secs_f64());
        least.mib = least.mib.min(usage.memory as f64 / f64::from(1 << 20));
        if least.seconds > LONG_RUN {
            break;
        }
    }
    Ok(least)
}

fn compile(
    setup: &BenchSetup,
    dimension: &Dimension,
    size: u64,
    folder: &WorkDir,
) -> Result<(), String> {
    let source = match dimension.source {
        Source::File(name) => setup.root.join("bench/growth").join(name).with_extension("c"),
        Source::Text(text) => {
            let path = folder.file("program.c");
            std::fs::write(&path, text(size)).map_err(|e| format!("{}: {e}", path.display()))?;
            path
        }
    };
    let include = format!("-I{}", setup.root.join("runtime/include").display());
    let size = format!("-DN={size}");
    let flags = ["-g", "-Xclang", "-disable-O0-optnone", &include, &size].map(str::to_owned);
    setup.toolchain.bitcode(&source, Level::O0, &flags, &folder.file("program.bc"))
}

/// Explores the program, and returns what the measured command used.
fn run_once(
    setup: &BenchSetup,
    dimension: &Dimension,
    size: u64,
    folder: &WorkDir,
) -> Result<ResourceUsage, String> {
    let (out, cache, corpus) = (folder.file("run"), folder.file("cache"), folder.file("corpus"));
    for dir in [&out, &cache, &corpus] {
        if dir.exists() {
            std::fs::remove_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
        }
    }
    let mut command = setup.byway();
    command.args(["run", "--output-dir"]).arg(&out).args(dimension.options);
    command.arg(folder.file("program.bc")).env("BYWAY_CACHE", cache);
    let mut usage = usage(&mut command)?;
    let explored = explored_memory(&out, (dimension.paths)(size))?;
    if matches!(dimension.source, Source::File(_)) {
        usage.memory = explored;
    }
    let mut command = setup.byway();
    match dimension.measured {
        MeasuredCommand::Run => return Ok(usage),
        MeasuredCommand::Stats => command.arg("stats").arg(&out),
        MeasuredCommand::Show => command.arg("show").arg(&out).arg(size.to_string()),
        MeasuredCommand::Export => command.arg("export").arg("--to").arg(corpus).arg(&out),
    };
    self::usage(&mut command)
}

/// What a command used, which must succeed.
fn usage(command: &mut Command) -> Result<ResourceUsage, String> {
    match process::run_with_usage(command, b"", LIMIT)? {
        (ended, usage) if ended.status == ProcessStatus::Code(0) => Ok(usage),
        (ended, _) => {
            Err(format!("byway ended with {}: {}", ended.status, ended.stderr_text().trim()))
        }
    }
}

/// The most resident bytes of the exploring process alone. The process that reads bitcode takes
/// more for a small program, and as much at each size if the program's text does not grow.
///
/// Fails unless the run found all paths: one that did less work costs less.
fn explored_memory(out: &Path, paths: u64) -> Result<u64, String> {
    let read = || {
        let run = RunReader::open(out)?;
        Ok((run.ended_summary()?, run.clock()?.last.unwrap_or_default()))
    };
    let (summary, last) = read().map_err(|e: RunDirError| e.to_string())?;
    let found = summary.totals.path_count();
    match summary.complete && found == paths {
        true => Ok(last.max_process_memory),
        false => Err(format!("{found} of {paths} paths, or incomplete")),
    }
}

impl CostGrowth<'_> {
    /// What there is to say of the exponents, and whether both are within their bounds.
    fn remarks(&self) -> (String, bool) {
        let mut remarks = Vec::new();
        let mut within = true;
        let pairs = [
            ("time", self.time_exponent, &self.dimension.time),
            ("memory", self.memory_exponent, &self.dimension.memory),
        ];
        for (what, exponent, bound) in pairs {
            if exponent > bound.exponent + TOLERANCE {
                remarks.push(format!("{what}: **above its bound, unexplained**"));
                within = false;
            } else if let Some(reason) = bound.reason {
                remarks.push(format!("{what}: {reason}"));
            }
        }
        (remarks.join("; "), within)
    }
}

fn report(growths: &[CostGrowth]) -> String {
    let mut report = format!(
        "Processor time and the most resident memory of `byway` (where the program's text grows, also \
         of the process that reads bitcode), at doubling sizes; the exponents are fitted to the four largest, less the cost at size 1. What stays within \
         {SECONDS_RESOLUTION} s or {MIB_RESOLUTION} MiB of that has exponent 0. *Bound*: 1.1 is \
         n log n; up to {TOLERANCE} more is noise.\n\n\
         | dimension | largest size | s | exponent | bound | MiB | exponent | bound | remark |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---|\n"
    );
    let mark = |exponent: f64, bound: &Bound| match exponent > bound.exponent + TOLERANCE {
        true => " (!)",
        false => "",
    };
    for growth in growths {
        let Dimension { name, counted, time, memory, .. } = growth.dimension;
        let Some(Cost { size, seconds, mib }) = growth.costs.last() else { continue };
        let (time_exponent, memory_exponent) = (growth.time_exponent, growth.memory_exponent);
        let _ = writeln!(
            report,
            "| {name} | {size} {counted} | {seconds:.2} | {time_exponent:.2}{} | {} | {mib:.0} | \
             {memory_exponent:.2}{} | {} | {} |",
            mark(time_exponent, time),
            time.exponent,
            mark(memory_exponent, memory),
            memory.exponent,
            growth.remarks().0,
        );
    }
    report.push_str("\nSeconds / MiB at each size:\n\n| dimension | costs |\n|---|---|\n");
    for growth in growths {
        let costs = std::iter::once(&growth.fixed).chain(&growth.costs);
        let costs: Vec<String> = costs
            .map(|cost| format!("{}: {:.2} / {:.0}", cost.size, cost.seconds, cost.mib))
            .collect();
        let _ = writeln!(report, "| {} | {} |", growth.dimension.name, costs.join(", "));
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(dimension: &Dimension, time_exponent: f64, memory_exponent: f64) -> CostGrowth<'_> {
        let cost = |size| Cost { size, seconds: 2.0, mib: 64.0 };
        CostGrowth {
            dimension,
            fixed: cost(1),
            costs: vec![cost(8)],
            time_exponent,
            memory_exponent,
        }
    }

    #[test]
    fn an_exponent_above_its_bound_is_marked() {
        let dimension = &DIMENSIONS[0];
        let (remark, within) = growth(dimension, 1.3, 1.2).remarks();
        assert!(within && remark.is_empty(), "{remark}");
        let (remark, within) = growth(dimension, 1.0, 1.4).remarks();
        assert!(!within && remark.contains("memory") && !remark.contains("time"), "{remark}");
        let text = report(&[growth(dimension, 1.96, 1.0)]);
        let row = "| inputs | 8 symbolic objects | 2.00 | 1.96 (!) | 1.1 | 64 | 1.00 | 1.1 | time";
        assert!(text.contains(row) && text.contains("| inputs | 1: 2.00 / 64, 8: 2"), "{text}");
    }

    #[test]
    fn dimensions_have_doubling_sizes_and_reasons() {
        for dimension in &DIMENSIONS {
            assert!(dimension.largest.is_multiple_of(SMALLEST_SHARE), "{}", dimension.name);
            for bound in [&dimension.time, &dimension.memory] {
                assert!(bound.exponent <= 1.1 || bound.reason.is_some(), "{}", dimension.name);
            }
        }
    }
}
