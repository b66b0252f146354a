//! `--color`.

use std::env;

use clap::ValueEnum;

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum ColorFlag {
    Auto,
    Always,
    Never,
}

impl ColorFlag {
    /// Whether a stream that is or is not a terminal shows colour.
    pub fn on(self, terminal: bool) -> bool {
        match self {
            ColorFlag::Always => true,
            ColorFlag::Never => false,
            ColorFlag::Auto => terminal && environment_allows_colour(),
        }
    }
}

/// Whether NO_COLOR and TERM allow colour on a terminal.
pub fn environment_allows_colour() -> bool {
    env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && env::var_os("TERM").is_none_or(|term| term != "dumb")
}
