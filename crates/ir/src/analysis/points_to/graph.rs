//! The constraint graph and its solution by waves: cycles of copies become one node, then
//! what is new flows along all edges in topological order (Pereira and Berlin, "Wave
//! Propagation and Deep Propagation for Pointer Analysis", 2009).
//!
//! Besides copies there are shifts, edges that add offsets to the locations. A cycle whose
//! shifts do not cancel out (`p = p + 8` in a loop) would produce ever more offsets; its shifts
//! are widened to offsets in steps of what the cycle adds.

use byway_base::entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
use rustc_hash::{FxHashMap, FxHashSet};

use super::object::{LocationId, Locations, Offsets, gcd};
use super::set::SparseSet;
use crate::analysis::Digraph;

/// A node: a value, a part of an object, or an intermediate result.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstraintNode(u32);
entity_impl!(ConstraintNode, "node");

/// What happens with the locations of a node besides edges: they are addresses of this.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum PointerUse {
    /// Its bytes are loaded, `None` for all from there on.
    Load { offset: i64, len: Option<u64>, to: ConstraintNode },
    /// Its bytes are stored, likewise.
    Store { offset: i64, len: Option<u64>, from: ConstraintNode },
    /// A call through it; the number is that of the call.
    Call { call: u32 },
    /// It is added to an address, as a difference of two addresses.
    Difference { to: ConstraintNode },
}

#[derive(Default)]
struct NodeData {
    /// The node that this one was merged into; itself if none.
    merged: Option<ConstraintNode>,
    /// Where it can point to.
    set: SparseSet,
    /// The part of it that its edges have not seen.
    new: SparseSet,
    /// The part of it that its uses have not seen.
    pending: SparseSet,
    copies: Vec<ConstraintNode>,
    shifts: Vec<(ConstraintNode, Offsets)>,
    uses: Vec<PointerUse>,
}

/// The constraint graph.
#[derive(Default)]
pub struct Graph {
    nodes: PrimaryMap<ConstraintNode, NodeData>,
    edges: FxHashSet<(ConstraintNode, ConstraintNode)>,
    changed: bool,
    /// Blocks of sets that flowed along edges.
    effort: u64,
    /// Whether offsets do not matter, so that shifts are copies.
    whole: bool,
}

impl Graph {
    /// A graph without nodes. `fields` is whether offsets matter.
    pub fn new(fields: bool) -> Graph {
        Graph { whole: !fields, ..Graph::default() }
    }

