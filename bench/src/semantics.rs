//! `byway-bench semantics`: Byway against native runs, suite by suite.

use std::ops::Range;
use std::path::PathBuf;

use crate::checks::{self, SuiteTally};
use crate::options::Options;
use crate::pool::{self, CheckCase};
use crate::record;
use crate::setup::BenchSetup;
use crate::suite::{SuiteSelection, csmith, faults, programs, torture};
use crate::toolchain::Level;

/// What `--help` says.
pub const HELP: &str = "\
byway-bench semantics: does Byway do what the machine does?

Runs programs natively and under `byway exec` and compares exit code and output.
  programs  the repository's own, tests/c and tests/ll, at -O0 and -O2
  faults    tests/faults: the marked line must be reported with the marked kind
  csmith    random programs by Debian's csmith, -O0 and -O2 in turn
  torture   the execute tests of GCC's C torture suite, at -O0 and -O2

Options:
  --quick        a sample: 200 csmith programs, a tenth of the torture tests
  --only SUITE   one suite; several with commas
  --filter TEXT  programs whose name contains it
  --opt LEVEL    only at -O0, -O1 or -O2
  --seeds A..B   csmith seeds from A up to before B (default 1..1121, quick 1..231)
  --jobs N       programs at a time (default 2)
  --keep DIR     leave sources, bitcode and executables in DIR
  --record       write the result to bench/results/DATE-semantics.md

Ends with exit code 1 if any program differs, or if more than 3 % are skipped.

Examples:
  ./dev bench semantics --quick
  ./dev bench semantics --only torture --filter 20000112 --opt -O2 --keep /tmp/t
  ./dev bench semantics --only csmith --seeds 4000..5000";

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

/// Runs the command; whether all is well.
pub fn main(mut options: Options) -> Result<bool, String> {
    let quick = options.flag("--quick");
    let record = options.flag("--record");
    let only = options.text("--only")?;
    let filter = options.text("--filter")?;
    let jobs = options.value("--jobs")?.unwrap_or(2);
    let level: Option<Level> = options.value("--opt")?;
    let seeds = match options.text("--seeds")? {
        Some(text) => seeds(&text)?,
        None => {
            if quick {
                QUICK_SEEDS
            } else {
                SEEDS
            }
        }
    };
    let keep: Option<PathBuf> = options.value("--keep")?;
    options.finish()?;

    let chosen = chosen(only.as_deref())?;
    let levels = level.map_or_else(|| Level::COMPARED.to_vec(), |level| vec![level]);
    let selection = SuiteSelection { quick, levels, seeds };
    let setup = BenchSetup::new(keep)?;
    let mut results = Vec::new();
    for (name, cases) in chosen {
        let mut cases = cases(&setup, &selection)?;
        cases.retain(|case| filter.as_deref().is_none_or(|text| case.name.contains(text)));
        results.push((name.to_owned(), pool::run(name, &cases, jobs)));
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
