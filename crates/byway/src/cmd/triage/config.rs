//! The resolved options of `byway triage`.

use std::path::PathBuf;

use super::flags::TriageFlags;
use crate::cmd::reach::ReachConfig;
use crate::failure::{Failure, Result};

/// The configuration of `byway triage`.
pub struct TriageConfig {
    pub report: PathBuf,
    /// The file for the report with verdicts, if the user named one.
    pub output: Option<PathBuf>,
    /// The search.
    pub reach: ReachConfig,
}

impl TriageConfig {
    /// Resolves the options of the command line.
    pub fn resolve(flags: TriageFlags) -> Result<Self> {
        if !flags.reach.run.target.is_empty() || flags.reach.since.is_some() {
            let hint = "'byway reach' decides lines of your own choice";
            return Err(Failure::new(
                "triage takes its targets from the report: no --target, no --since",
            )
            .hint(hint));
        }
        let reach = ReachConfig::resolve_search(flags.reach)?;
        Ok(TriageConfig { report: flags.report, output: flags.output, reach })
    }
}
