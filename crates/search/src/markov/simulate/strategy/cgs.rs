//! Context guided search: level by level, a side only if its context is new.
//!
//! The context of a side is the last `k` branch sides up to it. A sweep over the pending sides
//! skips those whose context was tried; the next has `k + 1`.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::super::chain::StateSet;
use super::super::path_tree::{ChainPathId, PathTree};
use super::concolic::PendingOrder;

/// Takes sides in new contexts.
pub struct ContextOrder {
    length: usize,
    /// By depth, then by age.
    pending: BTreeSet<(usize, ChainPathId)>,
    /// The last position this sweep visited.
    swept: Option<(usize, ChainPathId)>,
    tried: FxHashSet<Vec<(usize, usize)>>,
}

impl Default for ContextOrder {
    fn default() -> ContextOrder {
        let (pending, tried) = (BTreeSet::new(), FxHashSet::default());
        ContextOrder { length: 1, pending, swept: None, tried }
    }
}

impl PendingOrder for ContextOrder {
    fn left(&mut self, tree: &PathTree, sides: &[ChainPathId], _: StateSet) {
        self.pending.extend(sides.iter().map(|&side| (tree.depth(side), side)));
    }

    fn take(&mut self, tree: &PathTree) -> Option<ChainPathId> {
        use std::ops::Bound::{Excluded, Unbounded};
        // A context as long as the longest path is the path, which is new.
        while !self.pending.is_empty() {
            let from = self.swept.map_or(Unbounded, Excluded);
            match self.pending.range((from, Unbounded)).next().copied() {
                Some(position) => {
                    self.swept = Some(position);
                    if self.tried.insert(tree.last_sides(position.1, self.length)) {
                        self.pending.remove(&position);
                        return Some(position.1);
                    }
                }
                None => {
                    self.swept = None;
                    self.length += 1;
                }
            }
        }
        None
    }
}
