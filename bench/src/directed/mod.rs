//! `byway-bench directed`: the experiments of "Directed symbolic execution" (Ma et al., 2011), by
//! Byway's searchers.

mod coreutils;
mod figures;

use std::path::Path;
use std::time::Duration;

use byway_rundir::{RunReader, VerdictRecord};

use crate::process::{self, ProcessStatus};
use crate::record;
use crate::run_metrics::RunMetrics;
use crate::setup::BenchSetup;

const ABOUT: &str = "\
How much work does it take to reach a line?

Two parts. `figures`: the three small programs of the paper, bench/directed/figure2.c to figure4.c,
counted in work, so that the result is the same on every machine. `coreutils`: three tools of
Coreutils 9.1 with a fault of a former version put back (bench/coreutils/faults), in processor
seconds, with symbolic arguments as in the paper.

The exit code is 1 if the figures do not show what the paper shows: figure 2 by sdse with fewer than
200 forks and by random-path with more; figure 3 by ccbse with a tenth of the work of sdse; figure 4 by
mix-ccbse, but not by ccbse with ten times its work.";

const EXAMPLES: &str = "\
Examples:
  ./dev bench directed --only figures
  ./dev bench directed --only coreutils --seeds 1 --limit 60s";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct DirectedOptions {
    /// One part: figures or coreutils
    #[arg(long, value_name = "PART", value_parser = ["figures", "coreutils"])]
    only: Option<String>,

    /// Seeds of each experiment: 1 to N (default: 5 for figures, 3 for coreutils)
    #[arg(long, value_name = "N")]
    seeds: Option<u64>,

    /// The processor time of one search of a tool
    #[arg(long, value_name = "TIME", default_value = "3m", value_parser = byway_base::quantity::parse_time)]
    limit: Duration,

    /// Write the result to bench/results/DATE-directed.md
    #[arg(long)]
    record: bool,
}

/// Runs the benchmark and returns whether the figures are as they should be.
pub fn main(options: DirectedOptions) -> Result<bool, String> {
    let setup = BenchSetup::in_memory()?;
    let has = |part: &str| options.only.as_deref().is_none_or(|only| only == part);
    let (mut report, mut is_sound) = (String::new(), true);
    if has("figures") {
        let (text, complaints) = figures::measure(&setup, options.seeds.unwrap_or(5))?;
        report.push_str(&text);
        is_sound = complaints.is_empty();
        complaints.iter().for_each(|it| report.push_str(&format!("\nWRONG: {it}\n")));
    }
    if has("coreutils") {
        let text = coreutils::measure(&setup, options.seeds.unwrap_or(3), options.limit)?;
        report.push_str(&text);
    }
    println!("{report}");
    if options.record {
        record::write("directed", "Reaching a line", &report)?;
    }
    Ok(is_sound)
}

/// A search for one target.
struct TargetSearch<'a> {
    program: &'a Path,
    target: String,
    /// `None` is the default of `byway reach`.
    searcher: Option<&'a str>,
    seed: u64,
    /// Further options.
    options: Vec<String>,
    /// When it counts as stuck.
    limit: Duration,
}

/// What a search took.
struct Found {
    is_reached: bool,
    work: u64,
    forks: u64,
    cpu_seconds: f64,
}

impl TargetSearch<'_> {
    fn run(&self, setup: &BenchSetup) -> Result<Found, String> {
        let folder = setup.folder("directed")?;
        let out = folder.file("run");
        let mut command = setup.byway();
        command.args(["reach", "--no-confirm", "--target", &self.target]);
        command.arg("--output-dir").arg(&out).args(["--seed", &self.seed.to_string()]);
        command.args(self.searcher.iter().flat_map(|name| ["--search", name]));
        command.args(&self.options).arg(self.program);
        let ended = process::run(&mut command, b"", self.limit)?;
        // Reached or unreachable, and undecided.
        if !matches!(ended.status, ProcessStatus::Code(0 | 5)) {
            return Err(format!("{:?}: {}\n{}", command, ended.status, ended.stderr_text()));
        }
        let read = || {
            let run = RunReader::open(&out)?;
            Ok((run.ended_summary()?, run.targets()?, run.samples()?))
        };
        let (summary, targets, samples) =
            read().map_err(|e: byway_rundir::RunDirError| e.to_string())?;
        let is_reached = targets
            .iter()
            .flat_map(|it| &it.targets)
            .any(|target| matches!(target.verdict, VerdictRecord::Reached { .. }));
        let metrics = RunMetrics::new(&summary, &samples)?;
        Ok(Found {
            is_reached,
            work: summary.totals.work,
            forks: summary.totals.forks,
            cpu_seconds: metrics.cpu_seconds,
        })
    }
}

/// The median of some measurements; those that were not made count as larger than all others.
fn median(mut values: Vec<Option<f64>>) -> Option<f64> {
    let key = |value: &Option<f64>| value.unwrap_or(f64::INFINITY);
    values.sort_by(|a, b| key(a).total_cmp(&key(b)));
    values.get(values.len() / 2).copied().flatten()
}

/// How a searcher is called in a table.
fn name(searcher: Option<&str>) -> &str {
    searcher.unwrap_or("default of reach")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_counts_failures_as_slow() {
        assert_eq!(median(vec![Some(3.0), None, Some(1.0)]), Some(3.0));
        assert_eq!(median(vec![None, None, Some(1.0)]), None);
        assert_eq!(median(vec![Some(2.0)]), Some(2.0));
    }
}
