//! What `byway show` works with.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use super::flags::ShowFlags;

/// What `byway show` works with.
pub struct ShowConfig {
    /// The test, or the directory of its run.
    pub test: PathBuf,
    /// The number of its path, if that is needed.
    pub number: Option<u64>,
    /// Whether to print only the command.
    pub command: bool,
    /// Whether standard output shows colours.
    pub color: bool,
}

impl ShowConfig {
    /// Resolves what was typed.
    pub fn resolve(flags: ShowFlags) -> Self {
        let color = flags.color.on(io::stdout().is_terminal());
        ShowConfig { test: flags.test, number: flags.number, command: flags.command, color }
    }
}
