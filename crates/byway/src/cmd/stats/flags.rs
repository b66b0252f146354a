//! What `byway stats` can be told.

use std::path::PathBuf;

use clap::Args;

use crate::flags::ColorFlag;

/// The lines below the options of `byway stats`.
pub const EXAMPLES: &str = "\
Examples:
  byway stats byway-last
      What the last run came to; also while it runs, or after it was killed.
  byway stats --json byway-out-3 | jq .summary.totals.paths
      For other programs; docs/run-directory.md says what the fields mean.";

/// What `byway stats` can be told.
#[derive(Args, Debug)]
pub struct StatsFlags {
    /// A run's directory
    #[arg(value_name = "RUN")]
    pub run: PathBuf,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    /// Use colours: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorFlag::Auto,
          hide_possible_values = true)]
    pub color: ColorFlag,
}
