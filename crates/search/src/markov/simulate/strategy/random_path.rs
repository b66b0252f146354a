//! Random path selection: walks from the root, a coin at every branch with paths of the frontier
//! on more than one side.

use super::super::path_tree::{ChainPathId, PathTree, ROOT};
use super::super::testing_run::TestingRun;
use super::forward::FrontierOrder;

/// Takes a path of the frontier by a random walk.
#[derive(Default)]
pub struct RandomPathOrder {
    /// By node: paths of the frontier at it or below.
    below: Vec<u32>,
    /// By node: whether it is on the frontier.
    waiting: Vec<bool>,
}

impl RandomPathOrder {
    fn change(&mut self, tree: &PathTree, mut node: ChainPathId, joins: bool) {
        let length = self.below.len().max(node + 1);
        self.below.resize(length, 0);
        self.waiting.resize(length, false);
        self.waiting[node] = joins;
        loop {
            let count = &mut self.below[node];
            *count = if joins { *count + 1 } else { count.saturating_sub(1) };
            if node == ROOT {
                return;
            }
            node = tree.parent(node);
        }
    }

    fn has_any(&self, node: ChainPathId) -> bool {
        self.below.get(node).is_some_and(|&count| count > 0)
    }
}

impl FrontierOrder for RandomPathOrder {
    fn joined(&mut self, tree: &PathTree, sides: &[ChainPathId]) {
        sides.iter().for_each(|&side| self.change(tree, side, true));
    }

    fn take(&mut self, tree: &PathTree, run: &mut TestingRun<'_>) -> Option<ChainPathId> {
        let mut node = self.has_any(ROOT).then_some(ROOT)?;
        while !self.waiting[node] {
            let sides: Vec<ChainPathId> =
                tree.children(node).filter(|&child| self.has_any(child)).collect();
            node = *run.rng.pick(&sides)?;
        }
        self.change(tree, node, false);
        Some(node)
    }
}
