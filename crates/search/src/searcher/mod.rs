//! The searchers, one technique in each file.

mod batch;
mod bfs;
mod dfs;
mod interleave;
mod line;
mod random_path;
mod random_state;

pub use batch::Batch;
pub use bfs::Bfs;
pub use dfs::Dfs;
pub use interleave::Interleave;
pub use random_path::RandomPath;
pub use random_state::RandomState;
