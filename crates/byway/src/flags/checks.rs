//! `--checks`: undefined behaviour that is reported on request.

use clap::Args;

use crate::checks::{self, CheckSet, CheckWord};

#[derive(Args, Debug)]
pub struct CheckFlags {
    /// Also report these, or with 'no-' in front do not; 'all' for every check
    #[arg(
        long,
        alias = "check",
        value_name = "[no-]CHECK,...",
        value_delimiter = ',',
        value_parser = CheckWord::parse,
        help_heading = "Program"
    )]
    checks: Vec<CheckWord>,
}

impl CheckFlags {
    pub fn resolve(&self) -> CheckSet {
        checks::resolve(&self.checks)
    }
}
