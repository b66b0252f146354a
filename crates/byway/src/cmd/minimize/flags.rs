//! What `byway minimize` can be told.

use std::path::PathBuf;

use clap::Args;

/// The lines below the options of `byway minimize`.
pub const EXAMPLES: &str = "\
Examples:
  byway minimize byway-last
      The tests it takes, one a line.
  byway minimize byway-last --output-dir suite
      The same, and copies of them in a directory.

A test is kept if some side of a branch, some function or some fault is reached by it
and by no other that is kept. What each test reaches is found by running it again on the
engine. Nothing is deleted. The choice is small, but need not be the smallest.

Exit codes:
  0    done
  2    byway could not start: no run directory, a program that has changed
  130  stopped by Ctrl-C";

/// What `byway minimize` can be told.
#[derive(Args, Debug)]
pub struct MinimizeFlags {
    /// A run's directory
    #[arg(value_name = "RUN")]
    pub run: PathBuf,

    /// Copy the tests that are kept into this directory, which must be empty
    #[arg(long, value_name = "DIR")]
    pub output_dir: Option<PathBuf>,

    /// Give up on compiling a file after this long
    #[arg(long, value_name = "SECONDS", default_value_t = 300,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub load_timeout: u64,
}
