//! What `byway minimize` works with.

use std::path::PathBuf;

use super::flags::MinimizeFlags;
use crate::rerun::Source;

/// What `byway minimize` works with.
pub struct MinimizeConfig {
    /// The run's directory.
    pub run: PathBuf,
    /// Where to copy the tests that are kept.
    pub output: Option<PathBuf>,
    /// How the program is loaded again.
    pub source: Source,
}

impl MinimizeConfig {
    /// Resolves what was typed.
    pub fn resolve(flags: MinimizeFlags) -> Self {
        MinimizeConfig {
            run: flags.run,
            output: flags.output_dir,
            source: Source::resolve(flags.load_timeout),
        }
    }
}
