//! When output shows colours.

use std::env;

use clap::ValueEnum;

/// When to use colours.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum ColorFlag {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ColorFlag {
    /// Whether to use them on a stream that is a terminal, or is none.
    pub fn on(self, terminal: bool) -> bool {
        match self {
            ColorFlag::Always => true,
            ColorFlag::Never => false,
            ColorFlag::Auto => terminal && colour_is_welcome(),
        }
    }
}

/// Whether colours may be used on a terminal at all.
pub fn colour_is_welcome() -> bool {
    env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && env::var_os("TERM").is_none_or(|term| term != "dumb")
}
