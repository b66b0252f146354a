//! Dominators and postdominators by one algorithm: Cooper, Harvey and Kennedy,
//! "A Simple, Fast Dominance Algorithm" (2001), on any graph with a root.
//!
//! `a` dominates `b` if every path from the root to `b` contains `a`; a node
//! dominates itself. For postdominators the graph is reversed and the root
//! is a virtual exit, which belongs to no block.
//!
//! The tests compare with the literal definition: remove `a`, and check
//! whether `b` is still reachable.

use byway_base::entity::EntityRef;

use super::Digraph;
use crate::BlockId;

/// A dominator tree: the children of a node are those it dominates
/// immediately.
pub struct DomTree {
    nodes: Vec<DomNode>,
    root: usize,
    /// Nodes from this number on are virtual.
    blocks: usize,
}

#[derive(Copy, Clone, Default)]
struct DomNode {
    /// The parent in the tree; the root is its own, an unreachable node has none.
    idom: Option<u32>,
    /// When a walk over the tree enters and leaves the node's subtree.
    enter: u32,
    leave: u32,
}

impl DomTree {
    /// The dominators of the nodes reachable from `root` in `graph`, whose first nodes are the
    /// blocks and whose other nodes, if any, are virtual.
    pub fn new(graph: &Digraph, root: usize, blocks: usize) -> Self {
        let mut tree = DomTree { nodes: vec![DomNode::default(); graph.len()], root, blocks };
        if root < graph.len() {
            let mut order = graph.post_order(root);
            order.reverse();
            tree.find_idoms(&graph.reversed(), &order);
            tree.number(&order);
        }
        tree
    }

    fn find_idoms(&mut self, preds: &Digraph, order: &[usize]) {
        let mut position = vec![0u32; self.nodes.len()];
        for (i, &node) in order.iter().enumerate() {
            position[node] = i as u32;
        }
        self.nodes[self.root].idom = Some(self.root as u32);
        let mut changed = true;
        while changed {
            changed = false;
            for &node in &order[1..] {
                let known = preds.succs(node).filter(|&p| self.nodes[p].idom.is_some());
                let idom = known.reduce(|a, b| self.intersect(&position, a, b)).map(|n| n as u32);
                if self.nodes[node].idom != idom {
                    self.nodes[node].idom = idom;
                    changed = true;
                }
            }
        }
    }

    /// The nearest common ancestor in the tree so far.
    fn intersect(&self, position: &[u32], mut a: usize, mut b: usize) -> usize {
        while a != b {
            if position[a] < position[b] {
                std::mem::swap(&mut a, &mut b);
            }
            a = self.nodes[a].idom.expect("only nodes with a parent are compared") as usize;
        }
        a
    }

    /// Numbers the subtrees. Parents come before children in `order`, so the
    /// sizes can be summed from the back and the intervals dealt out from the front.
    fn number(&mut self, order: &[usize]) {
        let mut size = vec![1u32; self.nodes.len()];
        for &node in order[1..].iter().rev() {
            size[self.parent(node)] += size[node];
        }
        let mut next = vec![0u32; self.nodes.len()];
        for &node in order {
            let enter = if node == self.root { 0 } else { next[self.parent(node)] };
            if node != self.root {
                next[self.parent(node)] += size[node];
            }
            next[node] = enter + 1;
            self.nodes[node].enter = enter;
            self.nodes[node].leave = enter + size[node];
        }
    }

    fn parent(&self, node: usize) -> usize {
        self.nodes[node].idom.expect("reachable nodes have a parent") as usize
    }

    /// The immediate dominator: the nearest other block that dominates this one.
    /// None for the entry (for postdominators: if only the virtual exit is left)
    /// and for unreachable blocks.
    pub fn idom(&self, block: BlockId) -> Option<BlockId> {
        let idom = self.nodes[block.index()].idom? as usize;
        (idom != block.index() && idom < self.blocks).then(|| BlockId::new(idom))
    }

    /// Whether every path from the root to `b` contains `a`. An unreachable
    /// block dominates only itself.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let (x, y) = (&self.nodes[a.index()], &self.nodes[b.index()]);
        a == b || x.idom.is_some() && y.idom.is_some() && x.enter <= y.enter && y.enter < x.leave
    }

    /// Whether the root reaches the block.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.nodes[block.index()].idom.is_some()
    }
}
