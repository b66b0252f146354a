//! The stored result of one run: everything a report needs, in a small file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The version of the stored results.
pub const SCHEMA: u32 = 1;

/// The result of a cell of the matrix.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CellResult {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The executable that explored.
    #[serde(flatten)]
    pub build: BywayBuild,
    /// The arguments of `byway run`, for the reader.
    pub command: Vec<String>,
    /// Figures of the run's summary.
    pub run: RunFigures,
    /// The distinct faults.
    pub faults: Vec<FoundFault>,
    /// Statistics over time.
    pub samples: Vec<RunSample>,
    /// The coverage of its tests.
    pub coverage: MeasuredCoverage,
}

/// A version and build of byway.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct BywayBuild {
    /// The version.
    pub byway: String,
    /// A digest of all parts.
    pub build: String,
}

/// Figures of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // as in a run's summary
pub struct RunFigures {
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

/// A distinct fault: kind and location.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct FoundFault {
    /// The name of its kind.
    pub kind: String,
    /// `file:line:column` of the line to blame; empty if unknown.
    pub at: String,
}

/// The number of states at one time.
#[derive(Copy, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunSample {
    /// When.
    pub at: Moment,
    /// Live states.
    pub states: u64,
}

/// A point in a run, in three units.
#[derive(Copy, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Moment {
    /// Wall-clock milliseconds since exploration began.
    pub wall: f64,
    /// Processor milliseconds since the process began.
    pub cpu: f64,
    /// Units of `--max-work`.
    pub work: f64,
}

/// The coverage of a run's tests.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MeasuredCoverage {
    /// The method, for the reader.
    pub how: String,
    /// Tests measured.
    pub tests: u64,
    /// Tests of truncated paths that do not count.
    pub left_out: u64,
    /// Tests that could not be measured.
    pub lost: u64,
    /// Lines covered.
    pub lines: CoverageShare,
    /// Branch sides covered.
    pub sides: CoverageShare,
    /// The tests that were the first to cover something, in the order they were written.
    pub credit: Vec<CoverageCredit>,
}

/// Covered items of all items.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CoverageShare {
    /// Items covered.
    pub covered: u64,
    /// Items in all.
    pub total: u64,
}

impl CoverageShare {
    /// The fraction covered; `None` if there is nothing to cover.
    pub fn fraction(self) -> Option<f64> {
        (self.total > 0).then(|| self.covered as f64 / self.total as f64)
    }
}

/// What a test was the first to cover.
#[derive(Copy, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CoverageCredit {
    /// When the test was written.
    pub at: Moment,
    /// Lines first covered.
    pub lines: u64,
    /// Branch sides first covered.
    pub sides: u64,
}
