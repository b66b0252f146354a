//! The resolved options of `byway lab`.

use std::io::{self, IsTerminal};

use byway_lab::{LabOptions, PartialTests};

use super::flags::LabFlags;
use crate::flags::PartialTestsFlag;
use crate::load::Install;

pub enum LabConfig {
    /// Print an example of an experiment.
    Example,
    /// Carry out an experiment.
    Run {
        options: LabOptions,
        install: Install,
        /// Standard error is a terminal.
        terminal: bool,
    },
}

impl LabConfig {
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
