//! What `byway mutate` works with.

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use crate::failure::{Failure, Result};
use crate::flags::PartialTestsFlag;
use crate::load::Install;

use byway_progress::ProgressMode;

use super::flags::MutateFlags;
use super::make::BuildCommands;
use super::points::MutantSelection;

/// What `byway mutate` works with.
pub struct MutateConfig {
    /// The run's directory.
    pub run: PathBuf,
    /// The numbers of the tests to run; all if `None`.
    pub tests: Option<Vec<u64>>,
    /// Whether tests of paths that had not ended count.
    pub partial_tests: bool,
    /// Which mutants are wanted.
    pub wanted: MutantSelection,
    /// How the program is made, if not of the run's own sources.
    pub templates: Option<BuildCommands>,
    /// How many survivors to show.
    pub show: usize,
    /// Whether to print JSON.
    pub json: bool,
    /// How many mutants are compiled and run at once.
    pub jobs: usize,
    /// How long the program itself may take for a test.
    pub time_limit: Duration,
    /// How long a mutant may; by what the program takes if `None`.
    pub mutants_limit: Option<Duration>,
    /// Whether mutants are kept from doing harm.
    pub sandboxed: bool,
    /// How long compiling a file may take.
    pub compile_limit: Duration,
    /// The clang to call; the one the run used if `None`.
    pub clang: Option<OsString>,
    /// Where the parts of Byway are.
    pub install: Install,
    /// Whether the table shows colours.
    pub color: bool,
    /// Whether someone is watching standard error.
    pub progress: ProgressMode,
}

impl MutateConfig {
    /// Resolves what was typed.
    pub fn resolve(flags: MutateFlags) -> Result<Self> {
        let templates = match (&flags.compile, &flags.link) {
            (Some(compile), Some(link)) => Some(BuildCommands {
                sources: flags.source.clone(),
                compile: words("--compile", compile)?,
                link: words("--link", link)?,
            }),
            _ => None,
        };
        Ok(MutateConfig {
            color: flags.native.color.on(io::stdout().is_terminal()),
            time_limit: flags.native.time_limit(),
            mutants_limit: flags.native.timeout,
            run: flags.run,
            tests: flags.tests,
            partial_tests: flags.partial_tests == PartialTestsFlag::Keep,
            wanted: MutantSelection {
                operators: flags.operators,
                files: flags.files,
                functions: flags.functions,
                sample: flags.sample.map(|n| usize::try_from(n).unwrap_or(usize::MAX)),
                seed: flags.seed,
            },
            templates,
            show: flags.show,
            json: flags.json,
            jobs: flags.native.jobs.into(),
            sandboxed: !flags.native.no_sandbox,
            compile_limit: flags.native.load_timeout,
            clang: env::var_os("BYWAY_CLANG"),
            install: Install::find(None),
            progress: ProgressMode::for_stderr(),
        })
    }
}

/// A command as a shell would split it.
fn words(option: &str, command: &str) -> Result<Vec<String>> {
    shlex::split(command)
        .filter(|words| !words.is_empty())
        .ok_or_else(|| Failure::new(format!("{option} is no command: {command}")))
}
