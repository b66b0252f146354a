//! `byway-bench explore`: does an exploration find every path and fault, with every searcher?

mod check;
mod expectation;
pub mod found_paths;

use std::path::PathBuf;
use std::sync::Mutex;

use crate::checks::{self, CheckCase, CheckVerdict};
use crate::compare::file_name;
use crate::record;
use crate::setup::BenchSetup;
use crate::suite::files;

use check::{ExploreCheck, ExploreCounts, MODES, QUICK_MODES};
use expectation::PathExpectation;

const ABOUT: &str = "\
Does an exploration find everything there is?

Takes the programs whose first comments say what there is to find: those in tests/sym,
bench/micro and examples (bench/src/explore/expectation.rs describes the form). Each is explored
by several searchers, with eager or lazy feasibility or both. All explorations must meet the
expectation and find the same set of paths. One of them has every answer of the solver checked
by a bare backend, and its tests run natively, where they must end as predicted. Two runs
stopped by --max-work must write the same files, except for the clock's.

The exit code is 1 if any of this fails.";

const EXAMPLES: &str = "\
Examples:
  ./dev bench explore --quick
  ./dev bench explore --only switch";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct ExploreOptions {
    /// Two modes of exploration, all of them for a few programs only, and without bench/micro
    #[arg(long)]
    quick: bool,

    /// Programs whose name contains this text
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    only: String,

    /// Programs checked at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,

    /// Leave the files of failures in this directory
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,

    /// Write the result to bench/results/DATE-explore.md
    #[arg(long)]
    record: bool,
}

/// In a quick run every so manyth program is explored in all modes.
const THOROUGH_EVERY: usize = 12;

/// Totals over all programs.
#[derive(Default)]
struct ExploreTotals {
    explorations: u64,
    paths: u64,
    checked_queries: u64,
    replayed: u64,
}

impl ExploreTotals {
    fn add(&mut self, outcome: &ExploreCounts) {
        self.explorations += outcome.explorations;
        self.paths += outcome.paths;
        self.checked_queries += outcome.checked_queries;
        self.replayed += outcome.replayed;
    }
}

/// Runs the benchmark and returns whether all checks agree.
pub fn main(options: ExploreOptions) -> Result<bool, String> {
    let ExploreOptions { quick, only, jobs, keep, record } = options;

    let setup = BenchSetup::new(keep)?;
    let sums = Mutex::new(ExploreTotals::default());
    let program_checks = program_checks(&setup, quick, &only)?;
    if program_checks.is_empty() {
        return Err(format!("no program is called `{only}`"));
    }
    let case = |check| case(check, &sums);
    let cases: Vec<_> = program_checks.into_iter().map(case).collect();
    let results = [("explore".to_owned(), checks::run_checks("explore", &cases, jobs))];
    drop(cases);

    let mut report = checks::table(&results);
    let sums = sums.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    report.push_str(&format!(
        "\n{} explorations, {} paths; {} queries checked; {} tests run natively.\n",
        sums.explorations, sums.paths, sums.checked_queries, sums.replayed
    ));
    let [(_, tally)] = &results;
    report.push_str(&tally.differences());
    println!("{report}");
    if record {
        record::write("explore", "What explorations find", &report)?;
    }
    Ok(tally.mismatches.is_empty())
}

/// The programs to try.
fn program_checks<'a>(
    setup: &'a BenchSetup,
    quick: bool,
    only: &str,
) -> Result<Vec<ExploreCheck<'a>>, String> {
    let folders: &[&str] =
        if quick { &["tests/sym", "examples"] } else { &["tests/sym", "examples", "bench/micro"] };
    let mut program_checks = Vec::new();
    for folder in folders {
        for program in files(&setup.root.join(folder), "c") {
            let in_file = |e| format!("{}: {e}", program.display());
            let source = std::fs::read_to_string(&program).map_err(|e| in_file(e.to_string()))?;
            let expectation = PathExpectation::read(&source).map_err(in_file)?;
            if expectation.is_none() && *folder == "tests/sym" {
                return Err(in_file("it states no expectation".to_owned()));
            }
            let thorough = !quick || program_checks.len() % THOROUGH_EVERY == 0;
            let modes = if thorough { MODES } else { QUICK_MODES };
            program_checks.extend(expectation.map(|expectation| ExploreCheck {
                setup,
                program,
                expectation,
                modes,
            }));
        }
    }
    program_checks.retain(|check| file_name(&check.program).contains(only));
    Ok(program_checks)
}

fn case<'a>(check: ExploreCheck<'a>, sums: &'a Mutex<ExploreTotals>) -> CheckCase<'a> {
    let name = file_name(&check.program);
    let verdict = move || {
        let defects = match check.run() {
            Ok(outcome) => {
                if let Ok(mut sums) = sums.lock() {
                    sums.add(&outcome);
                }
                outcome.defects
            }
            Err(error) => vec![error],
        };
        match defects.is_empty() {
            true => CheckVerdict::Agree,
            false => CheckVerdict::Mismatch {
                difference: defects.join("; "),
                reproduce: check.reproduce(),
            },
        }
    };
    CheckCase { name, check: Box::new(verdict) }
}
