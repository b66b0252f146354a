//! A random path (RPS in the literature; KLEE's `random-path`): walks the execution tree
//! from its root and at every inner node takes one of the children that still lead to a
//! state, each with the same probability, whatever the size of its subtree.
//!
//! A state behind k binary forks is picked with probability 2^-k, so states high in the
//! tree, with few constraints, are favoured, and a loop that forks in every iteration
//! cannot capture the exploration. Started states are children of one common root.
//!
//! The tree is built from the forks in deltas, and compressed: a removed state takes its
//! leaf along, and an inner node with a single child left is removed, since it needs no
//! random choice. So every inner node but the root has at least two children:
//!
//! - there are fewer inner nodes than states, and memory follows the live states, however
//!   long their paths are;
//! - a walk makes as many choices as its leaf is deep, in the worst case (a tree like a comb)
//!   as many as there are states. But each choice decides at least one bit of which state
//!   is picked, and picking one of n needs at most log2 n bits on average. So the expected
//!   walk is at most that long, 20 choices for a million states in any shape. A deep comb
//!   takes 2.
//!
//! Adding and removing take constant time per successor. Nothing is recursive. Most forks
//! have two successors; these are stored in the node itself, and a walk takes its choices
//! between two from the bits of one random number, 64 at a time.
//!
//! A suspended state keeps its leaf. Every inner node knows which of its children are
//! active, that is, lead to a state that is not suspended, and a walk chooses among those
//! only, without a random choice if there is one. Suspending or resuming a state updates
//! its parent, and ancestors further up only if no other child there is active. So the
//! bounds above hold for the active states; a walk also passes nodes with a single active
//! child.

