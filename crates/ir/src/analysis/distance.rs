//! How many instructions lie between a point and the nearest block of a set, over the
//! whole program, along paths on which calls and returns match.
//!
//! A call takes one instruction and then whatever its callee needs, at the least, to
//! come to a return; a callee without a body needs nothing. A call through an unknown
//! pointer may reach every function whose address is taken, as in [`CallGraph`].
//!
//! [`DistanceGraph`] is what does not depend on the set: the ways through blocks and functions,
//! made once. [`DistanceGraph::to`] measures from everywhere to one set of blocks by Dijkstra's
//! algorithm against the direction of the edges, in about the time it takes to go
//! through the program once. These [`Distances`] go down into callees but never return
//! from the function a point is in. A path that is being executed does return, and to
//! points that are known: [`Distances::along`] takes its open calls into account.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use byway_base::entity::{EntityRef, SecondaryMap};

use super::callgraph::known_target;
use super::{CallGraph, Digraph};
use crate::{BlockId, FuncId, Function, Inst, Module, Terminator};

/// A point in the program: before an instruction, or before a block's terminator.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ProgramPoint {
    /// The function.
    pub func: FuncId,
    /// The block.
    pub block: BlockId,
    /// How many of the block's instructions lie before it.
    pub inst: u32,
}

/// No way.
const NEVER: u64 = u64::MAX;

/// A call within a block.
#[derive(Copy, Clone, Debug)]
struct Call {
    /// How many of the block's instructions lie before it.
    inst: u32,
    /// Whom; `None` is an unknown pointer.
    callee: Option<FuncId>,
}

/// A block, without what it computes.
#[derive(Debug)]
struct BlockSummary {
    /// Its instructions, the terminator included.
    length: u32,
    /// Its calls, in order: a part of [`DistanceGraph::calls`].
    calls: (u32, u32),
    /// Whether it ends with a return.
    returns: bool,
}

/// The ways through the blocks and functions of a program.
#[derive(Debug)]
pub struct DistanceGraph {
    /// The number of each function's first block among all blocks of the program;
    /// `None` for one without a body.
    first: SecondaryMap<FuncId, Option<u32>>,
    blocks: Vec<BlockSummary>,
    calls: Vec<Call>,
    address_taken: Vec<FuncId>,
    /// What follows what within functions, over all blocks.
    succs: Digraph,
    /// From each function's entry to a return.
    through: SecondaryMap<FuncId, u64>,
    /// The same for any function that an unknown pointer may point to.
    through_pointer: u64,
    /// From the beginning of each block to a return of its function.
    to_return: Vec<u64>,
    /// Where each block is come to from, and what that takes from the beginning of the
    /// other: along edges and by calls. Behind the blocks, one more node stands for
    /// every call through an unknown pointer.
    back: Digraph,
    /// Of every edge of `back`, in its order.
    costs: Vec<u64>,
    /// Where the costs of each node of `back` begin.
    first_cost: Vec<u32>,
}

/// From every block to the nearest of a set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Distances {
    /// From the beginning of each block, and last from a call through an unknown pointer.
    from: Vec<u64>,
}

impl DistanceGraph {
    /// Those of a module that verifies.
    pub fn new(module: &Module) -> DistanceGraph {
        let call_graph = CallGraph::new(module);
        let mut graph = DistanceGraph {
            first: SecondaryMap::new(),
            blocks: Vec::new(),
            calls: Vec::new(),
            address_taken: call_graph.address_taken().to_vec(),
            succs: Digraph::new(0, &[]),
            through: SecondaryMap::with_default(0),
            through_pointer: NEVER,
            to_return: Vec::new(),
            back: Digraph::new(0, &[]),
            costs: Vec::new(),
            first_cost: Vec::new(),
        };
        let mut edges = Vec::new();
        for (id, func) in &module.funcs {
            graph.survey(id, func, &mut edges);
        }
        graph.succs = Digraph::new(graph.blocks.len(), &edges);
        graph.find_returns(module, &call_graph);
        graph.find_ways_back(&edges);
        graph
    }

