//! The branches of the user's own code, and why a side of one is not covered.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// `branches.json`: of every branch of the user's own code, which sides tests take, and
/// what was answered to paths that asked for the others.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BranchesRecord {
    /// The version of the whole directory.
    pub schema: u32,
    /// The files, by name; the branches of each by line and column.
    pub files: BTreeMap<String, Vec<BranchRecord>>,
}

/// A branch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BranchRecord {
    /// Its line.
    pub line: u32,
    /// Its column, zero if unknown.
    pub column: u32,
    /// The function it is in.
    pub function: String,
    /// Its sides.
    pub sides: Vec<SideRecord>,
}

/// A side of a branch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SideRecord {
    /// Which: "true", "false", "case 3", "default".
    pub side: String,
    /// The first path whose test takes it.
    pub first_path: Option<u64>,
    /// Whether some path took it, with a test or without.
    pub reached: bool,
    /// How often it was proved that no input of the path takes it.
    pub infeasible: u64,
    /// How often the solver could not tell.
    pub undecided: u64,
    /// How often a limit cut it off.
    pub dropped: u64,
    /// How many states had not gone there yet when the run ended.
    pub waiting: u64,
}
