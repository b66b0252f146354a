//! What `byway cover` works with.

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use crate::native_coverage::build::Compiler;
use byway_progress::ProgressMode;

use super::flags::{CompilerFlag, CoverFlags};
use crate::flags::PartialTestsFlag;

/// What `byway cover` works with.
pub struct CoverConfig {
    /// The run's directory.
    pub run: PathBuf,
    /// The numbers of the tests to run; all if `None`.
    pub tests: Option<Vec<u64>>,
    /// Whether tests of paths that had not ended are measured as well.
    pub partial_tests: bool,
    /// Where to write; a directory in the run's if `None`.
    pub output: Option<PathBuf>,
    /// A program built for coverage by somebody else.
    pub build: Option<PathBuf>,
    /// Where the notes of that are, if not beside it.
    pub notes: Option<PathBuf>,
    /// Where to look for sources.
    pub sources: Vec<PathBuf>,
    /// The ends of the names of files that are wanted; all of the user's own if empty.
    pub files: Vec<String>,
    /// Who instruments C.
    pub compiler: Compiler,
    /// How many tests run at once.
    pub jobs: usize,
    /// How long one test may take.
    pub time_limit: Duration,
    /// Whether tests are kept from doing harm.
    pub sandboxed: bool,
    /// How long compiling a file may take.
    pub compile_limit: Duration,
    /// The clang to call; the one the run used if `None`.
    pub clang: Option<OsString>,
    /// Whether the table shows colours.
    pub color: bool,
    /// Whether someone is watching standard error.
    pub progress: ProgressMode,
}

impl CoverConfig {
    /// Resolves what was typed.
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
                CompilerFlag::Any => Compiler::Any,
                CompilerFlag::Gcc => Compiler::Gcc,
                CompilerFlag::Clang => Compiler::Clang,
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
