//! The control-flow graph of a function.

use byway_base::entity::{EntityRef, SecondaryMap};

use super::{Digraph, DomTree};
use crate::{BlockId, Function};

/// The control-flow graph of a function.
pub struct Cfg {
    succs: Digraph,
    preds: Digraph,
    order: Vec<BlockId>,
    position: SecondaryMap<BlockId, Option<u32>>,
}

impl Cfg {
    /// Builds the graph; all edges must lead to existing blocks. The graph of a
    /// declaration is empty.
    pub fn new(func: &Function) -> Self {
        let mut edges = Vec::new();
        for (id, block) in &func.blocks {
            block.term.for_each_edge(|e| edges.push((id.index(), e.block.index())));
        }
        let succs = Digraph::new(func.blocks.len(), &edges);
        let preds = succs.reversed();
        let mut order: Vec<BlockId> = func
            .entry()
            .map(|entry| succs.post_order(entry.index()))
            .unwrap_or_default()
            .into_iter()
            .map(BlockId::new)
            .collect();
        order.reverse();
        let mut position = SecondaryMap::new();
        for (i, &block) in order.iter().enumerate() {
            position[block] = Some(i as u32);
        }
        Cfg { succs, preds, order, position }
    }

    /// The successor blocks, one per edge: a block that two edges lead to
    /// is listed twice.
    pub fn succs(&self, block: BlockId) -> impl ExactSizeIterator<Item = BlockId> + '_ {
        self.succs.succs(block.index()).map(BlockId::new)
    }

    /// The predecessor blocks, one per edge.
    pub fn preds(&self, block: BlockId) -> impl ExactSizeIterator<Item = BlockId> + '_ {
        self.preds.succs(block.index()).map(BlockId::new)
    }

    /// The reachable blocks in reverse post-order: except for loops,
    /// each before its successors.
    pub fn reverse_post_order(&self) -> &[BlockId] {
        &self.order
    }

    /// The block's index in the reverse post-order; `None` if it is unreachable.
    pub fn position(&self, block: BlockId) -> Option<usize> {
        self.position[block].map(|p| p as usize)
    }

    /// Whether the entry reaches the block.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position[block].is_some()
    }

    /// The dominator tree, rooted at the entry.
    pub fn dominators(&self) -> DomTree {
        DomTree::new(&self.succs, 0, self.succs.len())
    }

    /// The postdominator tree of the reachable blocks, rooted at a virtual exit
    /// after every block that [ends a path](Self::path_ends).
    pub fn postdominators(&self) -> DomTree {
        let exit = self.succs.len();
        let mut edges: Vec<_> = self.path_ends().iter().map(|b| (exit, b.index())).collect();
        // Only reachable blocks take part: dead code is on no path.
        edges.extend(self.preds.edges().filter(|&(_, from)| self.is_reachable(BlockId::new(from))));
        DomTree::new(&Digraph::new(exit + 1, &edges), exit, exit)
    }

    /// The reachable blocks where paths end: those without successors and,
    /// for each loop without an exit, its last block in reverse
    /// post-order. Every reachable block leads to one of them.
    pub fn path_ends(&self) -> Vec<BlockId> {
        let components = self.succs.components();
        let mut component_of = vec![0; self.succs.len()];
        for (i, component) in components.iter().enumerate() {
            component.iter().for_each(|&n| component_of[n] = i);
        }
        let mut ends = Vec::new();
        for (i, component) in components.into_iter().enumerate() {
            let stays = |&n: &usize| self.succs.succs(n).all(|next| component_of[next] == i);
            if component.iter().all(stays) {
                let last =
                    component.into_iter().map(BlockId::new).max_by_key(|&b| self.position(b));
                ends.extend(last.filter(|&b| self.is_reachable(b)));
            }
        }
        ends
    }
}
