//! Control dependence: which side of which branch decides whether a block executes.
//!
//! A side controls a block if it always leads to the block, and another side of the branch can
//! avoid it (Ferrante, Ottenstein and Warren, "The program dependence graph and its use in
//! optimization", 1987).
//!
//! A branch to a call of `abort` or of a failing assertion is a check. Its surviving side
//! controls nothing, or every statement would depend on every check before it.

use byway_base::entity::SecondaryMap;

use super::super::effects::SurvivingBlocks;
use super::super::{Cfg, DomTree};
use super::flow::{FlowGraph, Point};
use super::point_set::PointSet;
use crate::{BlockId, Function};

/// The control dependences of a function.
pub struct ControlDependence {
    /// The sides that control each block, ascending.
    direct: SecondaryMap<BlockId, Vec<Point>>,
    /// The sides that control each block, or the branch of a side that does.
    transitive: SecondaryMap<BlockId, PointSet>,
    /// Where the sides of each branch meet again; `None` if they do not.
    join: SecondaryMap<BlockId, Option<BlockId>>,
}

impl ControlDependence {
    pub fn new(
        func: &Function,
        cfg: &Cfg,
        surviving: &SurvivingBlocks,
        graph: &FlowGraph,
    ) -> ControlDependence {
        let complete = cfg.postdominators();
        let mut control = ControlDependence {
            direct: SecondaryMap::new(),
            transitive: SecondaryMap::new(),
            join: SecondaryMap::new(),
        };
        for &block in cfg.reverse_post_order() {
            if let [_, _, ..] = graph.edges[block][..] {
                let survives = surviving.contains(block);
                let tree = if survives { surviving.postdominators() } else { &complete };
                control.join[block] = tree.idom(block);
                control.add_sides(graph, block, &complete, |it| !surviving.contains(it));
                control.add_sides(graph, block, surviving.postdominators(), |it| {
                    surviving.contains(it)
                });
            }
        }
        for block in func.blocks.keys() {
            control.direct[block].sort_unstable();
            control.direct[block].dedup();
        }
        control.close(graph, cfg);
        control
    }

    fn add_sides(
        &mut self,
        graph: &FlowGraph,
        block: BlockId,
        tree: &DomTree,
        is_wanted: impl Fn(BlockId) -> bool,
    ) {
        for &side in &graph.edges[block] {
            let mut next = graph.target[side];
            while let Some(target) = next.filter(|&it| Some(it) != tree.idom(block)) {
                if is_wanted(target) && tree.is_reachable(target) && tree.is_reachable(block) {
                    self.direct[target].push(side);
                }
                next = tree.idom(target);
            }
        }
    }

    fn close(&mut self, graph: &FlowGraph, cfg: &Cfg) {
        let mut changed = true;
        while changed {
            changed = false;
            for &block in cfg.reverse_post_order() {
                let mut all = self.transitive[block].clone();
                for &side in &self.direct[block] {
                    all.insert(side);
                    all.add_all(&self.transitive[graph.points[side].block]);
                }
                changed |= all != self.transitive[block];
                self.transitive[block] = all;
            }
        }
    }

    /// The sides that control a point, ascending.
    pub fn direct(&self, graph: &FlowGraph, point: Point) -> &[Point] {
        &self.direct[graph.points[point].block]
    }

    /// Whether a side controls a point, directly or through other branches.
    pub fn controls(&self, graph: &FlowGraph, side: Point, point: Point) -> bool {
        self.transitive[graph.points[point].block].contains(side)
    }

    /// The sides that control a point, directly or through other branches.
    pub fn transitive(&self, graph: &FlowGraph, point: Point) -> &PointSet {
        &self.transitive[graph.points[point].block]
    }

    /// Where the sides of a block's branch meet again.
    pub fn join(&self, block: BlockId) -> Option<BlockId> {
        self.join[block]
    }
}
