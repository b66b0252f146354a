//! The resolved configuration of `byway replay`.

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use byway_progress::ProgressMode;

use super::flags::ReplayFlags;
use crate::rerun::ProgramLoader;

/// The configuration of `byway replay`.
pub struct ReplayConfig {
    pub run: PathBuf,
    /// The numbers of the tests to run; `None` for all.
    pub tests: Option<Vec<u64>>,
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
    /// How to load the program for reruns on the engine.
    pub loader: ProgramLoader,
    /// The user's executable to run the tests on, instead of a build with sanitizers.
    pub binary: Option<PathBuf>,
    /// The file for verdicts as JSON.
    pub verdicts: Option<PathBuf>,
    pub color: bool,
    pub progress: ProgressMode,
}

impl ReplayConfig {
    /// Resolves the options.
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
            loader: ProgramLoader::resolve(flags.native.load_timeout),
            binary: flags.binary,
            verdicts: flags.verdicts,
            progress: ProgressMode::for_stderr(),
        }
    }
}
