//! The searchers, one technique in each file.

mod batch;
mod bfs;
mod dfs;
mod frontier;
mod interleave;
mod line;
mod lottery;
mod nurs;
mod portfolio;
mod random_path;
mod random_state;
mod sgs;
mod thrifty;

pub use batch::Batch;
pub use bfs::Bfs;
pub use dfs::Dfs;
pub use frontier::Frontier;
pub use interleave::Interleave;
pub use nurs::{Measure, Nurs};
pub use portfolio::{Portfolio, Shares};
pub use random_path::RandomPath;
pub use random_state::RandomState;
pub use sgs::{Forks, Sgs, Ties};
pub use thrifty::Thrifty;