use byway_base::Rng;
use byway_base::entity::packed_option::PackedOption;
use byway_base::entity::{PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;

use crate::{Action, Delta, Searcher, StateId, Until, View};

/// Picks by a random walk down the execution tree.
#[derive(Debug)]
pub struct RandomPath {
    nodes: PrimaryMap<PathNodeId, PathNode>,
    /// Unused entries of `nodes`.
    free: Vec<PathNodeId>,
    root: PathNodeId,
    leaves: FxHashMap<StateId, PathNodeId>,
}

#[derive(Copy, Clone, PartialEq, Eq)]
struct PathNodeId(u32);
entity_impl!(PathNodeId, "node");

#[derive(Debug)]
struct PathNode {
    /// `None` for the root.
    parent: PackedOption<PathNodeId>,
    /// Its index among the parent's children.
    index: u32,
    content: NodeContent,
}

#[derive(Debug)]
enum NodeContent {
    State(StateId),
    /// Two children, and which of them are active.
    Two([PathNodeId; 2], [bool; 2]),
    Many(Box<ManyChildren>),
}

/// A number of children other than two. Only the root has fewer than two, and a node keeps
/// this form when children are removed.
#[derive(Debug, Default)]
struct ManyChildren {
    nodes: Vec<PathNodeId>,
    /// The number of active children; they come first in `nodes`.
    active: usize,
}

impl Default for RandomPath {
    fn default() -> Self {
        let mut nodes = PrimaryMap::new();
        let root = nodes.push(PathNode {
            parent: PackedOption::default(),
            index: 0,
            content: NodeContent::Many(Box::default()),
        });
        RandomPath { nodes, free: Vec::new(), root, leaves: FxHashMap::default() }
    }
}

impl RandomPath {
    /// Adds a leaf below the root.
    fn start(&mut self, state: StateId) {
        if self.leaves.contains_key(&state) {
            return;
        }
        let leaf = self.leaf(state, self.root, 0);
        let NodeContent::Many(children) = &mut self.nodes[self.root].content else { return };
        let index = children.nodes.len();
        children.nodes.push(leaf);
        self.nodes[leaf].index = index as u32;
        self.set_active(leaf, true);
    }

    /// Turns the parent's leaf into an inner node with a leaf for each successor.
    fn fork(&mut self, parent: StateId, successors: impl Iterator<Item = StateId>) {
        let Some(node) = self.leaves.remove(&parent) else {
            // The successors of an unknown parent are still states to explore.
            return successors.for_each(|state| self.start(state));
        };
        let states: Vec<StateId> = successors.filter(|c| !self.leaves.contains_key(c)).collect();
        match states[..] {
            [] => self.cut(node),
            [only] => {
                self.nodes[node].content = NodeContent::State(only);
                self.leaves.insert(only, node);
            }
            [one, other] => {
                let children = [self.leaf(one, node, 0), self.leaf(other, node, 1)];
                self.nodes[node].content = NodeContent::Two(children, [true; 2]);
            }
            _ => {
                let leaves = states.iter().enumerate();
                let nodes = leaves.map(|(index, &state)| self.leaf(state, node, index)).collect();
                let children = ManyChildren { nodes, active: states.len() };
                self.nodes[node].content = NodeContent::Many(Box::new(children));
            }
        }
    }

    fn remove(&mut self, state: StateId) {
        if let Some(leaf) = self.leaves.remove(&state) {
            self.cut(leaf);
        }
    }

    fn suspend(&mut self, state: StateId) {
        if let Some(&leaf) = self.leaves.get(&state) {
            self.set_active(leaf, false);
        }
    }

    fn resume(&mut self, state: StateId) {
        if let Some(&leaf) = self.leaves.get(&state) {
            self.set_active(leaf, true);
        }
    }

    /// Sets whether a node is active, and updates its ancestors.
    fn set_active(&mut self, mut node: PathNodeId, active: bool) {
        while let Some(parent) = self.nodes[node].parent.expand() {
            let index = self.nodes[node].index as usize;
            // Whether any other child of the parent is active.
            let others = match &mut self.nodes[parent].content {
                NodeContent::State(_) => return,
                NodeContent::Two(_, flags) if flags[index] == active => return,
                NodeContent::Two(_, flags) => {
                    flags[index] = active;
                    flags[1 - index]
                }
                NodeContent::Many(children) if (index < children.active) == active => return,
                NodeContent::Many(children) => {
                    // Swap with the child at the border between active and inactive.
                    let border = if active { children.active } else { children.active - 1 };
                    children.nodes.swap(index, border);
                    let (moved, others) = (children.nodes[index], border > 0);
                    children.active = if active { border + 1 } else { border };
                    self.nodes[moved].index = index as u32;
                    self.nodes[node].index = border as u32;
                    others
                }
            };
            if others {
                return;
            }
            node = parent;
        }
    }

    /// Removes a node without children.
    fn cut(&mut self, node: PathNodeId) {
        // Afterwards the other children alone determine whether the parent is active.
        self.set_active(node, false);
        let index = self.nodes[node].index as usize;
        let Some(parent) = self.nodes[node].parent.expand() else { return };
        self.free.push(node);
        let left = match &mut self.nodes[parent].content {
            NodeContent::State(_) => return,
            NodeContent::Two(children, _) => Some(children[1 - index]),
            NodeContent::Many(children) => {
                children.nodes.swap_remove(index);
                let (moved, only) = (children.nodes.get(index).copied(), children.nodes.len() == 1);
                let left = only.then(|| children.nodes[0]);
                if let Some(moved) = moved {
                    self.nodes[moved].index = index as u32;
                }
                left
            }
        };
        if let Some(only) = left {
            self.bypass(parent, only);
        }
    }

    /// Removes an inner node whose only child takes its position.
    fn bypass(&mut self, node: PathNodeId, only: PathNodeId) {
        let Some(parent) = self.nodes[node].parent.expand() else { return };
        let index = self.nodes[node].index;
        self.nodes[only].parent = parent.into();
        self.nodes[only].index = index;
        match &mut self.nodes[parent].content {
            NodeContent::State(_) => {}
            NodeContent::Two(children, _) => children[index as usize] = only,
            NodeContent::Many(children) => children.nodes[index as usize] = only,
        }
        self.free.push(node);
    }

    fn leaf(&mut self, state: StateId, parent: PathNodeId, index: usize) -> PathNodeId {
        let leaf = PathNode {
            parent: parent.into(),
            index: index as u32,
            content: NodeContent::State(state),
        };
        let node = match self.free.pop() {
            Some(node) => {
                self.nodes[node] = leaf;
                node
            }
            None => self.nodes.push(leaf),
        };
        self.leaves.insert(state, node);
        node
    }

    fn walk(&self, rng: &mut Rng) -> Option<StateId> {
        let mut node = self.root;
        let (mut coins, mut left) = (0, 0);
        loop {
            node = match &self.nodes[node].content {
                NodeContent::State(state) => return Some(*state),
                NodeContent::Two(children, [true, true]) => {
                    if left == 0 {
                        (coins, left) = (rng.next_u64(), u64::BITS);
                    }
                    let child = children[(coins & 1) as usize];
                    (coins, left) = (coins >> 1, left - 1);
                    child
                }
                NodeContent::Two(children, active) => children[usize::from(active[1])],
                NodeContent::Many(children) => match children.nodes[..children.active] {
                    [only] => only,
                    ref active => *rng.pick(active)?,
                },
            }
        }
    }
}

impl Searcher for RandomPath {
    fn update(&mut self, delta: &Delta, _: &dyn View) {
        delta.resumed.iter().for_each(|&state| self.resume(state));
        delta.started.iter().for_each(|&state| self.start(state));
        for fork in &delta.forks {
            self.fork(fork.parent, fork.successors.iter().map(|successor| successor.state));
        }
        delta.removed().for_each(|state| self.remove(state));
        delta.suspended.iter().for_each(|&state| self.suspend(state));
    }

    fn pick(&mut self, _: &dyn View, rng: &mut Rng) -> Action {
        match self.walk(rng) {
            Some(state) => Action::Run { state, until: Until::TURN },
            None => Action::Stop,
        }
    }
}

#[cfg(test)]
mod tests {
    //! Compares the compressed tree with an uncompressed one after random operations: same
    //! states, same probabilities, no superfluous nodes.

    use super::*;
    use crate::StateIds;

    /// The whole execution tree; nothing is ever removed.
    struct ReferenceTree {
        nodes: Vec<ReferenceNode>,
    }

    enum ReferenceNode {
        State(StateId),
        Suspended(StateId),
        Removed,
        Inner(Vec<usize>),
    }

    impl ReferenceTree {
        fn is_active(&self, node: usize) -> bool {
            match &self.nodes[node] {
                ReferenceNode::State(_) => true,
                ReferenceNode::Removed | ReferenceNode::Suspended(_) => false,
                ReferenceNode::Inner(children) => {
                    children.iter().any(|&child| self.is_active(child))
                }
            }
        }

        /// A leaf's state, and whether it is suspended.
        fn state(&self, node: usize) -> (StateId, bool) {
            match self.nodes[node] {
                ReferenceNode::State(state) => (state, false),
                ReferenceNode::Suspended(state) => (state, true),
                ReferenceNode::Removed | ReferenceNode::Inner(_) => panic!("no state"),
            }
        }

        /// The probability of picking each state, computed from the definition.
        fn chances(&self, node: usize, chance: f64, out: &mut Vec<(StateId, f64)>) {
            match &self.nodes[node] {
                ReferenceNode::State(state) => out.push((*state, chance)),
                ReferenceNode::Suspended(state) => out.push((*state, 0.0)),
                ReferenceNode::Removed => {}
                ReferenceNode::Inner(children) => {
                    let (active, inactive): (Vec<usize>, Vec<usize>) =
                        children.iter().partition(|&&child| self.is_active(child));
                    for &child in &active {
                        self.chances(child, chance / active.len() as f64, out);
                    }
                    inactive.iter().for_each(|&child| self.chances(child, 0.0, out));
                }
            }
        }
    }

    impl RandomPath {
        fn chance_of(&self, state: StateId) -> f64 {
            let mut node = self.leaves[&state];
            let mut chance = 1.0;
            while let Some(parent) = self.nodes[node].parent.expand() {
                let index = self.nodes[node].index as usize;
                let (children, active, child_is_active) = match &self.nodes[parent].content {
                    NodeContent::State(_) => panic!("a leaf has something below it"),
                    NodeContent::Two(children, flags) => {
                        (&children[..], flags.iter().filter(|&&flag| flag).count(), flags[index])
                    }
                    NodeContent::Many(children) => {
                        (&children.nodes[..], children.active, index < children.active)
                    }
                };
                assert_eq!(children[index], node);
                assert!(children.len() >= 2 || parent == self.root, "an inner node without a coin");
                chance *= if child_is_active { 1.0 / active as f64 } else { 0.0 };
                node = parent;
            }
            assert_eq!(node, self.root);
            chance
        }
    }

    fn compare(searcher: &RandomPath, reference: &ReferenceTree) {
        let mut expected = Vec::new();
        reference.chances(0, 1.0, &mut expected);
        assert_eq!(searcher.leaves.len(), expected.len());
        for (state, chance) in &expected {
            let got = searcher.chance_of(*state);
            assert!((got - chance).abs() < 1e-12, "{state}: {got}, not {chance}");
        }
        let used = searcher.nodes.len() - searcher.free.len();
        assert!(used <= (2 * expected.len()).max(1), "{used} nodes, {} states", expected.len());
    }

    #[test]
    fn the_compressed_tree_has_the_same_probabilities() {
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let mut ids = StateIds::default();
            let mut searcher = RandomPath::default();
            let mut reference = ReferenceTree { nodes: vec![ReferenceNode::Inner(Vec::new())] };
            // The leaves of the live states in the reference tree.
            let mut live: Vec<usize> = Vec::new();
            for _ in 0..120 {
                let dice = rng.below(10);
                if live.is_empty() || dice == 0 {
                    let state = ids.fresh();
                    searcher.start(state);
                    live.push(reference.nodes.len());
                    let leaf = reference.nodes.len();
                    reference.nodes.push(ReferenceNode::State(state));
                    let ReferenceNode::Inner(roots) = &mut reference.nodes[0] else {
                        unreachable!()
                    };
                    roots.push(leaf);
                } else {
                    let node = live.swap_remove(rng.below(live.len() as u64) as usize);
                    let (state, is_suspended) = reference.state(node);
                    if dice < 3 || is_suspended && dice > 5 {
                        match is_suspended {
                            true => searcher.resume(state),
                            false => searcher.suspend(state),
                        }
                        reference.nodes[node] = match is_suspended {
                            true => ReferenceNode::State(state),
                            false => ReferenceNode::Suspended(state),
                        };
                        live.push(node);
                    } else if dice < 6 {
                        searcher.remove(state);
                        reference.nodes[node] = ReferenceNode::Removed;
                    } else {
                        let mut children: Vec<StateId> =
                            (0..rng.below(4)).map(|_| ids.fresh()).collect();
                        children.push(state);
                        searcher.fork(state, children.iter().copied());
                        let first = reference.nodes.len();
                        reference.nodes.extend(children.iter().map(|&c| ReferenceNode::State(c)));
                        let children: Vec<usize> = (first..reference.nodes.len()).collect();
                        live.extend(&children);
                        reference.nodes[node] = ReferenceNode::Inner(children);
                    }
                }
                compare(&searcher, &reference);
            }
            for node in live {
                let (state, _) = reference.state(node);
                searcher.remove(state);
                searcher.remove(state);
            }
            assert_eq!(searcher.walk(&mut rng), None);
            assert_eq!(searcher.nodes.len() - searcher.free.len(), 1, "only the root is left");
        }
    }

    #[test]
    fn unknown_parents_and_known_successors_are_handled() {
        let mut ids = StateIds::default();
        let [a, b, c] = [ids.fresh(), ids.fresh(), ids.fresh()];
        let mut searcher = RandomPath::default();
        searcher.fork(a, [a, b].into_iter());
        assert_eq!(searcher.chance_of(b), 0.5);
        searcher.start(b);
        searcher.fork(a, [a, b, c].into_iter());
        assert_eq!([a, b, c].map(|s| searcher.chance_of(s)), [0.25, 0.5, 0.25]);
        searcher.fork(b, std::iter::empty());
        assert_eq!([a, c].map(|s| searcher.chance_of(s)), [0.5, 0.5]);
        assert_eq!(searcher.leaves.len(), 2);
    }
}