    /// How many blocks the program has.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// How many instructions a path runs at the least before it returns from the
    /// function a point is in; `None` if it never does.
    pub fn to_return(&self, point: ProgramPoint) -> Option<u64> {
        let node = self.node(point)?;
        let mut least = match self.blocks[node].returns {
            true => 0,
            false => NEVER,
        };
        for next in self.succs.succs(node) {
            least = least.min(self.to_return[next]);
        }
        possible(least.saturating_add(self.rest(node, point.inst)))
    }

    /// Measures to the beginnings of these blocks.
    pub fn to(&self, targets: impl IntoIterator<Item = (FuncId, BlockId)>) -> Distances {
        let mut from = vec![NEVER; self.back.len()];
        let mut heap = BinaryHeap::new();
        for (func, block) in targets {
            if let Some(node) = self.node(ProgramPoint { func, block, inst: 0 }) {
                from[node] = 0;
                heap.push(Reverse((0, node)));
            }
        }
        while let Some(Reverse((distance, node))) = heap.pop() {
            if distance > from[node] {
                continue;
            }
            let costs = &self.costs[self.first_cost[node] as usize..];
            for (before, &cost) in self.back.succs(node).zip(costs) {
                let longer = distance.saturating_add(cost);
                if longer < from[before] {
                    from[before] = longer;
                    heap.push(Reverse((longer, before)));
                }
            }
        }
        Distances { from }
    }

    /// The number of a point's block, if there is one.
    fn node(&self, point: ProgramPoint) -> Option<usize> {
        let node = self.first[point.func]? as usize + point.block.index();
        (node < self.blocks.len()).then_some(node)
    }

    fn survey(&mut self, id: FuncId, func: &Function, edges: &mut Vec<(usize, usize)>) {
        if func.is_declaration() {
            return;
        }
        let first = self.blocks.len();
        self.first[id] = Some(first as u32);
        for (block_id, block) in &func.blocks {
            let calls = self.calls.len() as u32;
            for (inst, id) in block.inst_ids().enumerate() {
                if let Inst::Call { callee, .. } = &func.insts[id] {
                    let callee = known_target(func, *callee);
                    self.calls.push(Call { inst: inst as u32, callee });
                }
            }
            self.blocks.push(BlockSummary {
                length: block.inst_ids().count() as u32 + 1,
                calls: (calls, self.calls.len() as u32),
                returns: matches!(block.term, Terminator::Return(_)),
            });
            let from = first + block_id.index();
            block.term.for_each_edge(|edge| edges.push((from, first + edge.block.index())));
        }
    }

    /// Fills in what functions and blocks take to return, callees first. Functions that
    /// call each other are gone through until nothing gets shorter.
    fn find_returns(&mut self, module: &Module, call_graph: &CallGraph) {
        self.to_return = vec![NEVER; self.blocks.len()];
        for func in module.funcs.keys().filter(|&func| self.first[func].is_some()) {
            self.through[func] = NEVER;
        }
        let before = self.succs.reversed();
        for group in call_graph.bottom_up() {
            loop {
                self.through_pointer = self.shortest_through(&self.address_taken);
                let mut shorter = false;
                for &func in &group {
                    let Some(first) = self.first[func] else { continue };
                    let blocks = module.funcs[func].blocks.len();
                    self.measure_to_return(first as usize..first as usize + blocks, &before);
                    let found = self.to_return[first as usize];
                    shorter |= std::mem::replace(&mut self.through[func], found) != found;
                }
                if !shorter {
                    break;
                }
            }
        }
        self.through_pointer = self.shortest_through(&self.address_taken);
    }

    fn shortest_through(&self, funcs: &[FuncId]) -> u64 {
        funcs.iter().map(|&func| self.through[func]).min().unwrap_or(NEVER)
    }

    /// From the blocks of one function to its returns.
    fn measure_to_return(&mut self, blocks: std::ops::Range<usize>, before: &Digraph) {
        let mut heap = BinaryHeap::new();
        // Anew: what got shorter may lie behind something that did not.
        for node in blocks {
            self.to_return[node] = match self.blocks[node].returns {
                true => self.rest(node, 0),
                false => NEVER,
            };
            if self.to_return[node] != NEVER {
                heap.push(Reverse((self.to_return[node], node)));
            }
        }
        while let Some(Reverse((distance, node))) = heap.pop() {
            if distance > self.to_return[node] {
                continue;
            }
            for earlier in before.succs(node) {
                let longer = distance.saturating_add(self.rest(earlier, 0));
                if longer < self.to_return[earlier] {
                    self.to_return[earlier] = longer;
                    heap.push(Reverse((longer, earlier)));
                }
            }
        }
    }

