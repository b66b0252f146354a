//! The tree of the paths that runs have taken or left untaken.

use super::chain::{ChainModel, StateSet, bit};

/// A path from the start, by its last node.
pub type ChainPathId = usize;

/// The root: the path of the first state alone.
pub const ROOT: ChainPathId = 0;

/// Paths with their common beginnings shared. A path visits no state more than twice: loops
/// are bounded, as in the paper.
#[derive(Clone, Debug)]
pub struct PathTree {
    nodes: Vec<PathTreeNode>,
}

#[derive(Clone, Debug)]
struct PathTreeNode {
    state: usize,
    parent: ChainPathId,
    /// The branch sides on the path.
    depth: usize,
    visited: StateSet,
    visited_twice: StateSet,
    /// By transition of the state, once created.
    children: Vec<Option<ChainPathId>>,
}

impl PathTree {
    /// The tree of the root alone.
    pub fn new(chain: &ChainModel) -> PathTree {
        let children = vec![None; chain.transitions(0).len()];
        let node = PathTreeNode {
            state: 0,
            parent: ROOT,
            depth: 0,
            visited: bit(0),
            visited_twice: 0,
            children,
        };
        PathTree { nodes: vec![node] }
    }

    /// The last state of a path.
    pub fn state(&self, node: ChainPathId) -> usize {
        self.nodes[node].state
    }

    /// The number of branch sides on a path.
    pub fn depth(&self, node: ChainPathId) -> usize {
        self.nodes[node].depth
    }

    /// The path without its last state; the root is its own.
    pub fn parent(&self, node: ChainPathId) -> ChainPathId {
        self.nodes[node].parent
    }

    /// The longer paths that exist.
    pub fn children(&self, node: ChainPathId) -> impl Iterator<Item = ChainPathId> {
        self.nodes[node].children.iter().flatten().copied()
    }

    /// Whether the last step of a path is a side of a branch.
    pub fn is_side(&self, node: ChainPathId) -> bool {
        node != ROOT && self.nodes[self.nodes[node].parent].children.len() > 1
    }

    /// The path that takes the next transition to this state, and whether it is new; `None` if
    /// it would visit the state a third time.
    pub fn extend(
        &mut self,
        chain: &ChainModel,
        node: ChainPathId,
        to: usize,
    ) -> Option<(ChainPathId, bool)> {
        let id = self.nodes.len();
        let before = &mut self.nodes[node];
        let slot = chain.transitions(before.state).iter().position(|t| t.to == to)?;
        if let Some(known) = before.children[slot] {
            return Some((known, false));
        }
        if before.visited_twice & bit(to) != 0 {
            return None;
        }
        before.children[slot] = Some(id);
        let child = PathTreeNode {
            state: to,
            parent: node,
            depth: before.depth + usize::from(before.children.len() > 1),
            visited: before.visited | bit(to),
            visited_twice: before.visited_twice | before.visited & bit(to),
            children: vec![None; chain.transitions(to).len()],
        };
        self.nodes.push(child);
        Some((id, true))
    }

    /// The states of a path.
    pub fn path(&self, mut node: ChainPathId) -> Vec<usize> {
        let mut path = vec![self.nodes[node].state];
        while node != ROOT {
            node = self.nodes[node].parent;
            path.push(self.nodes[node].state);
        }
        path.reverse();
        path
    }

    /// The last branch sides of a path, up to `length`, latest first: each is the state that
    /// branches and the one that follows.
    pub fn last_sides(&self, mut node: ChainPathId, length: usize) -> Vec<(usize, usize)> {
        let mut sides = Vec::new();
        while node != ROOT && sides.len() < length {
            let parent = self.nodes[node].parent;
            if self.is_side(node) {
                sides.push((self.nodes[parent].state, self.nodes[node].state));
            }
            node = parent;
        }
        sides
    }
}
