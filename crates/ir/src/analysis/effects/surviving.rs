//! The control flow of paths that do not end in an error.
//!
//! A branch one side of which is an error is a check. On the paths that pass it, it decides
//! nothing: both where sides meet and what they do is a matter of the surviving blocks.

use byway_base::entity::{EntityRef, EntitySet};

use super::super::{Cfg, Digraph, DomTree, PointsTo};
use super::endings::FunctionEndings;
use crate::{BlockId, FuncId, Module};

/// The blocks from which a path can end without an error, and their postdominators.
pub struct SurvivingBlocks {
    blocks: EntitySet<BlockId>,
    postdominators: DomTree,
}

impl SurvivingBlocks {
    /// Analyses a function.
    pub(super) fn new(
        module: &Module,
        points_to: &PointsTo,
        endings: &FunctionEndings,
        func: FuncId,
        cfg: &Cfg,
    ) -> SurvivingBlocks {
        let body = &module.funcs[func];
        let (mut errors, mut leaving) = (EntitySet::new(), EntitySet::new());
        for &block in cfg.reverse_post_order() {
            let endings = endings.of_block(points_to, func, body, block);
            if endings.is_error() {
                errors.insert(block);
            } else if endings.only_leaves() {
                leaving.insert(block);
            }
        }
        let is_end = |block: &BlockId| !errors.contains(*block);
        let mut exits: Vec<BlockId> = cfg.path_ends().into_iter().filter(is_end).collect();
        exits.extend(cfg.reverse_post_order().iter().filter(|&&it| leaving.contains(it)));
        let mut blocks = EntitySet::new();
        let mut open = exits.clone();
        while let Some(block) = open.pop() {
            if blocks.insert(block) {
                let before = cfg.preds(block).filter(|&it| cfg.is_reachable(it));
                open.extend(before.filter(|&it| !errors.contains(it)));
            }
        }
        let exit = body.blocks.len();
        let mut edges: Vec<(usize, usize)> = exits.iter().map(|it| (exit, it.index())).collect();
        for &block in cfg.reverse_post_order() {
            if blocks.contains(block) && !leaving.contains(block) {
                let next = cfg.succs(block).filter(|&it| blocks.contains(it));
                edges.extend(next.map(|next| (next.index(), block.index())));
            }
        }
        let postdominators = DomTree::new(&Digraph::new(exit + 1, &edges), exit, exit);
        SurvivingBlocks { blocks, postdominators }
    }

    /// Whether a path can go on from a block without an error.
    pub fn contains(&self, block: BlockId) -> bool {
        self.blocks.contains(block)
    }

    /// The postdominators of the surviving blocks.
    pub fn postdominators(&self) -> &DomTree {
        &self.postdominators
    }

    /// The surviving blocks on one side of the branch at the end of a block: those that `succ`
    /// leads to before the sides meet.
    pub fn side(&self, cfg: &Cfg, block: BlockId, succ: BlockId) -> EntitySet<BlockId> {
        let meet = self.postdominators.idom(block);
        let mut side = EntitySet::new();
        let mut open = vec![succ];
        while let Some(at) = open.pop() {
            if Some(at) != meet && self.contains(at) && side.insert(at) {
                open.extend(cfg.succs(at));
            }
        }
        side
    }
}
