//! What `byway mutate` works with.

use std::env;
use std::io::{self, IsTerminal};
use std::time::Duration;

use crate::failure::{Failure, Result};
use crate::flags::{MutateFlags, PartialTestsFlag};
use crate::mutate::{MutateConfig, Templates, Wanted};

use super::Install;

impl MutateConfig {
    /// Resolves what was typed.
    pub(super) fn resolve(flags: MutateFlags) -> Result<Self> {
        let templates = match (&flags.compile, &flags.link) {
            (Some(compile), Some(link)) => Some(Templates {
                sources: flags.source.clone(),
                compile: words("--compile", compile)?,
                link: words("--link", link)?,
            }),
            _ => None,
        };
        Ok(MutateConfig {
            color: flags.native.color.on(io::stdout().is_terminal()),
            time_limit: flags.native.time_limit(),
            mutants_limit: flags.native.timeout.map(Duration::from_secs),
            run: flags.run,
            tests: flags.tests,
            partial_tests: flags.partial_tests == PartialTestsFlag::Keep,
            wanted: Wanted {
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
            compile_limit: Duration::from_secs(flags.native.load_timeout),
            clang: env::var_os("BYWAY_CLANG"),
            install: Install::find(None),
            progress: io::stderr().is_terminal(),
        })
    }
}

/// A command as a shell would split it.
fn words(option: &str, command: &str) -> Result<Vec<String>> {
    shlex::split(command)
        .filter(|words| !words.is_empty())
        .ok_or_else(|| Failure::new(format!("{option} is no command: {command}")))
}