    pub fn node(&mut self) -> ConstraintNode {
        self.nodes.push(NodeData::default())
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node that stands for this one.
    pub fn representative(&self, mut node: ConstraintNode) -> ConstraintNode {
        while let Some(next) = self.nodes[node].merged {
            node = next;
        }
        node
    }

    /// Where a node can point to.
    pub fn set(&self, node: ConstraintNode) -> &SparseSet {
        &self.nodes[self.representative(node)].set
    }

    pub fn point(&mut self, node: ConstraintNode, location: LocationId) {
        self.add(node, &std::iter::once(location.as_u32()).collect());
    }

    /// `to` can point to whatever `from` can.
    pub fn copy(&mut self, from: ConstraintNode, to: ConstraintNode) {
        let (from, to) = (self.representative(from), self.representative(to));
        self.effort += 1;
        if from != to && self.edges.insert((from, to)) {
            self.nodes[from].copies.push(to);
            self.changed = true;
            let set = std::mem::take(&mut self.nodes[from].set);
            self.add(to, &set);
            self.nodes[from].set = set;
        }
    }

    /// `to` can point to whatever `from` can, further on.
    pub fn shift(&mut self, from: ConstraintNode, to: ConstraintNode, by: Offsets) {
        if self.whole || by == Offsets::ZERO {
            return self.copy(from, to);
        }
        let (from, to) = (self.representative(from), self.representative(to));
        if !self.nodes[from].shifts.contains(&(to, by)) {
            self.nodes[from].shifts.push((to, by));
            self.resend(from);
        }
    }

    /// `to` points to exactly what `from` points to, further on: nothing else defines it.
    pub fn define(&mut self, from: ConstraintNode, to: ConstraintNode, by: Offsets) {
        let (from, to) = (self.representative(from), self.representative(to));
        if (self.whole || by == Offsets::ZERO) && from != to {
            self.merge(from, to);
            self.changed = true;
        } else {
            self.shift(from, to, by);
        }
    }

    pub fn use_at(&mut self, node: ConstraintNode, it: PointerUse) {
        let node = self.representative(node);
        let data = &mut self.nodes[node];
        data.uses.push(it);
        data.pending = data.set.clone();
        self.changed = true;
    }

    fn add(&mut self, node: ConstraintNode, set: &SparseSet) {
        let node = self.representative(node);
        let data = &mut self.nodes[node];
        self.effort += set.blocks() as u64 + 1;
        let mut added = SparseSet::default();
        if !set.is_empty() && data.set.add_all(set, &mut added) {
            data.new = data.new.union(&added);
            if !data.uses.is_empty() {
                data.pending = data.pending.union(&added);
            }
            self.changed = true;
        }
    }

    /// Makes everything flow along the edges of a node again.
    fn resend(&mut self, node: ConstraintNode) {
        let data = &mut self.nodes[node];
        data.new = data.set.clone();
        self.changed = true;
    }

    /// The work done so far, in steps that are the same in every run.
    pub fn effort(&self) -> u64 {
        self.effort
    }

    /// Whether anything is left to do since the last call.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// One wave: what is new flows along all edges. It ends early if it costs too much.
    pub fn propagate(&mut self, locations: &mut Locations, most_effort: u64) {
        let limit = self.effort.saturating_add(most_effort);
        for node in self.collapse_cycles() {
            if self.effort > limit {
                return;
            }
            let node = self.representative(node);
            let new = std::mem::take(&mut self.nodes[node].new);
            if new.is_empty() {
                continue;
            }
            let copies = std::mem::take(&mut self.nodes[node].copies);
            for &to in &copies {
                self.add(to, &new);
            }
            self.nodes[node].copies = copies;
            let shifts = std::mem::take(&mut self.nodes[node].shifts);
            for &(to, by) in &shifts {
                let moved = |id| locations.shifted(LocationId::from_u32(id), by).as_u32();
                let moved: SparseSet = new.iter().map(moved).collect();
                self.effort += 64 * moved.blocks() as u64;
                self.add(to, &moved);
            }
            self.nodes[node].shifts = shifts;
        }
    }

    /// The nodes with uses that have not seen all locations, ascending.
    pub fn pending(&self) -> Vec<ConstraintNode> {
        let pending = self.nodes.iter().filter(|(_, data)| !data.pending.is_empty());
        pending.map(|(node, _)| node).collect()
    }

    /// Takes the uses of a node and the locations that they have not seen.
    pub fn take_uses(&mut self, node: ConstraintNode) -> (SparseSet, Vec<PointerUse>) {
        let data = &mut self.nodes[node];
        (std::mem::take(&mut data.pending), std::mem::take(&mut data.uses))
    }

    /// Gives back the uses of a node.
    pub fn put_uses(&mut self, node: ConstraintNode, mut uses: Vec<PointerUse>) {
        let data = &mut self.nodes[node];
        uses.append(&mut data.uses);
        data.uses = uses;
    }

    /// Merges the nodes of each cycle of copies, and widens the shifts of cycles. Returns the
    /// nodes in topological order.
    fn collapse_cycles(&mut self) -> Vec<ConstraintNode> {
        let mut edges = Vec::new();
        for (node, data) in &self.nodes {
            let targets = data.copies.iter().chain(data.shifts.iter().map(|(to, _)| to));
            edges.extend(targets.map(|&to| (node.index(), self.representative(to).index())));
        }
        let components = Digraph::new(self.nodes.len(), &edges).components();
        let mut component_of = SecondaryMap::with_capacity(self.nodes.len());
        for (number, component) in components.iter().enumerate() {
            component.iter().for_each(|&node| component_of[ConstraintNode::new(node)] = number);
        }
        let mut order = Vec::new();
        for (number, component) in components.iter().enumerate().rev() {
            let mut nodes: Vec<ConstraintNode> =
                component.iter().map(|&node| ConstraintNode::new(node)).collect();
            nodes.sort_unstable();
            let is_within = |to: ConstraintNode| component_of[to] == number;
            self.widen_shifts(&nodes, is_within);
            if nodes.len() > 1 {
                self.merge_cycles(&nodes, is_within);
            }
            order.extend(nodes.into_iter().filter(|&node| self.nodes[node].merged.is_none()));
        }
        order
    }

    /// Widens the shifts between these nodes, which all reach each other, by the greatest
    /// common divisor of what their cycles add.
    fn widen_shifts(
        &mut self,
        nodes: &[ConstraintNode],
        is_within: impl Fn(ConstraintNode) -> bool,
    ) {
        let shifts = |graph: &Graph, node: ConstraintNode| -> Vec<(ConstraintNode, Offsets)> {
            let all = graph.nodes[node].shifts.iter();
            let all = all.map(|&(to, by)| (graph.representative(to), by));
            all.filter(|&(to, _)| is_within(to)).collect()
        };
        if nodes.iter().all(|&node| shifts(self, node).is_empty()) {
            return;
        }
        let mut position = FxHashMap::default();
        position.insert(nodes[0], 0i64);
        let mut work = vec![nodes[0]];
        let mut step = 0;
        while let Some(node) = work.pop() {
            let at = position[&node];
            let copies = self.nodes[node].copies.iter().map(|&to| self.representative(to));
            let copies = copies.filter(|&to| is_within(to)).map(|to| (to, Offsets::ZERO));
            for (to, by) in copies.chain(shifts(self, node)).collect::<Vec<_>>() {
                step = gcd(step, by.stride);
                let there = at.wrapping_add(by.start);
                match position.get(&to) {
                    Some(known) => step = gcd(step, known.abs_diff(there)),
                    None => {
                        position.insert(to, there);
                        work.push(to);
                    }
                }
            }
        }
        if step == 0 {
            return;
        }
        for &node in nodes {
            for i in 0..self.nodes[node].shifts.len() {
                let (to, by) = self.nodes[node].shifts[i];
                let wide = by.plus(Offsets::every(0, step));
                if wide != by && is_within(self.representative(to)) {
                    self.nodes[node].shifts[i].1 = wide;
                    self.resend(node);
                }
            }
        }
    }

    /// Merges the nodes of each cycle of copies between these nodes.
    fn merge_cycles(
        &mut self,
        nodes: &[ConstraintNode],
        is_within: impl Fn(ConstraintNode) -> bool,
    ) {
        let index = |node: ConstraintNode| nodes.binary_search(&node).unwrap_or_default();
        let mut edges = Vec::new();
        for (from, &node) in nodes.iter().enumerate() {
            let targets = self.nodes[node].copies.iter().map(|&to| self.representative(to));
            edges.extend(targets.filter(|&to| is_within(to)).map(|to| (from, index(to))));
        }
        for mut cycle in Digraph::new(nodes.len(), &edges).components() {
            cycle.sort_unstable();
            for &other in &cycle[1..] {
                self.merge(nodes[cycle[0]], nodes[other]);
            }
            if cycle.len() > 1 {
                self.tidy_edges(nodes[cycle[0]]);
            }
        }
    }

    /// Merges a node into another one.
    fn merge(&mut self, into: ConstraintNode, gone: ConstraintNode) {
        let gone_data = std::mem::replace(
            &mut self.nodes[gone],
            NodeData { merged: Some(into), ..NodeData::default() },
        );
        let data = &mut self.nodes[into];
        // What only one of the two had, the edges and uses of the other have not seen.
        let unseen = data.set.difference(&gone_data.set);
        data.set = data.set.union(&gone_data.set);
        data.new = data.new.union(&gone_data.new).union(&unseen);
        if !data.uses.is_empty() || !gone_data.uses.is_empty() {
            data.pending = data.pending.union(&gone_data.pending).union(&unseen);
        }
        data.copies.extend(gone_data.copies);
        data.shifts.extend(gone_data.shifts);
        data.uses.extend(gone_data.uses);
    }

    /// Drops the edges of a merged node that lead to itself and those it has twice.
    fn tidy_edges(&mut self, node: ConstraintNode) {
        let mut copies = std::mem::take(&mut self.nodes[node].copies);
        copies.iter_mut().for_each(|to| *to = self.representative(*to));
        copies.sort_unstable();
        copies.dedup();
        copies.retain(|&to| to != node);
        let mut shifts = std::mem::take(&mut self.nodes[node].shifts);
        shifts.iter_mut().for_each(|(to, _)| *to = self.representative(*to));
        shifts.sort_unstable();
        shifts.dedup();
        let data = &mut self.nodes[node];
        data.copies = copies;
        data.shifts = shifts;
    }
}
