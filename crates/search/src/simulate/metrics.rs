//! What a simulated program counts as it runs, so that searchers which go by such
//! metrics can be tried on it.
//!
//! Every block stands for a function of its own, so that call paths differ; and what a
//! query costs is made up, but always the same for the same block.

use byway_base::entity::{EntityRef, EntitySet, SecondaryMap};
use byway_ir::BlockId;

use super::tree::{ExecutionTree, TreeNodeId, TreeNodeKind};

/// Distances are brought up to date each time so many blocks more are covered, so
/// that searchers meet stale ones too.
const STALE: u32 = 8;

/// What is counted over all states.
#[derive(Default)]
pub(super) struct SimulatedMetrics {
    executions: SecondaryMap<BlockId, u64>,
    instructions: SecondaryMap<BlockId, u64>,
    covered: EntitySet<BlockId>,
    /// Blocks covered since distances were brought up to date.
    news: u32,
    /// What was covered then.
    known: EntitySet<BlockId>,
    epoch: u64,
}

/// What is counted for each state, and handed on to what it forks into.
#[derive(Copy, Clone, Default)]
pub(super) struct StateCounters {
    /// Spent on its queries.
    pub effort: u64,
    /// Instructions since it last covered a block.
    pub instructions_since_new_coverage: Option<u64>,
}

impl StateCounters {
    /// Asks about so many ways out of a block.
    pub fn solve(&mut self, block: BlockId, ways: usize) {
        self.effort += (block.index() as u64 * 37 % 101) * ways as u64 * 10;
    }
}

impl SimulatedMetrics {
    /// A state begins with a block; whether it is the first to.
    pub fn enter(&mut self, block: BlockId, own: &mut StateCounters) -> bool {
        self.executions[block] += 1;
        let first = self.covered.insert(block);
        if first {
            own.instructions_since_new_coverage = Some(0);
            self.news += 1;
        }
        first
    }

    /// A state ran so many instructions of a block.
    pub fn ran(&mut self, block: BlockId, steps: u64, own: &mut StateCounters) {
        self.instructions[block] += steps;
        own.instructions_since_new_coverage =
            own.instructions_since_new_coverage.map(|since| since.saturating_add(steps));
    }

    /// Whether some state began with a block.
    pub fn is_covered(&self, block: BlockId) -> bool {
        self.covered.contains(block)
    }

    /// How often a block was begun.
    pub fn executions(&self, block: BlockId) -> u64 {
        self.executions[block]
    }

    /// How many instructions of a block were run.
    pub fn instructions(&self, block: BlockId) -> u64 {
        self.instructions[block]
    }

    /// How often distances were brought up to date.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Distances follow the coverage, if enough has come to it.
    pub fn bring_up_to_date(&mut self) {
        if self.news >= STALE {
            self.news = 0;
            self.known = self.covered.clone();
            self.epoch += 1;
        }
    }

    /// How far it is from a node, so many of whose instructions are left, to a block
    /// that was not covered.
    pub fn distance(&self, tree: &ExecutionTree, node: TreeNodeId, left: u64) -> Option<u64> {
        let mut least: Option<u64> = None;
        let is_new = |node: TreeNodeId| !self.known.contains(tree.node(node).block);
        if left == tree.node(node).steps.get() && is_new(node) {
            return Some(1);
        }
        let mut open = vec![(node, left)];
        while let Some((node, distance)) = open.pop() {
            let TreeNodeKind::Fork(ways) = &tree.node(node).kind else { continue };
            for &way in ways.iter().filter(|&&way| tree.is_feasible(way)) {
                if least.is_some_and(|least| least <= distance) {
                    break;
                }
                match is_new(way) {
                    true => least = Some(distance),
                    false => open.push((way, distance + tree.node(way).steps.get())),
                }
            }
        }
        least.map(|least| least + 1)
    }
}
