//! What `byway minimize` works with.

use std::time::Duration;

use crate::flags::MinimizeFlags;
use crate::minimize::MinimizeConfig;

impl MinimizeConfig {
    /// Resolves what was typed.
    pub(super) fn resolve(flags: MinimizeFlags) -> Self {
        MinimizeConfig {
            run: flags.run,
            output: flags.output_dir,
            source: super::replay::source(Duration::from_secs(flags.load_timeout)),
        }
    }
}
