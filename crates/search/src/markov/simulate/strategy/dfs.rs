//! Depth-first search: the newest path of the frontier.

use super::super::path_tree::{PathNodeId, PathTree};
use super::super::testing_run::TestingRun;
use super::forward::FrontierOrder;

/// Takes the path that joined the frontier last; the first side of a branch before the others.
#[derive(Default)]
pub struct DepthFirstOrder {
    stack: Vec<PathNodeId>,
}

impl FrontierOrder for DepthFirstOrder {
    fn joined(&mut self, _: &PathTree, sides: &[PathNodeId]) {
        self.stack.extend(sides.iter().rev());
    }

    fn take(&mut self, _: &PathTree, _: &mut TestingRun<'_>) -> Option<PathNodeId> {
        self.stack.pop()
    }
}
