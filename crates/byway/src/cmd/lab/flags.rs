//! Options and help of `byway lab`.

use std::path::PathBuf;

use clap::Args;

use crate::flags::PartialTestsFlag;

pub const EXAMPLES: &str = "\
Examples:
  byway lab --example > lab.toml
      A small experiment with a comment on every key.
  byway lab lab.toml
      Make the missing runs (say four programs by four strategies by three seeds) and
      write lab-results/report.md and report.html. If it is stopped or killed, the same
      command continues.
  byway lab --report-only lab.toml
      Write the reports from existing results.
  byway lab --set COREUTILS=/path/to/coreutils bench/experiments/coreutils-search-small.toml
      Set a variable that the experiment uses.

docs/lab.md describes experiments and reports.

Exit codes:
  0    all runs are complete (with --report-only: the reports are written)
  2    the experiment is invalid, or runs failed
  130  stopped by Ctrl-C; the reports show the results so far";

#[derive(Args, Debug)]
pub struct LabFlags {
    /// The experiment file
    #[arg(value_name = "EXPERIMENT", required_unless_present = "example")]
    pub experiment: Option<PathBuf>,

    /// Print a commented example of an experiment
    #[arg(long, exclusive = true)]
    pub example: bool,

    /// Make no runs: report the existing results
    #[arg(long)]
    pub report_only: bool,

    /// Make this many runs at once (default: as in the experiment)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,

    /// Tests of paths that did not end: keep or drop (default: as in the experiment)
    #[arg(long, value_name = "WHAT", value_enum, hide_possible_values = true)]
    pub partial_tests: Option<PartialTestsFlag>,

    /// Value of ${NAME} in the experiment; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub set: Vec<(String, String)>,

    /// Write the results here (default: EXPERIMENT-results next to the file)
    #[arg(long, value_name = "DIR")]
    pub output_dir: Option<PathBuf>,
}

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.into(), value.into())),
        _ => Err("expected NAME=VALUE".into()),
    }
}
