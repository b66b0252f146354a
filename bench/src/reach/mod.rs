//! `byway-bench reach`: are the verdicts of `byway reach` right, with every searcher?

mod brute_force;
mod check;
mod expectation;

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::checks::{self, CheckCase, CheckVerdict};
use crate::compare::file_name;
use crate::record;
use crate::setup::BenchSetup;
use crate::suite::files;

use check::{QUICK_SEARCHERS, ReachCheck, ReachCounts, SEARCHERS};
use expectation::ReachExpectation;

const ABOUT: &str = "\
Are the verdicts of 'byway reach' right?

Takes the programs of tests/reach, whose comments name targets and their verdicts
(bench/src/reach/expectation.rs describes the form). Each is explored by every searcher, for all
its targets at once. No verdict may be wrong, and every target that is reached must be
confirmed by a native run. With --brute-force the comments themselves are checked: the programs run
natively on all inputs.

The exit code is 1 if any of this fails.";

const EXAMPLES: &str = "\
Examples:
  ./dev bench reach --quick
  ./dev bench reach --only recursion
  ./dev bench reach --brute-force --only checksum";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct ReachOptions {
    /// Few searchers
    #[arg(long)]
    quick: bool,

    /// Check the comments of the programs instead: run each natively on all inputs (minutes)
    #[arg(long, conflicts_with = "quick")]
    brute_force: bool,

    /// Programs whose name contains this text
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    only: String,

    /// Programs checked at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,

    /// Leave the files of failures in this directory
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,

    /// Write the result to bench/results/DATE-reach.md
    #[arg(long)]
    record: bool,
}

/// Runs the benchmark and returns whether all verdicts are right.
pub fn main(options: ReachOptions) -> Result<bool, String> {
    let ReachOptions { quick, brute_force, only, jobs, keep, record } = options;
    let setup = BenchSetup::new(keep)?;
    let searchers = if quick { QUICK_SEARCHERS } else { SEARCHERS };
    let program_checks = program_checks(&setup, searchers, brute_force, &only)?;
    if program_checks.is_empty() {
        return Err(format!("no program is called `{only}`"));
    }
    let sums = Mutex::new(ReachCounts::default());
    let cases: Vec<_> = program_checks.into_iter().map(|check| case(check, &sums)).collect();
    let results = [("reach".to_owned(), checks::run_checks("reach", &cases, jobs))];
    drop(cases);

    let mut report = checks::table(&results);
    let sums = sums.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let ReachCounts { searches, targets, reached, unreachable, undecided } = sums;
    report.push_str(&format!(
        "\n{targets} targets of {searches} searches: {reached} reached, {unreachable} unreachable, \
         {undecided} undecided.\n"
    ));
    let [(_, tally)] = &results;
    report.push_str(&tally.differences());
    println!("{report}");
    if record {
        record::write("reach", "Verdicts about targets", &report)?;
    }
    Ok(tally.mismatches.is_empty())
}

fn program_checks<'a>(
    setup: &'a BenchSetup,
    searchers: &'a [&'a str],
    brute_force: bool,
    only: &str,
) -> Result<Vec<ReachCheck<'a>>, String> {
    let folder = setup.root.join("tests/reach");
    let text =
        |path: &Path| std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()));
    let mut program_checks = Vec::new();
    for program in files(&folder, "c") {
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.contains(only) {
            let expectation =
                ReachExpectation::read(&name, &text(&program)?, |other| text(&folder.join(other)))
                    .map_err(|e| format!("{}: {e}", program.display()))?;
            program_checks.push(ReachCheck { setup, program, expectation, searchers, brute_force });
        }
    }
    Ok(program_checks)
}

fn case<'a>(check: ReachCheck<'a>, sums: &'a Mutex<ReachCounts>) -> CheckCase<'a> {
    let name = file_name(&check.program);
    let verdict = move || {
        let defects = match check.run() {
            Ok((counts, defects)) => {
                if let Ok(mut sums) = sums.lock() {
                    sums.add(&counts);
                }
                defects
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
