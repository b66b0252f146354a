//! Options and help of `byway stats`.

use std::path::PathBuf;

use clap::Args;

use crate::flags::ColorFlag;

pub const EXAMPLES: &str = "\
Examples:
  byway stats byway-last
      Summary of the latest run; also while it runs, or after it was killed.
  byway stats --markov byway-last
      The blocks from which `--search greedy` expects most at the end, and why.
  byway stats --json byway-out-3 | jq .summary.totals.paths
      The same as JSON; docs/run-directory.md describes the fields.

Exit codes:
  0    printed
  2    no such run";

#[derive(Args, Debug)]
pub struct StatsFlags {
    /// A run directory
    #[arg(value_name = "RUN")]
    pub run: PathBuf,

    /// Print the blocks from which a greedy searcher expects most, and why
    #[arg(long, conflicts_with = "json")]
    pub markov: bool,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    /// Colour: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorFlag::Auto,
          hide_possible_values = true)]
    pub color: ColorFlag,
}
