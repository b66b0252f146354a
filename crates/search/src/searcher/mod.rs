//! The searchers, one technique in each file.

mod batch;
mod bfs;
mod dfs;
mod interleave;
mod line;
mod lottery;
mod nurs;
mod portfolio;
mod random_path;
mod random_state;
mod sgs;

pub use batch::Batch;
pub use bfs::Bfs;
pub use dfs::Dfs;
pub use interleave::Interleave;
pub use nurs::{Measure, Nurs};
pub use portfolio::{Portfolio, Shares};
pub use random_path::RandomPath;
pub use random_state::RandomState;
pub use sgs::{Sgs, Ties};
