//! Options and help of `byway minimize`.

use std::path::PathBuf;
use std::time::Duration;

use byway_base::quantity;
use clap::Args;

pub const EXAMPLES: &str = "\
Examples:
  byway minimize byway-last
      List the tests to keep, one per line.
  byway minimize byway-last --output-dir suite
      The same, and copy them into a directory.

Runs each test again on the engine to see which functions, branch sides and faults it
reaches, and keeps a small set of tests that together reach all of them. The set need not
be the smallest possible. Nothing is deleted.

Exit codes:
  0    done
  2    no such run, or the program has changed since
  130  stopped by Ctrl-C";

#[derive(Args, Debug)]
pub struct MinimizeFlags {
    /// A run directory
    #[arg(value_name = "RUN")]
    pub run: PathBuf,

    /// Copy the kept tests into this directory, which must be empty or new
    #[arg(long, value_name = "DIR")]
    pub output_dir: Option<PathBuf>,

    /// Time limit for compiling a file
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = quantity::parse_time)]
    pub load_timeout: Duration,
}
