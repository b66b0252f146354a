//! What `byway replay` works with.

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use super::flags::ReplayFlags;
use crate::rerun::Source;

/// What `byway replay` works with.
pub struct ReplayConfig {
    /// The run's directory.
    pub run: PathBuf,
    /// The numbers of the tests to run; all if `None`.
    pub tests: Option<Vec<u64>>,
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
    /// How the program is loaded again, to say what tests write.
    pub source: Source,
    /// A program of the user's to run the tests on.
    pub binary: Option<PathBuf>,
    /// Where each test's verdict is written, for programs to read.
    pub verdicts: Option<PathBuf>,
    /// Whether the table shows colours.
    pub color: bool,
    /// Whether someone is watching standard error.
    pub progress: bool,
}

impl ReplayConfig {
    /// Resolves what was typed.
    pub fn resolve(flags: ReplayFlags) -> Self {
        ReplayConfig {
            color: flags.native.color.on(io::stdout().is_terminal()),
            run: flags.run,
            tests: flags.tests,
            jobs: flags.native.jobs.into(),
            time_limit: flags.native.time_limit(),
            sandboxed: !flags.native.no_sandbox,
            compile_limit: flags.native.load_timeout,
            clang: env::var_os("BYWAY_CLANG"),
            source: Source::resolve(flags.native.load_timeout),
            binary: flags.binary,
            verdicts: flags.verdicts,
            progress: io::stderr().is_terminal(),
        }
    }
}
