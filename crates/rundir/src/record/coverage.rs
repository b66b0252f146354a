//! `coverage.json` and `branches.json`: what the tests cover of the user's own code.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// `coverage.json`: coverage by line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CoverageRecord {
    /// [`SCHEMA`](crate::SCHEMA).
    pub schema: u32,
    /// Lines with code, by file and in ascending order.
    pub files: BTreeMap<String, Vec<LineRecord>>,
}

/// A line with code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LineRecord {
    /// From 1.
    pub line: u32,
    /// The first path whose test executes it.
    pub first_path: Option<u64>,
    /// Branch sides on this line.
    pub branches: u32,
    /// Of these, sides that some test takes.
    pub taken: u32,
}

/// `branches.json`: for every branch, the sides that tests take, and why the others are not
/// covered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BranchesRecord {
    /// [`SCHEMA`](crate::SCHEMA).
    pub schema: u32,
    /// Branches by file, in ascending order of line and column.
    pub files: BTreeMap<String, Vec<BranchRecord>>,
}

/// A branch of the user's code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BranchRecord {
    /// From 1.
    pub line: u32,
    /// From 1; zero if unknown.
    pub column: u32,
    /// The function that contains it.
    pub function: String,
    /// In the order of the program.
    pub sides: Vec<SideRecord>,
}

/// A side of a branch. The counters count queries of paths that reached the branch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SideRecord {
    /// "true", "false", "case 3" or "default".
    pub side: String,
    /// The first path whose test takes it.
    pub first_path: Option<u64>,
    /// Some path took it, with a test or without.
    pub reached: bool,
    /// Times it was proved that no input of the path takes it.
    pub infeasible: u64,
    /// Times the solver could not decide.
    pub undecided: u64,
    /// Times a limit dropped the state that would take it.
    pub dropped: u64,
    /// States that had yet to take it when the run ended.
    pub waiting: u64,
}
