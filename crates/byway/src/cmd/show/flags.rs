//! What `byway show` can be told.

use std::path::PathBuf;

use clap::Args;

use crate::flags::ColorFlag;

/// The lines below the options of `byway show`.
pub const EXAMPLES: &str = "\
Examples:
  byway show byway-last 7
      The test of path 7 of the last run.
  byway show byway-out-3/000007
  byway show byway-out-3/tests/000007.ktest
      The same, by its file.
  byway show --command byway-last 7 | sh
      Runs the program on that test: makes its files and calls it, as ./cut for cut.bc.
  byway show klee-last/test000001.ktest
      A test of KLEE's.";

/// What `byway show` can be told.
#[derive(Args, Debug)]
pub struct ShowFlags {
    /// A test: its file, or RUN/NUMBER; or a run's directory, with NUMBER behind it
    #[arg(value_name = "TEST")]
    pub test: PathBuf,

    /// The number of the path, if TEST is a run's directory
    #[arg(value_name = "NUMBER")]
    pub number: Option<u64>,

    /// Print only the shell command that runs the program on the test
    #[arg(long)]
    pub command: bool,

    /// Use colours: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorFlag::Auto,
          hide_possible_values = true)]
    pub color: ColorFlag,
}
