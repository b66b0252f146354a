//! What a greedy searcher knows at the end: the blocks with the highest expected rewards, and why.

use super::ChainState;

/// The blocks that are listed.
pub const MOST_BLOCKS: usize = 20;

/// What a greedy searcher knows at the end of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MarkovReport {
    /// Random tests, and the mean cost of one, in instructions.
    pub tests: u64,
    /// See `tests`.
    pub test_cost: f64,
    /// Paths that were solved, and the mean cost of solving and running one.
    pub solved: u64,
    /// See `solved`.
    pub path_cost: f64,
    /// The blocks of the user's code, and those that no test has covered.
    pub blocks: usize,
    /// See `blocks`.
    pub uncovered: usize,
    /// The expected reward of a random test.
    pub start_reward: f64,
    /// The blocks with the highest rewards, the highest first.
    pub highest: Vec<BlockReward>,
}

/// The reward of a block, and where it comes from.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct BlockReward {
    /// The block.
    pub state: ChainState,
    /// The uncovered blocks that a random execution is expected to visit from here.
    pub reward: f64,
    /// Whether a test covers it; if not, it is part of its own reward.
    pub is_covered: bool,
    /// How often random tests executed it.
    pub executions: u64,
    /// The cost of the cheapest open path that enters it next.
    pub path_cost: Option<f64>,
    /// The successor that contributes most: its probability, and itself.
    pub next: Option<(f64, ChainState)>,
}
