//! What one run came to: all that a report needs of it, small enough to be kept for ever.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The version of these files.
pub const SCHEMA: u32 = 1;

/// A run that was measured.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// [`SCHEMA`].
    pub schema: u32,
    /// What made the run.
    #[serde(flatten)]
    pub build: Build,
    /// What the run was told, for people.
    pub command: Vec<String>,
    /// What the run came to.
    pub run: Run,
    /// The distinct faults.
    pub faults: Vec<Fault>,
    /// How far it was over time.
    pub samples: Vec<Sample>,
    /// What its tests cover.
    pub coverage: Coverage,
}

/// A byway.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Build {
    /// Its version.
    pub byway: String,
    /// A digest of its parts.
    pub build: String,
}

/// What a run came to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // as in a run's summary
pub struct Run {
    pub ended: String,
    pub complete: bool,
    pub tests: u64,
    pub paths: BTreeMap<String, u64>,
    pub work: u64,
    pub instructions: u64,
    pub forks: u64,
    pub queries: u64,
    pub max_states: u64,
    pub max_memory: u64,
    pub elapsed_ms: u64,
    pub cpu_ms: u64,
}

/// A fault: those of one kind at one place are one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// Its kind.
    pub kind: String,
    /// The place to blame, `file:line:column`; empty if not known.
    pub at: String,
}

/// How far a run was.
#[derive(Copy, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sample {
    /// By which clocks.
    pub at: Moment,
    /// States that lived.
    pub states: u64,
}

/// A moment of a run, by each of the clocks.
#[derive(Copy, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Moment {
    /// The wall's, in milliseconds since exploring began.
    pub wall: f64,
    /// The processor's, in milliseconds since the process began.
    pub cpu: f64,
    /// Work.
    pub work: f64,
}

/// What tests cover.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Coverage {
    /// How it was measured.
    pub how: String,
    /// Tests that were measured.
    pub tests: u64,
    /// Tests of paths that had not ended, left out.
    pub left_out: u64,
    /// Tests that could not be measured.
    pub lost: u64,
    /// Lines.
    pub lines: Share,
    /// Sides of branches.
    pub sides: Share,
    /// The tests that covered something first, in the order they were written.
    pub credit: Vec<Credit>,
}

/// So many of so many.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Share {
    /// Covered.
    pub covered: u64,
    /// All.
    pub total: u64,
}

impl Share {
    /// As a part of one; there is none of nothing.
    pub fn part(self) -> Option<f64> {
        (self.total > 0).then(|| self.covered as f64 / self.total as f64)
    }
}

/// What a test covered that none before it did.
#[derive(Copy, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Credit {
    /// When it was written.
    pub at: Moment,
    /// Lines.
    pub lines: u64,
    /// Sides of branches.
    pub sides: u64,
}
