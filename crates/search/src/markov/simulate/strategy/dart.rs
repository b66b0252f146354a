//! DART: depth-first, the last branch that has a side not yet tried.

use super::super::chain::StateSet;
use super::super::path_tree::{ChainPathId, PathTree};
use super::concolic::PendingOrder;

/// Takes the side that was left last.
#[derive(Default)]
pub struct LastBranchOrder {
    stack: Vec<ChainPathId>,
}

impl PendingOrder for LastBranchOrder {
    fn left(&mut self, _: &PathTree, sides: &[ChainPathId], _: StateSet) {
        self.stack.extend(sides);
    }

    fn take(&mut self, _: &PathTree) -> Option<ChainPathId> {
        self.stack.pop()
    }
}
