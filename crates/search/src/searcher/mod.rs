//! The searchers, one technique in each file.

mod batch;
mod bfs;
mod cgs;
mod cost_limited;
mod dart;
mod dfs;
mod frontier;
mod generational;
mod interleave;
mod line;
mod lottery;
mod nurs;
mod portfolio;
mod random_path;
mod random_state;
mod random_testing;
mod sgs;
mod subpaths;

pub use batch::Batch;
pub use bfs::Bfs;
pub use cgs::Cgs;
pub use cost_limited::CostLimited;
pub use dart::Dart;
pub use dfs::Dfs;
pub use frontier::Frontier;
pub use generational::Generational;
pub use interleave::Interleave;
pub use nurs::{Measure, Nurs};
pub use portfolio::{Portfolio, Shares};
pub use random_path::RandomPath;
pub use random_state::RandomState;
pub use random_testing::RandomTesting;
pub use sgs::{Forks, Sgs, Ties};
