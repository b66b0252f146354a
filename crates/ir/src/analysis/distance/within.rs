//! Distances that look no further than one function.
//!
//! The goals in a function are the target points there; if there are none, the calls that lead to
//! a target; if there are none, its returns. A call counts as one instruction.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::{DistanceGraph, Distances, ProgramPoint, UNREACHABLE, reachable};

/// The distances from every block to the nearest goal in its function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionDistances {
    /// From the beginning of each block.
    from: Vec<u64>,
    /// The goals, by their block: the numbers of instructions before them.
    goals: FxHashMap<usize, Vec<u32>>,
}

impl DistanceGraph {
    /// Computes the distances within functions to the targets of `distances`.
    pub fn within_functions(&self, distances: &Distances) -> FunctionDistances {
        let mut goals = distances.within.clone();
        let mut firsts: Vec<usize> = self.first.values().flatten().map(|&it| it as usize).collect();
        firsts.sort_unstable();
        firsts.push(self.blocks.len());
        for nodes in firsts.windows(2).map(|pair| pair[0]..pair[1]) {
            if nodes.clone().all(|node| !goals.contains_key(&node)) {
                let calls = nodes.clone().map(|node| (node, self.leading_calls(node, distances)));
                goals.extend(calls.filter(|(_, calls)| !calls.is_empty()));
            }
            if nodes.clone().all(|node| !goals.contains_key(&node)) {
                let returning = nodes.filter(|&node| self.blocks[node].returns);
                goals.extend(returning.map(|node| (node, vec![self.blocks[node].length - 1])));
            }
        }
        FunctionDistances { from: self.measure_to_goals(&goals), goals }
    }

    /// The calls of a block that lead to a target.
    fn leading_calls(&self, node: usize, distances: &Distances) -> Vec<u32> {
        let leads = |call: &super::BlockCall| {
            let callee = self.node_called(*call);
            callee.is_some_and(|callee| distances.from[callee] != UNREACHABLE)
        };
        self.calls_from(node, 0).filter(leads).map(|call| call.inst).collect()
    }

    fn measure_to_goals(&self, goals: &FxHashMap<usize, Vec<u32>>) -> Vec<u64> {
        let mut from = vec![UNREACHABLE; self.blocks.len()];
        let mut heap = BinaryHeap::new();
        for (&node, insts) in goals {
            if let Some(&first) = insts.iter().min() {
                from[node] = u64::from(first);
                heap.push(Reverse((from[node], node)));
            }
        }
        let before = self.succs.reversed();
        while let Some(Reverse((distance, node))) = heap.pop() {
            if distance > from[node] {
                continue;
            }
            for earlier in before.succs(node) {
                let longer = distance + u64::from(self.blocks[earlier].length);
                if longer < from[earlier] {
                    from[earlier] = longer;
                    heap.push(Reverse((longer, earlier)));
                }
            }
        }
        from
    }
}

impl FunctionDistances {
    /// The least number of instructions from a point to a goal in its function; `None` if there
    /// is no path.
    pub fn from(&self, graph: &DistanceGraph, point: ProgramPoint) -> Option<u64> {
        let node = graph.node(point)?;
        let ahead = self.goals.get(&node).into_iter().flatten();
        let ahead = ahead.filter_map(|&inst| inst.checked_sub(point.inst)).map(u64::from);
        let rest = u64::from(graph.blocks[node].length.saturating_sub(point.inst));
        let after = graph.succs.succs(node).map(|next| self.from[next].saturating_add(rest));
        reachable(ahead.chain(after).min().unwrap_or(UNREACHABLE))
    }
}
