//! Options and help of `byway replay`.

use std::path::PathBuf;

use clap::Args;

use crate::flags::NativeFlags;

pub const EXAMPLES: &str = "\
Examples:
  byway replay byway-last
      All tests of the latest run.
  byway replay byway-out-3 --tests 4,17 --timeout 60s
      Two tests, with more time.

Compiles the program for this machine with clang's sanitizers and a library that supplies
the inputs of a test, and runs each test. A test agrees if it ends as the run recorded:
with the same exit code, or with a fault on the same line. Each test runs in a sandbox: in
a directory with the files of the test, with its arguments, environment and standard
input, without network, within limits on time, memory, disk space and processes. It
cannot change your files.

Exit codes:
  0    all tests agree
  1    at least one test diverges, that is, ends differently from what the run recorded, or
       does not end in time
  2    no such run, or the program does not compile
  130  stopped by Ctrl-C";

#[derive(Args, Debug)]
pub struct ReplayFlags {
    /// A run directory
    #[arg(value_name = "RUN")]
    pub run: PathBuf,

    /// Run only the tests with these numbers
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    pub tests: Option<Vec<u64>>,

    /// Run the tests on this executable instead of a build with sanitizers
    #[arg(long, value_name = "PROGRAM")]
    pub binary: Option<PathBuf>,

    /// Write one line of JSON per test to this file
    #[arg(long, value_name = "FILE")]
    pub verdicts: Option<PathBuf>,

    #[command(flatten)]
    pub native: NativeFlags,
}
