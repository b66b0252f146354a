//! Distances over the whole program: the least number of instructions from a program point
//! to the nearest point of a set, along paths on which calls and returns match.
//!
//! A call costs one instruction plus the least number its callee needs to return; a callee
//! without a body needs none. A call through an unknown pointer can reach every function
//! whose address is taken and that it suits ([`CallShape`]).
//!
//! [`DistanceGraph`] holds everything that does not depend on the set, and is built once.
//! [`DistanceGraph::to`] computes the distances from all blocks to one set by Dijkstra's
//! algorithm on the reversed edges, in about the time of one pass over the program. These
//! [`Distances`] enter callees but never return from the function of the program point. A path
//! that is being executed does return, and to known points: [`Distances::along`] takes its
//! call stack into account.
//!
//! `longjmp` leaves calls without returning from them. Within the graph nothing need be said of
//! that: what a second return of `setjmp` leads to, the first one leads to as well, as far as
//! control flow tells. But a path that is past a call of `setjmp` can get back behind it, so
//! [`Distances::along`] also considers the `setjmp`s of all open calls, once a `longjmp` is
//! reachable.

mod checks;
mod reachable;
mod within;

pub use reachable::Reachable;
pub use within::FunctionDistances;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use byway_base::entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashMap;

use checks::add_edges_behind_checks;

use super::callgraph::known_target;
use super::{CallGraph, CallShape, Digraph};
use crate::{BlockId, FuncId, Function, Inst, Module, Terminator};

/// A point before an instruction or before a block's terminator.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProgramPoint {
    /// The function that contains the block.
    pub func: FuncId,
    /// The block within the function.
    pub block: BlockId,
    /// The number of the block's instructions before the point.
    pub inst: u32,
}

/// The distance to something unreachable.
const UNREACHABLE: u64 = u64::MAX;

/// A call within a block.
#[derive(Copy, Clone, Debug)]
struct BlockCall {
    /// The number of the block's instructions before the call.
    inst: u32,
    callee: CallDestination,
}

#[derive(Copy, Clone, Debug)]
enum CallDestination {
    Known(FuncId),
    /// An unknown pointer: an index into [`DistanceGraph::pointers`].
    Pointer(u32),
}

/// Calls of one shape through unknown pointers.
#[derive(Debug)]
struct PointerCalls {
    /// The functions that they can reach.
    callees: Vec<FuncId>,
    /// The least number of instructions until one of these returns.
    through: u64,
}

/// The length of a block, its calls and whether it returns.
#[derive(Debug)]
struct BlockSummary {
    /// The number of instructions, including the terminator.
    length: u32,
    /// Its calls in order, as a range of [`DistanceGraph::calls`].
    calls: (u32, u32),
    returns: bool,
}

/// The blocks, calls and functions of a program with their costs.
#[derive(Debug)]
pub struct DistanceGraph {
    /// The node of each function's first block; `None` without a body. Nodes number the
    /// blocks of the whole program.
    first: SecondaryMap<FuncId, Option<u32>>,
    blocks: Vec<BlockSummary>,
    calls: Vec<BlockCall>,
    address_taken: Vec<FuncId>,
    pointers: Vec<PointerCalls>,
    /// The control flow within functions.
    succs: Digraph,
    /// From each function's entry to a return.
    through: SecondaryMap<FuncId, u64>,
    /// From the beginning of each block to a return of its function.
    to_return: Vec<u64>,
    /// The reversed edges and calls: from each block to the blocks that lead to it. After the
    /// blocks comes a node for each of `pointers`.
    back: Digraph,
    /// The cost of each edge of `back`, in its order: the instructions from the beginning of
    /// the block that leads to it.
    costs: Vec<u64>,
    /// The index in `costs` of the first edge of each node of `back`.
    first_cost: Vec<u32>,
    /// The points behind calls of `setjmp`, by function.
    landings: FxHashMap<FuncId, Vec<ProgramPoint>>,
    /// To the calls of `longjmp`.
    to_jumps: Distances,
}

/// What a function without a body does to the control flow.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum CallEffect {
    /// It returns.
    #[default]
    Returns,
    /// It returns again when a path jumps back to it, as `setjmp` does.
    SavesPoint,
    /// It jumps back behind an earlier call of the former, as `longjmp` does.
    JumpsBack,
    /// It reports that a check failed. Compiled without the check, the program continues as if it
    /// had passed.
    ReportsCheck,
}

/// The distances from every block to the nearest point of a set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Distances {
    /// From the beginning of each block, then from calls through unknown pointers.
    from: Vec<u64>,
    /// The points of the set, by their block: the numbers of instructions before them.
    within: FxHashMap<usize, Vec<u32>>,
}

