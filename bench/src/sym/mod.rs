//! `byway-bench sym`: do the tests of symbolic arguments, files and the like show exactly
//! the behaviour of programs on all inputs?

mod check;
pub mod inputs;
pub mod native;

use std::sync::Mutex;

use crate::checks::{self, CheckCase, CheckVerdict};
use crate::record;
use crate::setup::BenchSetup;

use check::{CHECKS, SymCheck, SymCounts};

const ABOUT: &str = "\
Do the tests of symbolic arguments and files show exactly what programs do on all inputs?

Three programs of bench/sym record what they decide. Natively each runs on every input within
small bounds: every argument, every value of a variable, every file and every standard input up
to a number of bytes, over all byte values or, with larger bounds, over a few that lead to
different decisions. Byway explores the program with the same bounds, depth first and eagerly,
then by random paths and lazily. The tests must show every behaviour (decisions and exit code)
that brute force finds, and no other; where the program forks only at recorded decisions, each
exactly once.

The exit code is 1 if any of this fails.";

const EXAMPLES: &str = "\
Example:
  ./dev bench sym --only records";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct SymOptions {
    /// Programs whose name contains this text
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    only: String,

    /// Programs checked at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,

    /// Write the result to bench/results/DATE-sym.md
    #[arg(long)]
    record: bool,
}

/// Runs the benchmark and returns whether all checks agree.
pub fn main(options: SymOptions) -> Result<bool, String> {
    let SymOptions { only, jobs, record } = options;

    let setup = BenchSetup::in_memory()?;
    let rows = Mutex::new(Vec::new());
    let chosen: Vec<&SymCheck> =
        CHECKS.iter().filter(|check| check.name().contains(&only)).collect();
    if chosen.is_empty() {
        return Err(format!("no program is called `{only}`"));
    }
    let cases: Vec<_> = chosen.iter().map(|check| case(&setup, check, &rows)).collect();
    let results = [("sym".to_owned(), checks::run_checks("sym", &cases, jobs))];
    drop(cases);

    let mut report = checks::table(&results);
    report.push_str("\n| program | bytes | options | inputs | behaviours | tests |\n");
    report.push_str("| --- | --- | --- | --- | --- | --- |\n");
    let mut rows = rows.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    rows.sort();
    rows.iter().for_each(|row| report.push_str(row));
    let [(_, tally)] = &results;
    report.push_str(&tally.differences());
    println!("{report}");
    if record {
        record::write("sym", "What symbolic input shows, beside all inputs", &report)?;
    }
    Ok(tally.mismatches.is_empty())
}

fn case<'a>(
    setup: &'a BenchSetup,
    check: &'a SymCheck,
    rows: &'a Mutex<Vec<String>>,
) -> CheckCase<'a> {
    let verdict = move || {
        let defects = match check.run(setup) {
            Ok(outcome) => {
                if let Ok(mut rows) = rows.lock() {
                    rows.push(row(check, &outcome));
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
    CheckCase { name: check.name(), check: Box::new(verdict) }
}

fn row(check: &SymCheck, outcome: &SymCounts) -> String {
    let SymCheck { program, words, .. } = check;
    let SymCounts { inputs, behaviours, tests, .. } = outcome;
    let bytes = check.alphabet_name();
    format!("| {program} | {bytes} | `{words}` | {inputs} | {behaviours} | {tests} |\n")
}
