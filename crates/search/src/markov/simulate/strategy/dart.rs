//! DART: depth-first, the last branch that has a side not yet tried.

use super::super::chain::StateSet;
use super::super::path_tree::{PathNodeId, PathTree};
use super::concolic::PendingOrder;

/// Takes the side that was left last.
#[derive(Default)]
pub struct LastBranchOrder {
    stack: Vec<PathNodeId>,
}

impl PendingOrder for LastBranchOrder {
    fn left(&mut self, _: &PathTree, sides: &[PathNodeId], _: StateSet) {
        self.stack.extend(sides);
    }

    fn take(&mut self, _: &PathTree) -> Option<PathNodeId> {
        self.stack.pop()
    }
}
