//! `byway-bench semantics`: Byway against native runs, suite by suite.

use std::ops::Range;
use std::path::PathBuf;

use crate::checks::{self, CheckCase, SuiteTally};
use crate::record;
use crate::setup::BenchSetup;
use crate::suite::{SuiteSelection, csmith, faults, programs, torture};
use crate::toolchain::Level;

const ABOUT: &str = "\
Does Byway behave as the machine does?

Runs programs natively and under `byway exec` and compares exit code and output.
  programs  the repository's own, tests/c and tests/ll, at -O0 and -O2
  faults    tests/faults: the marked line must be reported with the marked kind
  csmith    random programs by Debian's csmith, at -O0 and -O2 alternately
  torture   the execute tests of GCC's C torture suite, at -O0 and -O2
With --checks, byway compiles the sources itself. A csmith or torture program that it reports is no
test if clang's sanitizers report the same defect; otherwise the report is a mismatch.

The exit code is 1 if any program differs, or if more than 3 % are skipped.";

const EXAMPLES: &str = "\
Examples:
  ./dev bench semantics --quick
  ./dev bench semantics --only torture --filter 20000112 --opt -O2 --keep /tmp/t
  ./dev bench semantics --only csmith --seeds 4000..5000
  ./dev bench semantics --only programs --points-to
  ./dev bench semantics --only programs,csmith,torture --seeds 1..561 --checks all";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct SemanticsOptions {
    /// A sample: 200 csmith programs, a tenth of the torture tests
    #[arg(long)]
    quick: bool,

    /// Suites to run, separated by commas (default: all)
    #[arg(long, value_name = "SUITE")]
    only: Option<String>,

    /// Programs whose name contains this text
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,

    /// Only this level: -O0, -O1 or -O2 (default: -O0 and -O2)
    #[arg(long, value_name = "LEVEL", allow_hyphen_values = true)]
    opt: Option<Level>,

    /// csmith seeds from A up to, but not including, B (default: 1..1121, with --quick 1..231)
    #[arg(long, value_name = "A..B", value_parser = seeds)]
    seeds: Option<Range<u32>>,

    /// The checks of byway, such as `all`: no program may be reported that sanitizers find clean
    #[arg(long, value_name = "CHECKS")]
    checks: Option<String>,

    /// Check the points-to analysis on the repository's programs: an access that it misses is a
    /// mismatch
    #[arg(long)]
    points_to: bool,

    /// Programs checked at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,

    /// Leave sources, bitcode and executables in this directory
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,

    /// Write the result to bench/results/DATE-semantics.md
    #[arg(long)]
    record: bool,
}

/// Makes the cases of one suite.
type CasesOf = for<'a> fn(&'a BenchSetup, &SuiteSelection) -> Result<Vec<CheckCase<'a>>, String>;

const SUITES: [(&str, CasesOf); 4] = [
    ("programs", programs::cases),
    ("faults", faults::cases),
    ("csmith", csmith::cases),
    ("torture", torture::cases),
];

/// csmith seeds of a full and of a quick run: about a tenth of the programs run
/// for too long natively, so these give more than 1,000 and 200 tests.
const SEEDS: Range<u32> = 1..1121;
const QUICK_SEEDS: Range<u32> = 1..231;

/// At most so many per cent of a whole suite may be skipped.
const SKIPPED_LIMIT: f64 = 3.0;

/// Runs the benchmark and returns whether all checks agree.
pub fn main(options: SemanticsOptions) -> Result<bool, String> {
    let SemanticsOptions {
        quick,
        only,
        filter,
        opt: level,
        seeds,
        checks,
        points_to,
        jobs,
        keep,
        record,
    } = options;
    let seeds = seeds.unwrap_or(if quick { QUICK_SEEDS } else { SEEDS });

    let chosen = chosen(only.as_deref())?;
    let levels = level.map_or_else(|| Level::COMPARED.to_vec(), |level| vec![level]);
    let selection = SuiteSelection { quick, levels, seeds, checks, points_to };
    let setup = BenchSetup::new(keep)?;
    let mut results = Vec::new();
    for (name, cases) in chosen {
        let mut cases = cases(&setup, &selection)?;
        cases.retain(|case| filter.as_deref().is_none_or(|text| case.name.contains(text)));
        results.push((name.to_owned(), checks::run_checks(name, &cases, jobs)));
    }
    let limit = if filter.is_none() { SKIPPED_LIMIT } else { 100.0 };
    let report = report(&results, limit);
    println!("{report}");
    if record {
        record::write("semantics", "Byway against native runs", &report)?;
    }
    let is_well =
        |tally: &SuiteTally| tally.mismatches.is_empty() && tally.skipped_percent() <= limit;
    Ok(results.iter().all(|(_, tally)| is_well(tally)))
}

fn chosen(only: Option<&str>) -> Result<Vec<(&'static str, CasesOf)>, String> {
    let Some(only) = only else { return Ok(SUITES.to_vec()) };
    let find = |wanted: &str| {
        SUITES
            .into_iter()
            .find(|(name, _)| *name == wanted)
            .ok_or_else(|| format!("there is no suite `{wanted}`; try --help"))
    };
    only.split(',').map(find).collect()
}

fn seeds(text: &str) -> Result<Range<u32>, String> {
    let range = text
        .split_once("..")
        .and_then(|(first, end)| Some(first.parse::<u32>().ok()?..end.parse::<u32>().ok()?));
    range
        .filter(|range| range.end <= 10_000)
        .ok_or_else(|| format!("--seeds: `{text}` is no range of seeds up to 10000, as 1..201"))
}

fn report(results: &[(String, SuiteTally)], limit: f64) -> String {
    let mut report = checks::table(results);
    for (suite, tally) in results {
        for (name, difference, reproduce) in &tally.mismatches {
            report
                .push_str(&format!("\nmismatch: {suite} {name}: {difference}\n    {reproduce}\n"));
        }
        if tally.skipped_percent() > limit {
            report.push_str(&format!("\n{suite}: more than {limit} % are skipped\n"));
        }
    }
    report
}
