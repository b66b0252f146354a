//! Caches the simplified forms of recent nodes. A forked path builds the same terms as its
//! siblings, and rewriting often leads through several nodes to an existing term; the cache
//! makes that a single lookup.

use byway_base::ExprId;

use crate::node::Node;

/// The number of slots; a colliding node replaces the old one.
const SLOTS: usize = 1 << 11;

/// Simplified nodes by hash. Must be cleared by a collection.
#[derive(Default)]
pub(super) struct SimplifyCache {
    /// Allocated on first use.
    slots: Vec<Option<(Node, ExprId)>>,
}

impl SimplifyCache {
    #[inline]
    pub fn get(&self, node: &Node, hash: u64) -> Option<ExprId> {
        let (cached, simplified) = self.slots.get(hash as usize % SLOTS)?.as_ref()?;
        (cached == node).then_some(*simplified)
    }

    pub fn set(&mut self, node: Node, hash: u64, simplified: ExprId) {
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, None);
        }
        self.slots[hash as usize % SLOTS] = Some((node, simplified));
    }

    pub fn clear(&mut self) {
        self.slots.clear();
    }
}