impl DistanceGraph {
    /// Builds the graph of a module that verifies. `effect` is the effect of a call of a function
    /// without a body.
    pub fn new(module: &Module, effect: impl Fn(FuncId) -> CallEffect) -> DistanceGraph {
        let call_graph = CallGraph::new(module);
        let mut graph = DistanceGraph {
            first: SecondaryMap::new(),
            blocks: Vec::new(),
            calls: Vec::new(),
            address_taken: call_graph.address_taken().to_vec(),
            pointers: Vec::new(),
            succs: Digraph::new(0, &[]),
            through: SecondaryMap::with_default(0),
            to_return: Vec::new(),
            back: Digraph::new(0, &[]),
            costs: Vec::new(),
            first_cost: Vec::new(),
            landings: FxHashMap::default(),
            to_jumps: Distances::default(),
        };
        let (mut edges, mut shapes) = (Vec::new(), Vec::new());
        let effect = |func| match module.funcs[func].is_declaration() {
            true => effect(func),
            false => CallEffect::Returns,
        };
        for (id, func) in &module.funcs {
            let first = graph.blocks.len();
            graph.add_function(id, func, &mut edges, &mut shapes);
            add_edges_behind_checks(func, first, &effect, &mut edges);
        }
        graph.find_pointees(module, shapes);
        graph.succs = Digraph::new(graph.blocks.len(), &edges);
        graph.find_returns(module, &call_graph);
        graph.build_reversed(&edges);
        graph.find_jumps(module, effect);
        graph
    }

    /// The number of blocks of the program.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The least number of instructions until the function of the point returns; `None` if
    /// it never does.
    pub fn to_return(&self, point: ProgramPoint) -> Option<u64> {
        let node = self.node(point)?;
        let mut least = match self.blocks[node].returns {
            true => 0,
            false => UNREACHABLE,
        };
        for next in self.succs.succs(node) {
            least = least.min(self.to_return[next]);
        }
        reachable(least.saturating_add(self.cost_to_end(node, point.inst)))
    }

