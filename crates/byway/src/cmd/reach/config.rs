//! The resolved options of `byway reach`.

use std::io::{self, IsTerminal};
use std::time::Duration;

use super::flags::{DEFAULT_SEARCH, ReachFlags};
use crate::cmd::run::RunConfig;
use crate::failure::{Failure, Result};

/// The configuration of `byway reach`.
pub struct ReachConfig {
    /// The exploration.
    pub run: RunConfig,
    /// The lines that changed since this revision are targets.
    pub since: Option<String>,
    /// How tests are confirmed natively; `None` if they are not.
    pub confirm: Option<ConfirmOptions>,
    /// Colour the verdicts.
    pub color: bool,
}

/// How tests are run natively.
pub struct ConfirmOptions {
    /// The time limit of one test.
    pub time_limit: Duration,
    /// Tests run in namespaces.
    pub sandboxed: bool,
    /// The time limit for compiling a file.
    pub compile_limit: Duration,
}

impl ReachConfig {
    /// Resolves the options of the command line.
    pub fn resolve(flags: ReachFlags) -> Result<Self> {
        if flags.run.target.is_empty() && flags.since.is_none() {
            let problem = "no target given: --target FILE:LINE, a function, or errors";
            return Err(Failure::new(problem)
                .hint("--since REV takes the lines that changed since a git revision"));
        }
        ReachConfig::resolve_search(flags)
    }

    /// Resolves the options of a search whose targets are found elsewhere.
    pub fn resolve_search(flags: ReachFlags) -> Result<Self> {
        let mut run = flags.run;
        if run.search.is_empty() {
            run.search.push(DEFAULT_SEARCH.to_string());
        }
        let color = run.load.color.on(io::stdout().is_terminal());
        let run = RunConfig::resolve(run)?;
        let confirm = (!flags.no_confirm).then_some(ConfirmOptions {
            time_limit: flags.confirm_timeout,
            sandboxed: !flags.no_sandbox,
            compile_limit: run.load.time_limit,
        });
        Ok(ReachConfig { run, since: flags.since, confirm, color })
    }
}
