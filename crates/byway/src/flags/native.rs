//! Options for running a run's tests natively, shared by `replay`, `cover` and `mutate`.

use std::time::Duration;

use byway_base::quantity;
use clap::{Args, ValueEnum};

use crate::flags::color::ColorFlag;

/// Time limit of a test, unless `--timeout` sets one.
const TEST_TIME_LIMIT: Duration = Duration::from_secs(10);

#[derive(Args, Clone, Debug)]
pub struct NativeFlags {
    /// Run this many tests at once
    #[arg(long, short, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,

    /// Time limit for one test (default: 10s; for mutants, ten times as long as the
    /// original program takes)
    #[arg(long, value_name = "TIME", value_parser = quantity::parse_time)]
    pub timeout: Option<Duration>,

    /// Run tests even if no sandbox is available: the program can then do whatever you can
    #[arg(long)]
    pub no_sandbox: bool,

    /// Time limit for compiling a file
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = quantity::parse_time)]
    pub load_timeout: Duration,

    /// Colour: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorFlag::Auto,
          hide_possible_values = true)]
    pub color: ColorFlag,
}

impl NativeFlags {
    pub fn time_limit(&self) -> Duration {
        self.timeout.unwrap_or(TEST_TIME_LIMIT)
    }
}

/// `--partial-tests`: whether to use tests of paths that did not end.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum PartialTestsFlag {
    Keep,
    Drop,
}
