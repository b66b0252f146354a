//! `learnt.jsonl`: what searchers and pruners have learnt.

use serde::{Deserialize, Serialize};

/// A line of `learnt.jsonl`: a table of a searcher or pruner.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LearntRecord {
    /// The number of the worker, from 0.
    pub job: u64,
    /// What the table is of, such as `homi` or `sgs:1`.
    pub name: String,
    /// Rows of any length. They mean something to the searcher or pruner only.
    pub rows: Vec<Vec<u64>>,
}