    /// Turns the ways through blocks and into callees round.
    fn find_ways_back(&mut self, edges: &[(usize, usize)]) {
        let pointer = self.blocks.len();
        let mut back: Vec<(usize, usize, u64)> = Vec::new();
        for &(from, to) in edges {
            back.push((to, from, self.rest(from, 0)));
        }
        for node in 0..pointer {
            self.each_call(node, 0, |callee, cost| back.push((callee, node, cost)));
        }
        for &func in &self.address_taken {
            back.extend(self.first[func].map(|entry| (entry as usize, pointer, 0)));
        }
        back.retain(|edge| edge.2 != NEVER);
        back.sort_unstable();
        let ends: Vec<(usize, usize)> = back.iter().map(|&(to, from, _)| (to, from)).collect();
        self.back = Digraph::new(pointer + 1, &ends);
        self.costs = back.iter().map(|edge| edge.2).collect();
        let mut next = 0;
        for node in 0..=pointer {
            self.first_cost.push(next);
            next += self.back.succs(node).len() as u32;
        }
    }

    /// What a callee takes to return.
    fn callee_takes(&self, call: Call) -> u64 {
        call.callee.map_or(self.through_pointer, |func| self.through[func])
    }

    fn calls_from(&self, node: usize, inst: u32) -> impl Iterator<Item = Call> + '_ {
        let (start, end) = self.blocks[node].calls;
        let calls = &self.calls[start as usize..end as usize];
        calls.iter().copied().filter(move |call| call.inst >= inst)
    }

    /// From a point in a block to behind its end.
    fn rest(&self, node: usize, inst: u32) -> u64 {
        let own = u64::from(self.blocks[node].length.saturating_sub(inst));
        let calls = self.calls_from(node, inst).map(|call| self.callee_takes(call));
        calls.fold(own, u64::saturating_add)
    }

    /// Tells of every call from a point in a block on that can be come to: the node it
    /// leads to, and what there lies between, the call itself included.
    fn each_call(&self, node: usize, inst: u32, mut tell: impl FnMut(usize, u64)) {
        let mut in_callees = 0u64;
        for call in self.calls_from(node, inst) {
            if in_callees == NEVER {
                break;
            }
            let cost = in_callees.saturating_add(u64::from(call.inst - inst) + 1);
            match call.callee {
                None => tell(self.blocks.len(), cost),
                Some(func) => {
                    if let Some(entry) = self.first[func] {
                        tell(entry as usize, cost);
                    }
                }
            }
            in_callees = in_callees.saturating_add(self.callee_takes(call));
        }
    }
}

impl Distances {
    /// How many instructions lie between a point and the set, without returning from
    /// the function; `None` if there is no way. From the beginning of a block of the set
    /// it is 0; a block that was begun must be come to again.
    pub fn from(&self, graph: &DistanceGraph, point: ProgramPoint) -> Option<u64> {
        let node = graph.node(point)?;
        if point.inst == 0 {
            return possible(self.from[node]);
        }
        let onward = graph.succs.succs(node).map(|next| self.from[next]).min().unwrap_or(NEVER);
        let mut least = onward.saturating_add(graph.rest(node, point.inst));
        graph.each_call(node, point.inst, |callee, cost| {
            least = least.min(self.from[callee].saturating_add(cost));
        });
        possible(least)
    }

    /// The same for a path that is being executed: where it is, then the points its
    /// open calls return to, the innermost first.
    pub fn along(
        &self,
        graph: &DistanceGraph,
        points: impl IntoIterator<Item = ProgramPoint>,
    ) -> Option<u64> {
        let (mut least, mut returned) = (NEVER, 0u64);
        for point in points {
            if let Some(distance) = self.from(graph, point) {
                least = least.min(returned.saturating_add(distance));
            }
            match graph.to_return(point) {
                Some(distance) => returned = returned.saturating_add(distance),
                None => break,
            }
            if returned >= least {
                break;
            }
        }
        possible(least)
    }
}

fn possible(distance: u64) -> Option<u64> {
    (distance != NEVER).then_some(distance)
}
