//! Differences between two builds on the tests of a run: in `summary.json`, and one line for each
//! test in `differences.jsonl`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What running the tests on both builds showed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DifferencesRecord {
    /// Tests that both builds ran.
    pub compared: u64,
    /// Tests on which they differ.
    pub different: u64,
    /// The distinct differences, in the order of their first tests.
    pub kinds: Vec<DifferenceKind>,
    /// Tests that could not be compared, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub not_comparable: BTreeMap<String, u64>,
    /// Tests that were not run, because the user stopped the comparison.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub not_run: u64,
    /// The search for combinations of how both builds end; only if the change is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub combinations: Option<CombinationsRecord>,
}

/// The search for inputs that combine how both builds end.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CombinationsRecord {
    /// Inputs for a combination of two endings.
    pub combined: u64,
    /// Inputs for an ending of one build that no other test reaches.
    pub completed: u64,
    /// Tests that were completed by what only one build asks for.
    pub extended: u64,
    /// Conditions on which no input satisfies a combination, or an ending.
    pub infeasible: u64,
    /// Queries that the solver could not decide.
    pub undecided: u64,
    /// Inputs that ended otherwise than their conditions said.
    pub diverged: u64,
    /// Runs of a build that a limit or an unsupported feature ended.
    pub unfinished: u64,
    /// Decisions whose other cases a limit forbids.
    pub limited: u64,
    /// What stopped the search before all combinations were decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// A distinct difference: the same endings, or the same streams that differ.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DifferenceKind {
    /// Tests that show it.
    pub tests: u64,
    /// The first of them, as a path in the run directory.
    pub first: String,
    /// What differs on the first of them.
    pub parts: Vec<DifferingPart>,
}

/// A part of the behaviour that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DifferingPart {
    /// "ending", "standard output" or "standard error".
    pub part: String,
    /// In the old build; of a stream the bytes from the first difference on.
    pub old: String,
    /// In the new build.
    pub new: String,
    /// Of a stream, the number of the first byte that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
}

/// A line of `differences.jsonl`: a test that shows a difference or could not be compared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestDifference {
    /// The test, as a path in the run directory.
    pub test: String,
    /// What differs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<DifferingPart>,
    /// Why it could not be compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_comparable: Option<String>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}
