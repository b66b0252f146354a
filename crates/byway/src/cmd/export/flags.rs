//! Options and help of `byway export`.

use std::path::PathBuf;

use clap::Args;

pub const EXAMPLES: &str = "\
Examples:
  byway export byway-last
      Makes a .ktest file of each test, in byway-last/tests.
  byway export byway-last 300 301
      Of these two alone.
  byway export byway-last --to corpus
      Copies all tests into a directory of their own.

A run makes files of its first tests (--test-files) and of those that show a new fault; the
others are in RUN/tests.pack, because hundreds of thousands of small files are slow to make and
to use. byway's own commands and --seed-dir read both, so only other programs need the files.

Exit codes:
  0    written; what was there already stays
  2    no such run or test, or a test is damaged: the others are written
  130  stopped by Ctrl-C";

#[derive(Args, Debug)]
pub struct ExportFlags {
    /// A run directory
    #[arg(value_name = "RUN")]
    pub run: PathBuf,

    /// Numbers of paths whose tests to export (default: all)
    #[arg(value_name = "NUMBER")]
    pub numbers: Vec<u64>,

    /// Write into this directory, which is made if necessary (default: RUN/tests)
    #[arg(long, value_name = "DIR")]
    pub to: Option<PathBuf>,
}
