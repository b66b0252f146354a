//! What `byway stats` works with.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use super::flags::StatsFlags;

/// What `byway stats` works with.
pub struct StatsConfig {
    /// The directory of the run.
    pub run: PathBuf,
    /// Whether to print JSON.
    pub json: bool,
    /// Whether to print what a greedy searcher knows.
    pub markov: bool,
    /// Whether standard output shows colours.
    pub color: bool,
}

impl StatsConfig {
    /// Resolves what was typed.
    pub fn resolve(flags: StatsFlags) -> Self {
        let color = flags.color.on(io::stdout().is_terminal());
        StatsConfig { run: flags.run, json: flags.json, markov: flags.markov, color }
    }
}
