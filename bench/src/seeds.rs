//! Options of benchmarks that generate one program for each seed.

use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

/// No failing program is shrunk for longer.
pub const SHRINK_LIMIT: Duration = Duration::from_secs(300);

/// Which programs are generated, and what happens to those that fail.
#[derive(clap::Args, Debug)]
pub struct SeedOptions {
    /// The first seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Only the program of this seed
    #[arg(long, value_name = "SEED")]
    pub only: Option<u64>,

    /// Programs checked at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub jobs: usize,

    /// Shrink programs that fail, and leave them in this directory
    #[arg(long, value_name = "DIR")]
    pub keep_failures: Option<PathBuf>,
}

impl SeedOptions {
    /// The seeds of `count` programs, or the single one of `--only`.
    pub fn seeds(&self, count: u64) -> Range<u64> {
        self.only.map_or(self.seed..self.seed + count, |seed| seed..seed + 1)
    }
}
