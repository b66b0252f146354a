//! Options and help of `byway show`.

use std::path::PathBuf;

use clap::Args;

use crate::flags::ColorFlag;

pub const EXAMPLES: &str = "\
Examples:
  byway show byway-last 7
      The test of path 7 of the latest run.
  byway show byway-out-3/000007
  byway show byway-out-3/tests/000007.ktest
      The same by file name.
  byway show --command byway-last 7 | sh
      Run the program on that test: create its files and call it (./cut for cut.bc).
  byway show klee-last/test000001.ktest
      A test written by KLEE.

Exit codes:
  0    printed
  2    no such run or test";

#[derive(Args, Debug)]
pub struct ShowFlags {
    /// A test file, RUN/NUMBER, or a run directory followed by NUMBER
    #[arg(value_name = "TEST")]
    pub test: PathBuf,

    /// Path number, if TEST is a run directory
    #[arg(value_name = "NUMBER")]
    pub number: Option<u64>,

    /// Print only the shell command that runs the program on the test
    #[arg(long)]
    pub command: bool,

    /// Colour: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorFlag::Auto,
          hide_possible_values = true)]
    pub color: ColorFlag,
}
