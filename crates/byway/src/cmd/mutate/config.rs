//! The resolved configuration of `byway mutate`.

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

/// The configuration of `byway mutate`.
pub struct MutateConfig {
    pub run: PathBuf,
    /// The numbers of the tests to run; `None` for all.
    pub tests: Option<Vec<u64>>,
    /// Tests of unfinished paths are used as well.
    pub partial_tests: bool,
    pub selection: MutantSelection,
    /// The user's build commands, for a run of bitcode.
    pub commands: Option<BuildCommands>,
    /// The number of survivors to show.
    pub show: usize,
    pub json: bool,
    /// The number of mutants that are compiled or run at once.
    pub jobs: usize,
    /// The time limit of the unmutated program for a test.
    pub time_limit: Duration,
    /// The time limit of a mutant; `None` to derive it from the time of the program.
    pub mutants_limit: Option<Duration>,
    /// Mutants run in namespaces.
    pub sandboxed: bool,
    /// The time limit for compiling a file.
    pub compile_limit: Duration,
    /// The clang executable; `None` for the one the run used.
    pub clang: Option<OsString>,
    pub install: Install,
    pub color: bool,
    pub progress: ProgressMode,
}

impl MutateConfig {
    /// Resolves the options.
    pub fn resolve(flags: MutateFlags) -> Result<Self> {
        let commands = match (&flags.compile, &flags.link) {
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
            selection: MutantSelection {
                operators: flags.operators,
                files: flags.files,
                functions: flags.functions,
                sample: flags.sample.map(|n| usize::try_from(n).unwrap_or(usize::MAX)),
                seed: flags.seed,
            },
            commands,
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

/// Splits a command as a shell does.
fn words(option: &str, command: &str) -> Result<Vec<String>> {
    shlex::split(command)
        .filter(|words| !words.is_empty())
        .ok_or_else(|| Failure::new(format!("{option} is not a command: {command}")))
}
