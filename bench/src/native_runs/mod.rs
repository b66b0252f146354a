//! `byway-bench native-runs`: how fast inputs run natively, and whether native runs count what the
//! engine counts.

mod divergence;
mod interpreted;
mod program;
mod throughput;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use crate::checks;
use crate::record;
use crate::setup::BenchSetup;

use throughput::Throughput;

const ABOUT: &str = "\
How fast do inputs run natively, and do native runs execute what the engine executes?

Throughput: a function that compares eight bytes of input, beside the same in a plain C loop; a
tool of Coreutils on mutated standard input, beside AFL++ with the same seed. Agreement: every
program of tests/c and tests/sym, at -O0 and -O2, runs on inputs natively (in a process each, and
in one process) and on the engine; where the engine's run ends by itself, the endings and the
executions of every block of the program's own code must be equal.

The exit code is 1 if a run differs.";

const EXAMPLES: &str = "\
Examples:
  ./dev bench native-runs
  ./dev bench native-runs --part throughput --time 20
  ./dev bench native-runs --part agreement --only maze
  ./dev bench native-runs --part throughput --corpus /tmp/afl/default --export /tmp/corpus";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct NativeRunsOptions {
    /// Only one part
    #[arg(long, value_name = "PART")]
    part: Option<BenchPart>,

    /// Seconds for each row of the throughput
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    time: u64,

    /// Inputs to start the tool's mutations from, in AFL's layout or as plain files
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,

    /// Write the inputs with new counts to DIR/queue, in AFL's layout
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,

    /// Programs whose name contains this text
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    only: String,

    /// Inputs for each program
    #[arg(long, value_name = "N", default_value_t = 20)]
    inputs: usize,

    /// Programs compared at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,

    /// Write the result to bench/results/DATE-native-runs.md
    #[arg(long)]
    record: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, clap::ValueEnum)]
enum BenchPart {
    Throughput,
    Agreement,
}

/// Runs the benchmark and returns whether native runs and the engine agree.
pub fn main(options: NativeRunsOptions) -> Result<bool, String> {
    let setup = BenchSetup::in_memory()?;
    let mut report = String::new();
    let mut agrees = true;
    if options.part != Some(BenchPart::Agreement) {
        let time = Duration::from_secs(options.time.max(1));
        let mut rows = throughput::function(&setup, time)?;
        let (corpus, export) = (options.corpus.as_deref(), options.export.as_deref());
        rows.extend(throughput::coreutils(&setup, time, corpus, export)?);
        report.push_str(&table(&rows));
    }
    if options.part != Some(BenchPart::Throughput) {
        let cases = divergence::cases(&setup, &options.only, options.inputs);
        if cases.is_empty() {
            return Err(format!("no program is called `{}`", options.only));
        }
        let tally = checks::run_checks("native-runs", &cases, options.jobs);
        agrees = tally.mismatches.is_empty();
        let results = [("native-runs".to_owned(), tally)];
        let _ = write!(report, "\n{}", checks::table(&results));
        let [(_, tally)] = &results;
        report.push_str(&tally.differences());
    }
    println!("{report}");
    if options.record {
        record::write("native-runs", "Inputs run natively", &report)?;
    }
    Ok(agrees)
}

fn table(rows: &[Throughput]) -> String {
    let mut text = "| what runs | inputs a second |\n|---|---:|\n".to_owned();
    for Throughput { what, rate } in rows {
        let _ = writeln!(text, "| {what} | {rate:.0} |");
    }
    text
}
