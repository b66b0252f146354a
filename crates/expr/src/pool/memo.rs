//! What simplification made of the latest nodes. A path that was forked off asks for the same
//! terms as its siblings, and a rule leads through several nodes to what is in the end an old
//! term; here that is one look.

use byway_base::ExprId;

use crate::node::Node;

/// How many nodes are remembered; one that falls on the place of another takes it.
const PLACES: usize = 1 << 11;

/// Nodes that were simplified, by their hash. Whoever collects terms clears it.
#[derive(Default)]
pub(super) struct Memo {
    /// Empty until something is remembered.
    places: Vec<Option<(Node, ExprId)>>,
}

impl Memo {
    /// What was made of a node, if that is remembered.
    #[inline]
    pub fn get(&self, node: &Node, hash: u64) -> Option<ExprId> {
        let (known, simpler) = self.places.get(hash as usize % PLACES)?.as_ref()?;
        (known == node).then_some(*simpler)
    }

    /// Remembers what was made of a node.
    pub fn set(&mut self, node: Node, hash: u64, simpler: ExprId) {
        if self.places.is_empty() {
            self.places.resize(PLACES, None);
        }
        self.places[hash as usize % PLACES] = Some((node, simpler));
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.places.clear();
    }
}
