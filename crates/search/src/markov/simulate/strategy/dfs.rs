//! Depth-first search: the newest path of the frontier.

use super::super::path_tree::{ChainPathId, PathTree};
use super::super::testing_run::TestingRun;
use super::forward::FrontierOrder;

/// Takes the path that joined the frontier last; the first side of a branch before the others.
#[derive(Default)]
pub struct DepthFirstOrder {
    stack: Vec<ChainPathId>,
}

impl FrontierOrder for DepthFirstOrder {
    fn joined(&mut self, _: &PathTree, sides: &[ChainPathId]) {
        self.stack.extend(sides.iter().rev());
    }

    fn take(&mut self, _: &PathTree, _: &mut TestingRun<'_>) -> Option<ChainPathId> {
        self.stack.pop()
    }
}
