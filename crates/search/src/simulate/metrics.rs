//! The counters of a simulated program, for the searchers that use them.
//!
//! For call paths, every block counts as a function of its own. Query costs are invented,
//! but always the same for the same block.

use byway_base::entity::{EntityRef, EntitySet, SecondaryMap};
use byway_ir::BlockId;

use super::tree::{ExecutionTree, TreeNodeId, TreeNodeKind};

/// Distances are recomputed after this many newly covered blocks, so searchers also meet
/// stale ones.
const STALE: u32 = 8;

/// Counters over all states.
#[derive(Default)]
pub(super) struct SimulatedMetrics {
    executions: SecondaryMap<BlockId, u64>,
    instructions: SecondaryMap<BlockId, u64>,
    covered: EntitySet<BlockId>,
    /// The number of blocks covered since distances were recomputed.
    newly_covered: u32,
    /// The blocks covered when distances were recomputed.
    covered_then: EntitySet<BlockId>,
    epoch: u64,
}

/// Counters per state; successors inherit them.
#[derive(Copy, Clone, Default)]
pub(super) struct StateCounters {
    /// The solver effort of its path.
    pub effort: u64,
    /// The instructions since it last covered a block; `None` if it never did.
    pub instructions_since_new_coverage: Option<u64>,
}

impl StateCounters {
    /// Adds the cost of a query for each of `cases` cases at the end of a block.
    pub fn solve(&mut self, block: BlockId, cases: usize) {
        self.effort += (block.index() as u64 * 37 % 101) * cases as u64 * 10;
    }
}

impl SimulatedMetrics {
    /// Counts an execution of a block. Returns whether it is the first.
    pub fn enter(&mut self, block: BlockId, counters: &mut StateCounters) -> bool {
        self.executions[block] += 1;
        let first = self.covered.insert(block);
        if first {
            counters.instructions_since_new_coverage = Some(0);
            self.newly_covered += 1;
        }
        first
    }

    /// Counts instructions of a block.
    pub fn ran(&mut self, block: BlockId, steps: u64, counters: &mut StateCounters) {
        self.instructions[block] += steps;
        counters.instructions_since_new_coverage =
            counters.instructions_since_new_coverage.map(|since| since.saturating_add(steps));
    }

    pub fn is_covered(&self, block: BlockId) -> bool {
        self.covered.contains(block)
    }

    pub fn executions(&self, block: BlockId) -> u64 {
        self.executions[block]
    }

    pub fn instructions(&self, block: BlockId) -> u64 {
        self.instructions[block]
    }

    /// The number of times distances were recomputed.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Recomputes distances if enough blocks were covered since the last time.
    pub fn refresh_distances(&mut self) {
        if self.newly_covered >= STALE {
            self.newly_covered = 0;
            self.covered_then = self.covered.clone();
            self.epoch += 1;
        }
    }

    /// The distance to an uncovered block from a node with `left` instructions left to run.
    pub fn distance(&self, tree: &ExecutionTree, node: TreeNodeId, left: u64) -> Option<u64> {
        let mut least: Option<u64> = None;
        let is_new = |node: TreeNodeId| !self.covered_then.contains(tree.node(node).block);
        if left == tree.node(node).steps.get() && is_new(node) {
            return Some(1);
        }
        let mut open = vec![(node, left)];
        while let Some((node, distance)) = open.pop() {
            let TreeNodeKind::Fork(children) = &tree.node(node).kind else { continue };
            for &child in children.iter().filter(|&&child| tree.is_feasible(child)) {
                if least.is_some_and(|least| least <= distance) {
                    break;
                }
                match is_new(child) {
                    true => least = Some(distance),
                    false => open.push((child, distance + tree.node(child).steps.get())),
                }
            }
        }
        least.map(|least| least + 1)
    }
}
