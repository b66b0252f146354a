//! Which points are reachable at all, from any number of paths: one pass over the program, where
//! distances would take one for each target.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::{DistanceGraph, ProgramPoint, UNREACHABLE};

/// The points that paths can get to from the points where they are.
pub struct Reachable<'g> {
    graph: &'g DistanceGraph,
    /// Blocks reached from their beginning.
    blocks: Vec<bool>,
    /// Points within blocks where paths continue, by block.
    within: FxHashMap<usize, BTreeSet<u32>>,
    /// Blocks whose successors and callees are still to be added.
    work: Vec<usize>,
}

impl Reachable<'_> {
    /// Adds a path that is being executed: its current point, then the return points of its
    /// call stack, innermost first.
    pub fn add(&mut self, points: impl IntoIterator<Item = ProgramPoint>) {
        let graph = self.graph;
        let (mut returns, mut jumps) = (true, false);
        for point in points {
            if returns {
                self.add_point(point);
                jumps |= graph.to_jumps.from(graph, point).is_some();
                returns = graph.to_return(point).is_some();
            }
            if jumps {
                for &landing in graph.landings(point.func) {
                    self.add_point(landing);
                    returns |= graph.to_return(landing).is_some();
                }
            }
            if !returns && !jumps {
                break;
            }
        }
        while let Some(node) = self.work.pop() {
            self.add_from(node, 0);
        }
    }

    /// Whether a path can get to a point.
    pub fn contains(&self, point: ProgramPoint) -> bool {
        let Some(node) = self.graph.node(point) else { return false };
        let starts = self.within.get(&node).into_iter().flatten().copied();
        let mut starts = starts.chain(self.blocks[node].then_some(0));
        starts.any(|start| {
            start <= point.inst && self.graph.cost_between(node, start, point.inst) != UNREACHABLE
        })
    }

    fn add_point(&mut self, point: ProgramPoint) {
        if let Some(node) = self.graph.node(point)
            && self.within.entry(node).or_default().insert(point.inst)
        {
            self.add_from(node, point.inst);
        }
    }

    fn add_from(&mut self, node: usize, inst: u32) {
        let (graph, mut next) = (self.graph, Vec::new());
        graph.each_call(node, inst, |callee, _| next.push(callee));
        if graph.cost_to_end(node, inst) != UNREACHABLE {
            next.extend(graph.succs.succs(node));
        }
        while let Some(node) = next.pop() {
            if node >= graph.blocks.len() {
                next.extend(graph.pointees(node).filter(|&entry| !self.blocks[entry]));
            } else if !std::mem::replace(&mut self.blocks[node], true) {
                self.work.push(node);
            }
        }
    }
}

impl DistanceGraph {
    /// No points yet, of those that paths can get to.
    pub fn reachable(&self) -> Reachable<'_> {
        let blocks = vec![false; self.blocks.len()];
        Reachable { graph: self, blocks, within: FxHashMap::default(), work: Vec::new() }
    }
}
