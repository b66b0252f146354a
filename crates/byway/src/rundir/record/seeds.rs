//! Seeds: which there were, and what became of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Text;
use crate::seeds::Corpus;

/// In `manifest.json`: the seeds of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeedSettings {
    /// The directories they are from, as they were named.
    pub directories: Vec<Text>,
    /// How many there are.
    pub count: u64,
    /// Stands for their names and bytes.
    pub digest: String,
}

impl From<&Corpus> for SeedSettings {
    fn from(corpus: &Corpus) -> Self {
        SeedSettings {
            directories: corpus.directories.iter().map(|dir| dir.as_os_str().into()).collect(),
            count: corpus.seeds.len() as u64,
            digest: corpus.digest.to_string(),
        }
    }
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

impl SeedCounts {
    /// Of the seeds there were, and what the engine says of them.
    pub fn new(corpus: &Corpus, totals: &byway_engine::SeedTotals) -> Self {
        let mut unused = BTreeMap::new();
        for refused in &corpus.refused {
            *unused.entry(refused.why.kind().to_string()).or_default() += 1;
        }
        SeedCounts {
            taken: totals.taken,
            ended: totals.ended,
            paths: totals.paths,
            resized: totals.resized,
            left: totals.left.iter().map(|(&why, &count)| (why.to_string(), count)).collect(),
            unused,
            doubles: corpus.doubles,
        }
    }
}
