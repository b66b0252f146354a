//! What a greedy searcher knows at the end of a run.

use byway_base::SrcLoc;
use serde::{Deserialize, Serialize};

/// Costs, and the blocks with the highest expected rewards. Costs are in instructions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MarkovRecord {
    /// Random tests.
    pub tests: u64,
    /// The mean cost of one.
    pub test_cost: f64,
    /// Paths that were solved.
    pub solved: u64,
    /// The mean cost of solving and running one.
    pub path_cost: f64,
    /// Blocks of the user's code.
    pub blocks: u64,
    /// Those that no test covers.
    pub uncovered: u64,
    /// The expected reward of a random test.
    pub start_reward: f64,
    /// The blocks with the highest rewards, the highest first.
    pub highest: Vec<BlockRewardRecord>,
}

/// The expected reward of a block.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BlockRewardRecord {
    /// The block.
    #[serde(flatten)]
    pub block: BlockRecord,
    /// The uncovered blocks that a random execution is expected to visit from here.
    pub reward: f64,
    /// Whether a test covers it.
    pub covered: bool,
    /// How often random tests executed it.
    pub executions: u64,
    /// The cost of the cheapest open path that enters it next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_cost: Option<f64>,
    /// The successor that contributes most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NextBlockRecord>,
}

/// The successor of a block that contributes most to its reward.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NextBlockRecord {
    /// The block.
    #[serde(flatten)]
    pub block: BlockRecord,
    /// The estimated probability that an execution goes there.
    pub probability: f64,
}

/// A basic block.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BlockRecord {
    /// Its function.
    pub function: String,
    /// Its number in the function.
    pub number: u32,
    /// Its first line, if known.
    pub at: Option<SrcLoc>,
}
