//! The resolved configuration of `byway cover`.

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use crate::native_coverage::build::CoverageCompiler;
use byway_progress::ProgressMode;

use super::flags::{CompilerFlag, CoverFlags};
use crate::flags::PartialTestsFlag;

/// The configuration of `byway cover`.
pub struct CoverConfig {
    pub run: PathBuf,
    /// The numbers of the tests to run; `None` for all.
    pub tests: Option<Vec<u64>>,
    /// Tests of unfinished paths are measured as well.
    pub partial_tests: bool,
    /// The output directory; `None` for RUN/cover.
    pub output: Option<PathBuf>,
    /// An executable that the user built with coverage.
    pub build: Option<PathBuf>,
    /// The directory of its notes, if not beside it.
    pub notes: Option<PathBuf>,
    /// Directories with source files.
    pub sources: Vec<PathBuf>,
    /// Suffixes of the paths of files to measure; empty for all of the user's files.
    pub files: Vec<String>,
    /// The compiler that instruments C.
    pub compiler: CoverageCompiler,
    /// The number of tests that run at once.
    pub jobs: usize,
    /// The time limit of one test.
    pub time_limit: Duration,
    /// Tests run in namespaces.
    pub sandboxed: bool,
    /// The time limit for compiling a file.
    pub compile_limit: Duration,
    /// The clang executable; `None` for the one the run used.
    pub clang: Option<OsString>,
    pub color: bool,
    pub progress: ProgressMode,
}

impl CoverConfig {
    /// Resolves the options.
    pub fn resolve(flags: CoverFlags) -> Self {
        CoverConfig {
            color: flags.native.color.on(io::stdout().is_terminal()),
            run: flags.run,
            tests: flags.tests,
            partial_tests: flags.partial_tests == PartialTestsFlag::Keep,
            output: flags.output_dir,
            build: flags.coverage_build,
            notes: flags.notes,
            sources: flags.source_dir,
            files: flags.files,
            compiler: match flags.compiler {
                CompilerFlag::Any => CoverageCompiler::Any,
                CompilerFlag::Gcc => CoverageCompiler::Gcc,
                CompilerFlag::Clang => CoverageCompiler::Clang,
            },
            jobs: flags.native.jobs.into(),
            time_limit: flags.native.time_limit(),
            sandboxed: !flags.native.no_sandbox,
            compile_limit: flags.native.load_timeout,
            clang: env::var_os("BYWAY_CLANG"),
            progress: ProgressMode::for_stderr(),
        }
    }
}
