//! How tests are run natively, by whichever command.

use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::flags::color::ColorFlag;

/// How tests are run natively.
#[derive(Args, Clone, Debug)]
pub struct NativeFlags {
    /// Run this many tests at once
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,

    /// Give up on a test after this long (default: 10; for 'mutate', ten times as long
    /// as the program itself takes)
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: Option<u64>,

    /// Run tests where no sandbox is to be had: the program can then do what you can
    #[arg(long)]
    pub no_sandbox: bool,

    /// Give up on compiling a file after this long
    #[arg(long, value_name = "SECONDS", default_value_t = 300,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub load_timeout: u64,

    /// Use colours: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorFlag::Auto,
          hide_possible_values = true)]
    pub color: ColorFlag,
}

impl NativeFlags {
    /// How long a test may take that nothing else is known of.
    pub fn time_limit(&self) -> Duration {
        Duration::from_secs(self.timeout.unwrap_or(10))
    }
}

/// Whether tests of paths that had not ended count.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum PartialTestsFlag {
    /// They do.
    Keep,
    /// They do not.
    Drop,
}
