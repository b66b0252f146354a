//! The seeds of a run, and what happened to them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ByteString;

/// In `manifest.json`: the seeds of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeedSettings {
    /// Their directories, as the user named them.
    pub directories: Vec<ByteString>,
    /// Seeds read.
    pub count: u64,
    /// A digest of their names and contents.
    pub digest: String,
}

/// In `summary.json`: what happened to the seeds.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SeedCounts {
    /// Seeds that were followed.
    pub taken: u64,
    /// Of these, seeds that were followed to the end of a path that is not truncated.
    pub ended: u64,
    /// Paths that ended with a seed.
    pub paths: u64,
    /// Seeds followed that were padded or cut to the size of an input.
    pub resized: u64,
    /// Seeds followed that have bytes for no input of their path.
    #[serde(default)]
    pub unmatched: u64,
    /// Seeds followed that left their path, by reason.
    pub left: BTreeMap<String, u64>,
    /// Files, or lines of files, that are not seeds, by reason.
    pub unused: BTreeMap<String, u64>,
    /// Seeds left out because they equal another.
    pub doubles: u64,
}
