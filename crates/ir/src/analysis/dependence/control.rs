//! Control dependence: which side of which branch decides whether a block executes.
//!
//! A side controls a block if it always leads to the block, and another side of the branch can
//! avoid it (Ferrante, Ottenstein and Warren, "The program dependence graph and its use in
//! optimization", 1987).
//!
//! A branch to a call of `abort` or of a failing assertion is a check. Its surviving side
//! controls nothing, or every statement would depend on every check before it.

use byway_base::entity::{EntityRef, EntitySet, SecondaryMap};

use super::super::{Cfg, Digraph, DomTree};
use super::flow::{FlowGraph, Point};
use super::point_set::PointSet;
use crate::{BlockId, Callee, Function, Inst, Module, Terminator};

/// Functions whose call is an error of the program.
const ERROR_FUNCTIONS: [&str; 9] = [
    "abort",
    "__assert",
    "__assert_fail",
    "__assert_perror_fail",
    "__assert_rtn",
    "__VERIFIER_error",
    "klee_abort",
    "klee_report_error",
    "reach_error",
];

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
        module: &Module,
        func: &Function,
        cfg: &Cfg,
        graph: &FlowGraph,
    ) -> ControlDependence {
        let complete = cfg.postdominators();
        let surviving = Surviving::new(module, func, cfg);
        let mut control = ControlDependence {
            direct: SecondaryMap::new(),
            transitive: SecondaryMap::new(),
            join: SecondaryMap::new(),
        };
        for &block in cfg.reverse_post_order() {
            if let [_, _, ..] = graph.edges[block][..] {
                let survives = surviving.blocks.contains(block);
                let tree = if survives { &surviving.tree } else { &complete };
                control.join[block] = tree.idom(block);
                control.add_sides(graph, block, &complete, |it| !surviving.blocks.contains(it));
                control
                    .add_sides(graph, block, &surviving.tree, |it| surviving.blocks.contains(it));
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

/// The blocks from which a path can end without an error, and their postdominators.
struct Surviving {
    blocks: EntitySet<BlockId>,
    tree: DomTree,
}

impl Surviving {
    fn new(module: &Module, func: &Function, cfg: &Cfg) -> Surviving {
        let ends = cfg.path_ends().into_iter().filter(|&end| !is_error(module, func, end));
        let exit = func.blocks.len();
        let mut edges: Vec<(usize, usize)> = ends.map(|end| (exit, end.index())).collect();
        let mut blocks = EntitySet::new();
        let mut work: Vec<BlockId> = edges.iter().map(|edge| BlockId::new(edge.1)).collect();
        while let Some(block) = work.pop() {
            if blocks.insert(block) {
                for pred in cfg.preds(block).filter(|&it| cfg.is_reachable(it)) {
                    edges.push((block.index(), pred.index()));
                    work.push(pred);
                }
            }
        }
        let tree = DomTree::new(&Digraph::new(exit + 1, &edges), exit, exit);
        Surviving { blocks, tree }
    }
}

/// Whether a block ends in an error that the program reports itself.
fn is_error(module: &Module, func: &Function, block: BlockId) -> bool {
    let block = &func.blocks[block];
    let is_call_of_error = |inst: &Inst| match inst {
        Inst::Trap => true,
        Inst::Call { callee: Callee::Direct(callee), .. } => {
            ERROR_FUNCTIONS.contains(&module.funcs[*callee].name.as_str())
        }
        _ => false,
    };
    matches!(block.term, Terminator::Unreachable)
        && block.inst_ids().any(|inst| is_call_of_error(&func.insts[inst]))
}
