//! The resolved configuration of `byway minimize`.

use std::path::PathBuf;

use byway_progress::ProgressMode;

use super::flags::MinimizeFlags;
use crate::rerun::ProgramLoader;

/// The configuration of `byway minimize`.
pub struct MinimizeConfig {
    pub run: PathBuf,
    /// A directory that receives copies of the kept tests.
    pub output: Option<PathBuf>,
    /// How to load the program again.
    pub loader: ProgramLoader,
    pub progress: ProgressMode,
}

impl MinimizeConfig {
    /// Resolves the options.
    pub fn resolve(flags: MinimizeFlags) -> Self {
        MinimizeConfig {
            run: flags.run,
            output: flags.output_dir,
            loader: ProgramLoader::resolve(flags.load_timeout),
            progress: ProgressMode::for_stderr(),
        }
    }
}
