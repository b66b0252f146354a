//! How the members of a composite searcher shared the work of a run.

use serde::{Deserialize, Serialize};

/// How the members of one searcher shared the work over time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SharesRecord {
    /// The composite searcher, in the syntax of `--search`.
    pub search: String,
    /// Its members, in the syntax of `--search`.
    pub members: Vec<String>,
    /// Work per slice; with several workers, of each worker.
    pub width: u64,
    /// In ascending order of work.
    pub slices: Vec<SliceRecord>,
}

/// One slice of the work; both lists have the order of the members.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SliceRecord {
    /// Work each member did.
    pub work: Vec<u64>,
    /// Branch sides and functions of the user's code that each member was the first to reach.
    pub gained: Vec<u64>,
}
