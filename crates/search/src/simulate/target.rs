//! The target of a simulated program: its last leaf, for the searchers that go by distances.

use byway_base::entity::SecondaryMap;

use super::tree::{ExecutionTree, TreeNodeId};

/// A leaf to reach, and the distances to it.
pub(super) struct TargetLeaf {
    leaf: Option<TreeNodeId>,
    /// The instructions from the end of each node on the way to the beginning of the leaf.
    behind: SecondaryMap<TreeNodeId, Option<u64>>,
}

impl TargetLeaf {
    /// The last leaf of a tree.
    pub fn new(tree: &ExecutionTree) -> TargetLeaf {
        let leaf = tree.leaves().last();
        let (parents, mut behind) = (tree.parents(), SecondaryMap::new());
        let mut distance = 0;
        let mut next = leaf.and_then(|leaf| parents[leaf]);
        while let Some(node) = next {
            behind[node] = Some(distance);
            distance += tree.node(node).steps.get();
            next = parents[node];
        }
        TargetLeaf { leaf, behind }
    }

    /// A path ended in a leaf: if it is the target, the target is reached.
    pub fn reach(&mut self, leaf: TreeNodeId) {
        if self.leaf == Some(leaf) {
            *self = TargetLeaf { leaf: None, behind: SecondaryMap::new() };
        }
    }

    /// The distance from a node with `left` instructions left to run.
    pub fn distance(&self, node: TreeNodeId, left: u64) -> Option<u64> {
        match self.leaf == Some(node) {
            true => Some(0),
            false => self.behind[node].map(|behind| behind + left),
        }
    }
}
