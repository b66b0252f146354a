//! What `byway cover` can be told.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::flags::{NativeFlags, PartialTestsFlag};

/// The lines below the options of `byway cover`.
pub const EXAMPLES: &str = "\
Examples:
  byway cover byway-last
      Build the program with coverage, run every test on it, print a table; write
      index.html, lcov.info and cover.json into byway-last/cover.
  byway cover RUN --coverage-build build/src/wc --source-dir wc/sources --files src/wc.c
      Measure on a program that you built with gcc --coverage or clang --coverage.

The sources are compiled with gcc -O0 --coverage, or with clang where gcc is missing or
refuses them; bitcode is instrumented by LLVM. Each test runs in a sandbox, and its
counters are saved however it ends. The page shows of each line how many tests run it and
which is the first, and of each side of a branch that no test takes, why: infeasible as
proved, undecided by the solver, dropped by a limit, or not reached yet.

Exit codes:
  0    measured
  2    byway could not start: no run directory, a program that does not compile
  130  stopped by Ctrl-C; what was measured is shown";

/// What `byway cover` can be told.
#[derive(Args, Debug)]
pub struct CoverFlags {
    /// A run's directory
    #[arg(value_name = "RUN")]
    pub run: PathBuf,

    /// Run only the tests with these numbers
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    pub tests: Option<Vec<u64>>,

    /// What to do with tests of paths that had not ended (cut off by a limit or by the end of
    /// the run): measure them too (keep), or leave them out (drop)
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = PartialTestsFlag::Keep,
          hide_possible_values = true)]
    pub partial_tests: PartialTestsFlag,

    /// Write the page, lcov.info and cover.json here (default: cover in the run's directory)
    #[arg(long, value_name = "DIR")]
    pub output_dir: Option<PathBuf>,

    /// Measure on this executable, built with --coverage by gcc or clang
    #[arg(long, value_name = "BINARY")]
    pub coverage_build: Option<PathBuf>,

    /// Look here for its .gcno files (default: the executable's directory)
    #[arg(long, value_name = "DIR", requires = "coverage_build")]
    pub notes: Option<PathBuf>,

    /// Look here too for source files; may be repeated
    #[arg(long, value_name = "DIR")]
    pub source_dir: Vec<PathBuf>,

    /// Only these source files, by the end of their names, such as src/wc.c
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub files: Vec<String>,

    /// The compiler that instruments C sources: any, gcc or clang
    #[arg(long, value_name = "NAME", value_enum, default_value_t = CompilerFlag::Any,
          hide_possible_values = true)]
    pub compiler: CompilerFlag,

    /// How the tests are run
    #[command(flatten)]
    pub native: NativeFlags,
}

/// The compiler that instruments C sources.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum CompilerFlag {
    /// gcc if it is there and takes the sources, else clang.
    Any,
    /// gcc.
    Gcc,
    /// The clang of the run.
    Clang,
}
