//! Seeds: which there were, and what became of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ByteString;

/// In `manifest.json`: the seeds of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeedSettings {
    /// The directories they are from, as they were named.
    pub directories: Vec<ByteString>,
    /// How many there are.
    pub count: u64,
    /// Stands for their names and bytes.
    pub digest: String,
}

/// In `summary.json`: what became of the seeds.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SeedCounts {
    /// Seeds that were followed.
    pub taken: u64,
    /// Those of them that came to where their path ended by itself.
    pub ended: u64,
    /// Paths that ended with a seed.
    pub paths: u64,
    /// Those of the seeds taken that were padded or cut to the sizes of inputs.
    pub resized: u64,
    /// Those of the seeds taken that were left behind, by the reason.
    pub left: BTreeMap<String, u64>,
    /// Files, or lines of them, that were not taken, by the reason.
    pub unused: BTreeMap<String, u64>,
    /// Those not taken because another says the same.
    pub doubles: u64,
}
