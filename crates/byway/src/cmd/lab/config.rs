//! What `byway lab` works with.

use std::io::{self, IsTerminal};

use byway_lab::{LabOptions, PartialTests};

use super::flags::LabFlags;
use crate::flags::PartialTestsFlag;
use crate::load::Install;

/// What `byway lab` works with.
pub enum LabConfig {
    /// Print an experiment.
    Example,
    /// Run one out.
    Run {
        /// What is wished for.
        options: LabOptions,
        /// Where the parts of Byway are.
        install: Install,
        /// Whether standard error is a terminal.
        terminal: bool,
    },
}

impl LabConfig {
    /// Resolves what was typed.
    pub fn resolve(flags: LabFlags) -> Self {
        let Some(experiment) = flags.experiment else { return LabConfig::Example };
        let options = LabOptions {
            experiment,
            output: flags.output_dir,
            jobs: flags.jobs.map(usize::from),
            partial_tests: flags.partial_tests.map(|what| match what {
                PartialTestsFlag::Keep => PartialTests::Keep,
                PartialTestsFlag::Drop => PartialTests::Drop,
            }),
            set: flags.set.into_iter().collect(),
            report_only: flags.report_only,
        };
        LabConfig::Run {
            options,
            install: Install::find(None),
            terminal: io::stderr().is_terminal(),
        }
    }
}
