//! Options and help of `byway cover`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::flags::{NativeFlags, PartialTestsFlag};

pub const EXAMPLES: &str = "\
Examples:
  byway cover byway-last
      Build the program with coverage, run every test on it, print a table; write
      index.html, lcov.info and cover.json into byway-last/cover.
  byway cover RUN --coverage-build build/src/wc --source-dir wc/sources --files src/wc.c
      Measure with an executable that you built with gcc --coverage or clang --coverage.

C sources are compiled with gcc -O0 --coverage, or with clang if gcc is missing or cannot
compile them; bitcode is instrumented by LLVM. Each test runs in a sandbox; its counters
are kept however it ends. The page shows, for each line, how many tests execute it and
which is the first; and for each branch side that no test takes, why: infeasible,
undecided by the solver, dropped by a limit, or not reached.

Exit codes:
  0    measured
  2    no such run, or the program does not compile
  130  stopped by Ctrl-C; what was measured is shown";

#[derive(Args, Debug)]
pub struct CoverFlags {
    /// A run directory
    #[arg(value_name = "RUN")]
    pub run: PathBuf,

    /// Run only the tests with these numbers
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    pub tests: Option<Vec<u64>>,

    /// Tests of paths that did not end (cut off by a limit or by the end of the run): keep or
    /// drop
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = PartialTestsFlag::Keep,
          hide_possible_values = true)]
    pub partial_tests: PartialTestsFlag,

    /// Write the page, lcov.info and cover.json here (default: RUN/cover)
    #[arg(long, value_name = "DIR")]
    pub output_dir: Option<PathBuf>,

    /// Only these source files, given by the end of their path, such as src/wc.c
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub files: Vec<String>,

    /// Also look here for source files; may be repeated
    #[arg(long, value_name = "DIR")]
    pub source_dir: Vec<PathBuf>,

    /// Compiler that instruments C sources: any, gcc or clang
    #[arg(long, value_name = "NAME", value_enum, default_value_t = CompilerFlag::Any,
          hide_possible_values = true)]
    pub compiler: CompilerFlag,

    /// Measure with this executable, built with --coverage by gcc or clang
    #[arg(long, value_name = "BINARY")]
    pub coverage_build: Option<PathBuf>,

    /// Directory of its .gcno files (default: that of the executable)
    #[arg(long, value_name = "DIR", requires = "coverage_build")]
    pub notes: Option<PathBuf>,

    #[command(flatten)]
    pub native: NativeFlags,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum CompilerFlag {
    /// gcc if it is installed and compiles the sources, else clang.
    Any,
    Gcc,
    /// The clang that the run used.
    Clang,
}
