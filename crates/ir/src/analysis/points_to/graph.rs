//! The constraint graph and its solution by waves: cycles of copies become one node, then
//! what is new flows along all edges in topological order (Pereira and Berlin, "Wave
//! Propagation and Deep Propagation for Pointer Analysis", 2009).
//!
//! Besides copies there are shifts, edges that add offsets to the locations.

use byway_base::entity::{PrimaryMap, entity_impl};
use rustc_hash::{FxHashMap, FxHashSet};

use super::object::{LocationId, Locations, Offsets};
use crate::analysis::set_table::{InternedSet, SetTable};

/// A node: a value, a part of an object, or an intermediate result.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstraintNode(u32);
entity_impl!(ConstraintNode, "node");

/// What happens with the locations of a node besides edges: they are addresses of this.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PointerUse {
    /// Bytes there flow to a node.
    Load(AccessedBytes, ConstraintNode),
    /// What a node has flows to bytes there.
    Store(AccessedBytes, ConstraintNode),
    /// A call through it; the number is that of the call.
    Call { call: u32 },
    /// It is added to an address, as a difference of two addresses.
    Difference { to: ConstraintNode },
}

/// Bytes relative to an address; the length `None` means all from there on.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AccessedBytes {
    pub offset: i64,
    pub len: Option<u64>,
}

pub struct NodeData {
    /// The node that this one was merged into; itself if none.
    merged: Option<ConstraintNode>,
    /// Where it can point to.
    set: InternedSet,
    /// The part of it that its edges have not seen.
    new: InternedSet,
    /// The part of it that its uses have not seen.
    pending: InternedSet,
    /// Whether it has uses, those included that are being applied.
    has_uses: bool,
    pub copies: Vec<ConstraintNode>,
    pub shifts: Vec<(ConstraintNode, Offsets)>,
    uses: Vec<PointerUse>,
}

impl NodeData {
    fn new(merged: Option<ConstraintNode>) -> NodeData {
        NodeData {
            merged,
            set: SetTable::EMPTY,
            new: SetTable::EMPTY,
            pending: SetTable::EMPTY,
            has_uses: false,
            copies: Vec::new(),
            shifts: Vec::new(),
            uses: Vec::new(),
        }
    }
}

/// The constraint graph.
pub struct Graph {
    pub sets: SetTable,
    pub nodes: PrimaryMap<ConstraintNode, NodeData>,
    edges: FxHashSet<(ConstraintNode, ConstraintNode)>,
    /// The nodes that have exactly the locations of another node, further on.
    shifted: FxHashMap<(ConstraintNode, Offsets), ConstraintNode>,
    /// Sets of locations, further on.
    shifted_sets: FxHashMap<(InternedSet, Offsets), InternedSet>,
    changed: bool,
    /// Edges and locations that were considered.
    effort: u64,
    /// Whether offsets do not matter, so that shifts are copies.
    whole: bool,
}

impl Graph {
    /// A graph without nodes. `fields` is whether offsets matter.
    pub fn new(fields: bool) -> Graph {
        Graph {
            sets: SetTable::new(),
            nodes: PrimaryMap::new(),
            edges: FxHashSet::default(),
            shifted: FxHashMap::default(),
            shifted_sets: FxHashMap::default(),
            changed: false,
            effort: 0,
            whole: !fields,
        }
    }

