//! The cycles of the constraint graph that what is new can reach: cycles of copies become one
//! node, and the shifts of other cycles are widened.
//!
//! A cycle whose shifts do not cancel out (`p = p + 8` in a loop) would produce ever more
//! offsets; its shifts are widened to offsets in steps of what the cycle adds.
//!
//! Cycles that nothing new reaches are at their fixed point, whether they are known or not.

use byway_base::entity::EntityRef;
use rustc_hash::FxHashMap;

use super::graph::{ConstraintNode, Graph};
use super::object::{Offsets, gcd};
use crate::analysis::Digraph;

impl Graph {
    /// Merges cycles and widens shifts. Returns the nodes that what is new can reach, in
    /// topological order.
    pub fn collapse_cycles(&mut self) -> Vec<ConstraintNode> {
        let ReachedComponents { nodes: mut reached, ends, component_of, .. } =
            ReachedComponents::new(self);
        let (mut merged, mut start) = (Vec::new(), 0);
        for (number, end) in ends.into_iter().enumerate() {
            let nodes = &mut reached[start..end];
            start = end;
            let is_within = |to: ConstraintNode| component_of[to.index()] == number as u32;
            if nodes.len() > 1 || self.shifts_within(nodes[0], is_within).next().is_some() {
                nodes.sort_unstable();
                self.widen_shifts(nodes, is_within);
                self.merge_cycles(nodes, is_within, &mut merged);
            }
        }
        self.share_uses(merged);
        reached.reverse();
        reached
    }

    /// The shifts of a node that lead to some nodes.
    fn shifts_within(
        &self,
        node: ConstraintNode,
        is_within: impl Fn(ConstraintNode) -> bool,
    ) -> impl Iterator<Item = (ConstraintNode, Offsets)> {
        let all = self.nodes[node].shifts.iter();
        let all = all.map(|&(to, by)| (self.representative(to), by));
        all.filter(move |&(to, _)| is_within(to))
    }

    /// Widens the shifts between these nodes, which all reach each other, by the greatest
    /// common divisor of what their cycles add.
    fn widen_shifts(
        &mut self,
        nodes: &[ConstraintNode],
        is_within: impl Fn(ConstraintNode) -> bool,
    ) {
        if nodes.iter().all(|&node| self.shifts_within(node, &is_within).next().is_none()) {
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
            for (to, by) in copies.chain(self.shifts_within(node, &is_within)) {
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
        merged: &mut Vec<ConstraintNode>,
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
                merged.push(nodes[cycle[0]]);
            }
        }
    }
}

/// The strongly connected components that what is new can reach (Tarjan 1972), each after those
/// its edges lead to.
struct ReachedComponents<'g> {
    graph: &'g Graph,
    /// The discovery order of each node, from one; zero if not yet discovered, the greatest
    /// number if its component is complete.
    index: Vec<u32>,
    /// The earliest node that is known to be reachable from each.
    low: Vec<u32>,
    discovered: u32,
    /// The nodes discovered whose component is not complete.
    stack: Vec<ConstraintNode>,
    /// The nodes of complete components, one component after the other.
    nodes: Vec<ConstraintNode>,
    /// Where each component ends in `nodes`.
    ends: Vec<usize>,
    component_of: Vec<u32>,
}

impl<'g> ReachedComponents<'g> {
    fn new(graph: &'g Graph) -> Self {
        let mut search = ReachedComponents {
            graph,
            index: vec![0; graph.len()],
            low: vec![0; graph.len()],
            discovered: 0,
            stack: Vec::new(),
            nodes: Vec::new(),
            ends: Vec::new(),
            component_of: vec![u32::MAX; graph.len()],
        };
        for root in graph.nodes_with_new() {
            if search.index[root.index()] == 0 {
                search.visit(root);
            }
        }
        search
    }

    fn visit(&mut self, root: ConstraintNode) {
        let mut open = vec![(root, 0)];
        self.enter(root);
        while let Some((node, next)) = open.last_mut() {
            let node = *node;
            if let Some(target) = self.graph.edge(node, *next) {
                *next += 1;
                if self.index[target.index()] == 0 {
                    self.enter(target);
                    open.push((target, 0));
                } else {
                    self.lower(node, self.index[target.index()]);
                }
            } else {
                open.pop();
                if let Some(&(caller, _)) = open.last() {
                    self.lower(caller, self.low[node.index()]);
                }
                self.leave(node);
            }
        }
    }

    fn enter(&mut self, node: ConstraintNode) {
        self.discovered += 1;
        self.index[node.index()] = self.discovered;
        self.low[node.index()] = self.discovered;
        self.stack.push(node);
    }

    fn lower(&mut self, node: ConstraintNode, to: u32) {
        self.low[node.index()] = self.low[node.index()].min(to);
    }

    /// If the node is the first discovered of its component, the component is complete.
    fn leave(&mut self, node: ConstraintNode) {
        if self.low[node.index()] != self.index[node.index()] {
            return;
        }
        while let Some(member) = self.stack.pop() {
            self.index[member.index()] = u32::MAX;
            self.component_of[member.index()] = self.ends.len() as u32;
            self.nodes.push(member);
            if member == node {
                break;
            }
        }
        self.ends.push(self.nodes.len());
    }
}
