//! Generational search, as in SAGE: the sides that the run with the most new coverage left.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::super::chain::StateSet;
use super::super::path_tree::{ChainPathId, PathTree};
use super::concolic::PendingOrder;

/// Takes the sides of the run that covered the most states first, older runs first among
/// equals.
#[derive(Default)]
pub struct GenerationOrder {
    /// By descending score, then by age: a node's number is its age.
    pending: BTreeSet<(Reverse<u32>, ChainPathId)>,
}

impl PendingOrder for GenerationOrder {
    fn left(&mut self, _: &PathTree, sides: &[ChainPathId], new: StateSet) {
        self.pending.extend(sides.iter().map(|&side| (Reverse(new.count_ones()), side)));
    }

    fn take(&mut self, _: &PathTree) -> Option<ChainPathId> {
        self.pending.pop_first().map(|(_, side)| side)
    }
}