    /// Computes the distances to the target points.
    pub fn to(&self, targets: impl IntoIterator<Item = ProgramPoint>) -> Distances {
        let mut from = vec![UNREACHABLE; self.back.len()];
        let mut within: FxHashMap<usize, Vec<u32>> = FxHashMap::default();
        let mut heap = BinaryHeap::new();
        for point in targets {
            let Some(node) = self.node(point) else { continue };
            within.entry(node).or_default().push(point.inst);
            let distance = self.cost_between(node, 0, point.inst);
            if distance < from[node] {
                from[node] = distance;
                heap.push(Reverse((distance, node)));
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
        Distances { from, within }
    }

    /// The node of the block of a point.
    fn node(&self, point: ProgramPoint) -> Option<usize> {
        let node = self.first[point.func]? as usize + point.block.index();
        (node < self.blocks.len()).then_some(node)
    }

    /// Adds a function; its calls through pointers are added to `shapes` and numbered there.
    fn add_function(
        &mut self,
        id: FuncId,
        func: &Function,
        edges: &mut Vec<(usize, usize)>,
        shapes: &mut Vec<CallShape>,
    ) {
        if func.is_declaration() {
            return;
        }
        let first = self.blocks.len();
        self.first[id] = Some(first as u32);
        for (block_id, block) in &func.blocks {
            let calls = self.calls.len() as u32;
            for (inst, id) in block.inst_ids().enumerate() {
                if let Inst::Call { callee, .. } = &func.insts[id] {
                    let callee = match known_target(func, *callee) {
                        Some(callee) => CallDestination::Known(callee),
                        None => {
                            shapes.extend(CallShape::of(func, &func.insts[id]));
                            CallDestination::Pointer(shapes.len() as u32 - 1)
                        }
                    };
                    self.calls.push(BlockCall { inst: inst as u32, callee });
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

    /// Finds the functions that each call through a pointer suits. Calls of one shape are one.
    fn find_pointees(&mut self, module: &Module, shapes: Vec<CallShape>) {
        let mut known: FxHashMap<CallShape, u32> = FxHashMap::default();
        let mut numbers = Vec::with_capacity(shapes.len());
        for shape in shapes {
            let next = self.pointers.len() as u32;
            let number = *known.entry(shape.clone()).or_insert(next);
            numbers.push(number);
            if number == next {
                let suits = |&&func: &&FuncId| {
                    let callee = &module.funcs[func];
                    callee.is_declaration() || shape.mismatch(callee).is_none()
                };
                let callees = self.address_taken.iter().filter(suits).copied().collect();
                self.pointers.push(PointerCalls { callees, through: UNREACHABLE });
            }
        }
        for call in &mut self.calls {
            if let CallDestination::Pointer(index) = &mut call.callee {
                *index = numbers[*index as usize];
            }
        }
    }

    /// Computes `through` and `to_return`, callees first. Mutually recursive functions are
    /// iterated to a fixed point.
    fn find_returns(&mut self, module: &Module, call_graph: &CallGraph) {
        self.to_return = vec![UNREACHABLE; self.blocks.len()];
        for func in module.funcs.keys().filter(|&func| self.first[func].is_some()) {
            self.through[func] = UNREACHABLE;
        }
        let before = self.succs.reversed();
        for group in call_graph.bottom_up() {
            loop {
                let has_pointers = group.iter().any(|&func| call_graph.calls_indirectly(func));
                if has_pointers {
                    self.measure_pointers();
                }
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
        self.measure_pointers();
    }

    fn measure_pointers(&mut self) {
        for calls in &mut self.pointers {
            let through = calls.callees.iter().map(|&func| self.through[func]);
            calls.through = through.min().unwrap_or(UNREACHABLE);
        }
    }

    /// Computes `to_return` for the blocks of one function.
    fn measure_to_return(&mut self, blocks: std::ops::Range<usize>, before: &Digraph) {
        let mut heap = BinaryHeap::new();
        // Start afresh: distances from an earlier iteration may be too long.
        for node in blocks {
            self.to_return[node] = match self.blocks[node].returns {
                true => self.cost_to_end(node, 0),
                false => UNREACHABLE,
            };
            if self.to_return[node] != UNREACHABLE {
                heap.push(Reverse((self.to_return[node], node)));
            }
        }
        while let Some(Reverse((distance, node))) = heap.pop() {
            if distance > self.to_return[node] {
                continue;
            }
            for earlier in before.succs(node) {
                let longer = distance.saturating_add(self.cost_to_end(earlier, 0));
                if longer < self.to_return[earlier] {
                    self.to_return[earlier] = longer;
                    heap.push(Reverse((longer, earlier)));
                }
            }
        }
    }

    /// Finds the calls of `setjmp` and `longjmp`.
    fn find_jumps(&mut self, module: &Module, effect: impl Fn(FuncId) -> CallEffect) {
        let is_pointed_to = |wanted| self.address_taken.iter().any(|&func| effect(func) == wanted);
        let pointers_jump = is_pointed_to(CallEffect::JumpsBack);
        let mut jumps = Vec::new();
        for (id, func) in &module.funcs {
            for (block, data) in &func.blocks {
                for (inst, inst_id) in (0..).zip(data.inst_ids()) {
                    let Inst::Call { callee, .. } = &func.insts[inst_id] else { continue };
                    let point = ProgramPoint { func: id, block, inst };
                    match known_target(func, *callee).map(&effect) {
                        Some(CallEffect::SavesPoint) => {
                            let landing = ProgramPoint { inst: inst + 1, ..point };
                            self.landings.entry(id).or_default().push(landing);
                        }
                        Some(CallEffect::JumpsBack) => jumps.push(point),
                        None if pointers_jump => jumps.push(point),
                        Some(CallEffect::Returns | CallEffect::ReportsCheck) | None => {}
                    }
                }
            }
        }
        self.to_jumps = self.to(jumps);
    }

    /// The points in a function that a `longjmp` may lead to.
    fn landings(&self, func: FuncId) -> &[ProgramPoint] {
        self.landings.get(&func).map_or(&[], Vec::as_slice)
    }

    /// Builds the reversed graph with its costs.
    fn build_reversed(&mut self, edges: &[(usize, usize)]) {
        let blocks = self.blocks.len();
        let nodes = blocks + self.pointers.len();
        let mut back: Vec<(usize, usize, u64)> = Vec::new();
        for &(from, to) in edges {
            back.push((to, from, self.cost_to_end(from, 0)));
        }
        for node in 0..blocks {
            self.each_call(node, 0, |callee, cost| back.push((callee, node, cost)));
        }
        for node in blocks..nodes {
            back.extend(self.pointees(node).map(|entry| (entry, node, 0)));
        }
        back.retain(|edge| edge.2 != UNREACHABLE);
        back.sort_unstable();
        let ends: Vec<(usize, usize)> = back.iter().map(|&(to, from, _)| (to, from)).collect();
        self.back = Digraph::new(nodes, &ends);
        self.costs = back.iter().map(|edge| edge.2).collect();
        let mut next = 0;
        for node in 0..nodes {
            self.first_cost.push(next);
            next += self.back.succs(node).len() as u32;
        }
    }

    /// The least number of instructions until the callee returns.
    fn callee_cost(&self, call: BlockCall) -> u64 {
        match call.callee {
            CallDestination::Known(func) => self.through[func],
            CallDestination::Pointer(index) => self.pointers[index as usize].through,
        }
    }

    /// The node that a call enters; `None` for a callee without a body.
    fn node_called(&self, call: BlockCall) -> Option<usize> {
        match call.callee {
            CallDestination::Known(func) => self.first[func].map(|entry| entry as usize),
            CallDestination::Pointer(index) => Some(self.blocks.len() + index as usize),
        }
    }

    /// The entries that the node of calls through pointers leads to.
    fn pointees(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let callees = &self.pointers[node - self.blocks.len()].callees;
        callees.iter().filter_map(|&func| self.first[func]).map(|entry| entry as usize)
    }

    fn calls_from(&self, node: usize, inst: u32) -> impl Iterator<Item = BlockCall> + '_ {
        let (start, end) = self.blocks[node].calls;
        let calls = &self.calls[start as usize..end as usize];
        calls.iter().copied().filter(move |call| call.inst >= inst)
    }

    /// The least number of instructions from a point in a block to the end of the block.
    fn cost_to_end(&self, node: usize, inst: u32) -> u64 {
        let own = u64::from(self.blocks[node].length.saturating_sub(inst));
        let calls = self.calls_from(node, inst).map(|call| self.callee_cost(call));
        calls.fold(own, u64::saturating_add)
    }

    /// The least number of instructions from a point in a block to a later one.
    fn cost_between(&self, node: usize, start: u32, end: u32) -> u64 {
        let calls = self.calls_from(node, start).take_while(|call| call.inst < end);
        let own = u64::from(end.saturating_sub(start));
        calls.map(|call| self.callee_cost(call)).fold(own, u64::saturating_add)
    }

    /// Visits every reachable call from a point in a block on, with the node of the callee
    /// and the number of instructions up to and including the call.
    fn each_call(&self, node: usize, inst: u32, mut visit: impl FnMut(usize, u64)) {
        let mut in_callees = 0u64;
        for call in self.calls_from(node, inst) {
            if in_callees == UNREACHABLE {
                break;
            }
            let cost = in_callees.saturating_add(u64::from(call.inst - inst) + 1);
            if let Some(node) = self.node_called(call) {
                visit(node, cost);
            }
            in_callees = in_callees.saturating_add(self.callee_cost(call));
        }
    }
}

impl Distances {
    /// The least number of instructions from a point to the set, without returning from the
    /// function; `None` if the set is unreachable. It is 0 at a point of the set; from behind
    /// it, its block must be reached again.
    pub fn from(&self, graph: &DistanceGraph, point: ProgramPoint) -> Option<u64> {
        let node = graph.node(point)?;
        if point.inst == 0 {
            return reachable(self.from[node]);
        }
        let next =
            graph.succs.succs(node).map(|after| self.from[after]).min().unwrap_or(UNREACHABLE);
        let mut least = next.saturating_add(graph.cost_to_end(node, point.inst));
        for &inst in self.within.get(&node).into_iter().flatten() {
            if inst >= point.inst {
                least = least.min(graph.cost_between(node, point.inst, inst));
            }
        }
        graph.each_call(node, point.inst, |callee, cost| {
            least = least.min(self.from[callee].saturating_add(cost));
        });
        reachable(least)
    }

    /// The same for a path that is being executed: its current point, then the return
    /// points of its call stack, innermost first.
    pub fn along(
        &self,
        graph: &DistanceGraph,
        points: impl IntoIterator<Item = ProgramPoint>,
    ) -> Option<u64> {
        // How far it is to a point of the set, to the return point, and to a `longjmp`.
        let (mut least, mut returned, mut jumped) = (UNREACHABLE, 0u64, UNREACHABLE);
        for point in points {
            let further = |distance: Option<u64>, by: u64| match distance {
                Some(distance) => by.saturating_add(distance),
                None => UNREACHABLE,
            };
            least = least.min(further(self.from(graph, point), returned));
            if !graph.landings.is_empty() {
                jumped = jumped.min(further(graph.to_jumps.from(graph, point), returned));
            }
            returned = further(graph.to_return(point), returned);
            if jumped != UNREACHABLE {
                for &landing in graph.landings(point.func) {
                    least = least.min(further(self.from(graph, landing), jumped));
                    returned = returned.min(further(graph.to_return(landing), jumped));
                }
            }
            if returned.min(jumped) >= least {
                break;
            }
        }
        reachable(least)
    }
}

fn reachable(distance: u64) -> Option<u64> {
    (distance != UNREACHABLE).then_some(distance)
}