    pub fn node(&mut self) -> ConstraintNode {
        self.nodes.push(NodeData::new(None))
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
    pub fn set(&self, node: ConstraintNode) -> InternedSet {
        self.nodes[self.representative(node)].set
    }

    pub fn point(&mut self, node: ConstraintNode, location: LocationId) {
        let set = self.sets.of([location.as_u32()]);
        self.add(node, set);
    }

    /// `to` can point to whatever `from` can.
    pub fn copy(&mut self, from: ConstraintNode, to: ConstraintNode) {
        let (from, to) = (self.representative(from), self.representative(to));
        self.effort += 1;
        if from != to && self.edges.insert((from, to)) {
            self.nodes[from].copies.push(to);
            self.changed = true;
            self.add(to, self.nodes[from].set);
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
        let same = match self.whole || by == Offsets::ZERO {
            true => Some(from),
            false => self.shifted.get(&(from, by)).map(|&node| self.representative(node)),
        };
        match same {
            Some(same) if same == to => {}
            Some(same) => {
                self.merge(same, to);
                self.changed = true;
            }
            None => {
                self.shifted.insert((from, by), to);
                self.shift(from, to, by);
            }
        }
    }

    /// The node that has exactly what loads of these bytes can see.
    pub fn load(&mut self, address: ConstraintNode, bytes: AccessedBytes) -> ConstraintNode {
        let bytes = self.told_apart(bytes);
        let known = self.nodes[self.representative(address)].uses.iter();
        let known = known.copied().find_map(|it| match it {
            PointerUse::Load(known, to) if known == bytes => Some(to),
            _ => None,
        });
        known.unwrap_or_else(|| {
            let to = self.node();
            self.use_at(address, PointerUse::Load(bytes, to));
            to
        })
    }

    /// The node of everything that is stored to these bytes.
    pub fn store(&mut self, address: ConstraintNode, bytes: AccessedBytes) -> ConstraintNode {
        let bytes = self.told_apart(bytes);
        let known = self.nodes[self.representative(address)].uses.iter();
        let known = known.copied().find_map(|it| match it {
            PointerUse::Store(known, from) if known == bytes => Some(from),
            _ => None,
        });
        known.unwrap_or_else(|| {
            let from = self.node();
            self.use_at(address, PointerUse::Store(bytes, from));
            from
        })
    }

    /// The bytes that an access concerns as far as offsets matter.
    fn told_apart(&self, bytes: AccessedBytes) -> AccessedBytes {
        if self.whole { AccessedBytes { offset: 0, len: None } } else { bytes }
    }

    pub fn use_at(&mut self, node: ConstraintNode, it: PointerUse) {
        let node = self.representative(node);
        let data = &mut self.nodes[node];
        data.uses.push(it);
        data.has_uses = true;
        data.pending = data.set;
        self.changed = true;
    }

    fn add(&mut self, node: ConstraintNode, set: InternedSet) {
        let node = self.representative(node);
        let data = &mut self.nodes[node];
        self.effort += 1;
        let added = self.sets.difference(set, data.set);
        if added != SetTable::EMPTY {
            data.set = self.sets.union(data.set, set);
            data.new = self.sets.union(data.new, added);
            if data.has_uses {
                data.pending = self.sets.union(data.pending, added);
            }
            self.changed = true;
        }
    }

    /// Makes everything flow along the edges of a node again.
    pub fn resend(&mut self, node: ConstraintNode) {
        let data = &mut self.nodes[node];
        data.new = data.set;
        self.changed = true;
    }

    /// The work done so far, in steps that are the same in every run.
    pub fn effort(&self) -> u64 {
        self.effort + self.sets.effort()
    }

    /// Whether anything is left to do since the last call.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// One wave: what is new flows along all edges. It ends early if it costs too much.
    pub fn propagate(&mut self, locations: &mut Locations, most_effort: u64) {
        let limit = self.effort().saturating_add(most_effort);
        for node in self.collapse_cycles() {
            if self.effort() > limit {
                return;
            }
            let node = self.representative(node);
            let new = std::mem::replace(&mut self.nodes[node].new, SetTable::EMPTY);
            if new == SetTable::EMPTY {
                continue;
            }
            let copies = std::mem::take(&mut self.nodes[node].copies);
            for &to in &copies {
                self.add(to, new);
            }
            self.nodes[node].copies = copies;
            let shifts = std::mem::take(&mut self.nodes[node].shifts);
            for &(to, by) in &shifts {
                let moved = self.shifted_set(locations, new, by);
                self.add(to, moved);
            }
            self.nodes[node].shifts = shifts;
        }
    }

    fn shifted_set(
        &mut self,
        locations: &mut Locations,
        set: InternedSet,
        by: Offsets,
    ) -> InternedSet {
        if let Some(&known) = self.shifted_sets.get(&(set, by)) {
            return known;
        }
        let moved = |id| locations.shifted(LocationId::from_u32(id), by).as_u32();
        let moved: Vec<u32> = self.sets.iter(set).map(moved).collect();
        self.effort += moved.len() as u64;
        let moved = self.sets.of(moved);
        self.shifted_sets.insert((set, by), moved);
        moved
    }

    /// The nodes with uses that have not seen all locations, ascending.
    pub fn pending(&self) -> Vec<ConstraintNode> {
        let pending = self.nodes.iter().filter(|(_, data)| data.pending != SetTable::EMPTY);
        pending.map(|(node, _)| node).collect()
    }

    /// The nodes with locations that their edges have not seen, ascending.
    pub fn nodes_with_new(&self) -> impl Iterator<Item = ConstraintNode> {
        let with_new = self.nodes.iter().filter(|(_, data)| data.new != SetTable::EMPTY);
        with_new.map(|(node, _)| node)
    }

    /// The target of an edge of a node by its number, copies first.
    pub fn edge(&self, node: ConstraintNode, number: usize) -> Option<ConstraintNode> {
        let NodeData { copies, shifts, .. } = &self.nodes[node];
        let shift = || shifts.get(number - copies.len()).map(|&(to, _)| to);
        copies.get(number).copied().or_else(shift).map(|to| self.representative(to))
    }

    /// Takes the uses of a node and the locations that they have not seen.
    pub fn take_uses(&mut self, node: ConstraintNode) -> (InternedSet, Vec<PointerUse>) {
        let data = &mut self.nodes[node];
        let pending = std::mem::replace(&mut data.pending, SetTable::EMPTY);
        (pending, std::mem::take(&mut data.uses))
    }

    /// Gives back the uses of a node.
    pub fn put_uses(&mut self, node: ConstraintNode, mut uses: Vec<PointerUse>) {
        let data = &mut self.nodes[node];
        uses.append(&mut data.uses);
        data.uses = uses;
    }

    /// Merges what is loaded from the same bytes by several uses of a merged node, and what is
    /// stored there.
    pub fn share_uses(&mut self, mut merged: Vec<ConstraintNode>) {
        while let Some(node) = merged.pop() {
            let node = self.representative(node);
            let mut uses = std::mem::take(&mut self.nodes[node].uses);
            uses.sort_unstable();
            uses.dedup_by(|it, kept| {
                let (it, kept) = match (*it, *kept) {
                    (PointerUse::Load(bytes, it), PointerUse::Load(other, kept))
                    | (PointerUse::Store(bytes, it), PointerUse::Store(other, kept))
                        if bytes == other =>
                    {
                        (self.representative(it), self.representative(kept))
                    }
                    _ => return it == kept,
                };
                if it != kept {
                    self.merge(kept, it);
                    // What is new in it may be outside of the wave at hand.
                    self.changed = true;
                    merged.push(kept);
                }
                true
            });
            // The node may be among those that were merged.
            let node = self.representative(node);
            self.put_uses(node, uses);
        }
    }

    /// Merges a node into another one.
    pub fn merge(&mut self, into: ConstraintNode, gone: ConstraintNode) {
        let gone = std::mem::replace(&mut self.nodes[gone], NodeData::new(Some(into)));
        let (data, sets) = (&mut self.nodes[into], &mut self.sets);
        // What only one of the two had, the edges and uses of the other have not seen.
        let (ours, theirs) =
            (sets.difference(data.set, gone.set), sets.difference(gone.set, data.set));
        let unseen = sets.union(ours, theirs);
        data.set = sets.union(data.set, gone.set);
        for new in [gone.new, unseen] {
            data.new = sets.union(data.new, new);
        }
        data.has_uses |= gone.has_uses;
        if data.has_uses {
            for pending in [gone.pending, unseen] {
                data.pending = sets.union(data.pending, pending);
            }
        }
        data.copies.extend(gone.copies);
        data.shifts.extend(gone.shifts);
        data.uses.extend(gone.uses);
    }

    /// Drops the edges of a merged node that lead to itself and those it has twice.
    pub fn tidy_edges(&mut self, node: ConstraintNode) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// `p = *p`: what the load of the first object adds is loaded from as well.
    #[test]
    fn locations_that_arrive_while_uses_are_applied_are_pending() {
        let mut graph = Graph::new(true);
        let (pointer, cell) = (graph.node(), graph.node());
        graph.point(pointer, LocationId::from_u32(0));
        graph.point(cell, LocationId::from_u32(1));
        let bytes = AccessedBytes { offset: 0, len: Some(8) };
        graph.use_at(pointer, PointerUse::Load(bytes, pointer));
        let (seen, uses) = graph.take_uses(pointer);
        graph.copy(cell, pointer);
        graph.put_uses(pointer, uses);
        assert_eq!(graph.pending(), [pointer]);
        let (unseen, _) = graph.take_uses(pointer);
        assert!(graph.sets.iter(seen).eq([0]) && graph.sets.iter(unseen).eq([1]));
    }

    #[test]
    fn pointers_that_become_one_load_the_same() {
        let (mut graph, mut locations) = (Graph::new(true), Locations::new(true));
        let (a, b) = (graph.node(), graph.node());
        let bytes = AccessedBytes { offset: 8, len: Some(8) };
        let (from_a, from_b) = (graph.load(a, bytes), graph.load(b, bytes));
        assert_eq!(graph.load(a, bytes), from_a);
        assert_ne!(from_a, from_b);
        graph.copy(a, b);
        graph.copy(b, a);
        graph.point(a, LocationId::from_u32(0));
        graph.propagate(&mut locations, u64::MAX);
        assert_eq!(graph.representative(from_a), graph.representative(from_b));
        assert_eq!(graph.pending().len(), 1);
    }
}
