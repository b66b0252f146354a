//! What `byway replay` can be told.

use std::path::PathBuf;

use clap::Args;

use crate::flags::NativeFlags;

/// The lines below the options of `byway replay`.
pub const EXAMPLES: &str = "\
Examples:
  byway replay byway-last
      Every test of the last run.
  byway replay byway-out-3 --tests 4,17 --timeout 60
      Two tests, with more time.

The program is compiled for this machine with clang's sanitizers and linked with a
library that takes its inputs from a test. A test agrees if it ends as the run said:
with the same exit code, or with a fault at the same line. It runs in a sandbox: in a
directory that holds the files of the test, with the test's arguments, environment and
standard input, without network, in limits of time, memory, disk and processes. What
it does to files, it does to a world of its own.

Exit codes:
  0    no test diverges
  1    some test ends otherwise than the run said
  2    byway could not start: no run directory, a program that does not compile
  130  stopped by Ctrl-C";

/// What `byway replay` can be told.
#[derive(Args, Debug)]
pub struct ReplayFlags {
    /// A run's directory
    #[arg(value_name = "RUN")]
    pub run: PathBuf,

    /// Run the tests on this program instead of one made with sanitizers
    #[arg(long, value_name = "PROGRAM")]
    pub binary: Option<PathBuf>,

    /// Write a line of JSON about each test here
    #[arg(long, value_name = "FILE")]
    pub verdicts: Option<PathBuf>,

    /// Run only the tests with these numbers
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    pub tests: Option<Vec<u64>>,

    /// How the tests are run
    #[command(flatten)]
    pub native: NativeFlags,
}
