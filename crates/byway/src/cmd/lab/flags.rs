//! What `byway lab` can be told.

use std::path::PathBuf;

use clap::Args;

use crate::flags::PartialTestsFlag;

/// The lines below the options of `byway lab`.
pub const EXAMPLES: &str = "\
Examples:
  byway lab --example > lab.toml
      A small experiment with a comment on every key.
  byway lab lab.toml
      Make the runs that are missing, four programs by four strategies by three seeds
      say, and write lab-results/report.md and report.html. Stopped or killed, it goes
      on where it was when it is called again.
  byway lab --report-only lab.toml
      Write the reports from the results that are there.
  byway lab --set COREUTILS=/path/to/coreutils bench/experiments/coreutils-search-small.toml
      Say where files are that the experiment names by a variable.

docs/lab.md describes experiments and how to read the report.

Exit codes:
  0    every run is there (with --report-only: the reports are written)
  2    byway could not work: a broken experiment, runs that failed
  130  stopped by Ctrl-C; the reports tell of what is there";

/// What `byway lab` can be told.
#[derive(Args, Debug)]
pub struct LabFlags {
    /// The experiment's file
    #[arg(value_name = "EXPERIMENT", required_unless_present = "example")]
    pub experiment: Option<PathBuf>,

    /// Print a commented experiment on Byway's own examples
    #[arg(long, exclusive = true)]
    pub example: bool,

    /// Run nothing: report what is there
    #[arg(long)]
    pub report_only: bool,

    /// How many runs go on at once (default: as the experiment says)
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: Option<u16>,

    /// Whether tests of paths that had not ended count: keep or drop (default: as the
    /// experiment says)
    #[arg(long, value_name = "WHAT", value_enum, hide_possible_values = true)]
    pub partial_tests: Option<PartialTestsFlag>,

    /// What ${NAME} stands for in the experiment; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub set: Vec<(String, String)>,

    /// Where results go (default: EXPERIMENT-results beside the file)
    #[arg(long, value_name = "DIR")]
    pub output_dir: Option<PathBuf>,
}

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.into(), value.into())),
        _ => Err("write NAME=VALUE".into()),
    }
}
