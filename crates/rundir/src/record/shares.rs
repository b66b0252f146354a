//! How searchers shared the work of a run.

use serde::{Deserialize, Serialize};

/// How the members of one searcher shared the work, slice by slice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SharesRecord {
    /// What they are called together, as `--search` takes it.
    pub search: String,
    /// The members, as `--search` takes them.
    pub members: Vec<String>,
    /// How much work a slice is wide; with several jobs, of each of them.
    pub width: u64,
    /// The slices.
    pub slices: Vec<SliceRecord>,
}

/// What each member had and gained in a slice, in the order of the members.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SliceRecord {
    /// Its work.
    pub work: Vec<u64>,
    /// Sides of branches and functions of the user's code that it was the first to come to.
    pub gained: Vec<u64>,
}
