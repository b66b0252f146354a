//! `byway-bench sym`: do the tests of symbolic arguments, files and the like show exactly
//! what programs do on all inputs there are?

mod check;
mod inputs;
mod native;

use std::sync::Mutex;

use crate::checks::{self, CheckVerdict};
use crate::options::Options;
use crate::pool::{self, CheckCase};
use crate::record;
use crate::setup::BenchSetup;

use check::{SymCheck, SymCounts, TRIALS};

/// What `--help` says.
pub const HELP: &str = "\
byway-bench sym: do the tests of symbolic arguments, files and the like show exactly
what programs do on all inputs there are?

Three programs of bench/sym note what they decide. Natively each is run on every input
within small bounds: every argument, every value of a variable, every file and every
standard input of at most so many bytes, over all bytes or, with larger bounds, over a
few that tell its ways apart. Byway explores it with the same bounds, depth first and
eagerly, then by random paths and lazily. The tests must show every behaviour (what was
noted, and the exit code) that brute force finds, and no other; where the program forks
only at what it notes, each exactly once.

Options:
  --only NAME  programs whose name contains this
  --jobs N     programs at a time (default 2)
  --record     write the result to bench/results/DATE-sym.md

Ends with exit code 1 if anything is not as it should be.

Example:
  ./dev bench sym --only records";

/// Runs the command; whether all is well.
pub fn main(mut options: Options) -> Result<bool, String> {
    let record = options.flag("--record");
    let only = options.text("--only")?.unwrap_or_default();
    let jobs = options.value("--jobs")?.unwrap_or(2);
    options.finish()?;

    let setup = BenchSetup::in_memory()?;
    let rows = Mutex::new(Vec::new());
    let chosen: Vec<&SymCheck> =
        TRIALS.iter().filter(|trial| trial.name().contains(&only)).collect();
    if chosen.is_empty() {
        return Err(format!("no program is called `{only}`"));
    }
    let cases: Vec<_> = chosen.iter().map(|trial| case(&setup, trial, &rows)).collect();
    let results = [("sym".to_owned(), pool::run("sym", &cases, jobs))];
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
    trial: &'a SymCheck,
    rows: &'a Mutex<Vec<String>>,
) -> CheckCase<'a> {
    let check = move || {
        let complaints = match trial.run(setup) {
            Ok(outcome) => {
                if let Ok(mut rows) = rows.lock() {
                    rows.push(row(trial, &outcome));
                }
                outcome.complaints
            }
            Err(error) => vec![error],
        };
        match complaints.is_empty() {
            true => CheckVerdict::Agree,
            false => CheckVerdict::Mismatch {
                difference: complaints.join("; "),
                reproduce: trial.reproduce(),
            },
        }
    };
    CheckCase { name: trial.name(), check: Box::new(check) }
}

fn row(trial: &SymCheck, outcome: &SymCounts) -> String {
    let SymCheck { program, words, .. } = trial;
    let SymCounts { inputs, behaviours, tests, .. } = outcome;
    let bytes = trial.alphabet_name();
    format!("| {program} | {bytes} | `{words}` | {inputs} | {behaviours} | {tests} |\n")
}
