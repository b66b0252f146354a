//! Options and help of `byway klee-replay`.

use std::path::PathBuf;

use clap::Args;

pub const EXAMPLES: &str = "\
Examples:
  klee-replay ./cut klee-last/test000001.ktest
      Run a native program on a test: its arguments, files and standard input.
  klee-replay ./cut klee-last/*.ktest
      One test after the other.
  klee-replay --create-files-only klee-last/test000001.ktest
      Make the files, and print where they are.

Each test has a directory of its own, in which the program starts; symbolic standard input
is the file fd0 there. The program runs as you, without a sandbox: it can remove your files.
'byway replay' runs tests in a sandbox, and compares how they end.

Environment:
  KLEE_REPLAY_TIMEOUT  kill a test after so many seconds

Exit codes:
  0    all tests ran, however they ended
  2    no such program, a file that is no test, or a bad option
  130  stopped by Ctrl-C";

#[derive(Args, Debug)]
pub struct KleeReplayFlags {
    /// Only make the files of this test
    #[arg(short = 'f', long, value_name = "FILE", conflicts_with_all = ["words", "chroot_to_dir"])]
    pub create_files_only: Option<PathBuf>,

    /// Make this directory the root of the program; needs the right to do so
    #[arg(short = 'r', long, value_name = "DIR")]
    pub chroot_to_dir: Option<PathBuf>,

    /// Keep the directories of the tests
    #[arg(short, long)]
    pub keep_replay_dir: bool,

    /// The native program, and tests
    #[arg(value_name = "PROGRAM TEST", required_unless_present = "create_files_only")]
    pub words: Vec<PathBuf>,
}
