//! A path at random (RPS in the literature; KLEE's `random-path`): walk the
//! execution tree from its root and at every inner node go down one of the ways
//! that still lead to a state, each with the same chance, whatever lies below it.
//!
//! A state k coins below the root is picked with chance 2^-k (with ways in place of
//! two at a fork of more), so states high in the tree, with few constraints, are
//! favoured, and a loop that forks in every round cannot draw the exploration into
//! itself. Several starts are children of one common root.
//!
//! The tree is kept here, from the forks told in deltas, and it is pruned: when a
//! state goes its leaf goes, and an inner node left with one way is taken out, since
//! without a coin it changes nothing. So every inner node but the root has two ways or more:
//!
//! - there are fewer inner nodes than states, and memory follows the states that
//!   live, however long the paths are;
//! - a walk flips as many coins as the leaf is deep, at most the number of states
//!   in a tree like a comb. But a coin decides at least one bit of which state is
//!   picked, and picking one of n cannot take more than log2 n bits on average: the
//!   expected walk is never longer than that, 20 coins for a million states in
//!   whichever shape. A deep comb is quicker still, 2 coins.
//!
//! Adding and removing take constant time for each child. Nothing is recursive. Most
//! forks have two ways; these lie in the node itself, and a walk takes the coins for them
//! from the bits of one random number, 64 at a time.
//!
//! A state that rests keeps its leaf. Every inner node knows which of its ways lead to
//! somebody who is awake, and only among those is chosen, without a coin if there is one. Who
//! falls asleep or wakes changes what its parent knows, and an ancestor further up only if
//! all else below it sleeps. So what is said of time holds for states that are awake, and a
//! walk passes besides the nodes where all ways but one sleep.

use byway_base::Rng;
use byway_base::entity::packed_option::PackedOption;
use byway_base::entity::{PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;

use crate::{Action, Delta, Searcher, StateId, Until, View};

/// Picks by a random walk down the execution tree.
#[derive(Debug)]
pub struct RandomPath {
    nodes: PrimaryMap<PathNodeId, PathNode>,
    /// Nodes to be used again.
    free: Vec<PathNodeId>,
    root: PathNodeId,
    leaves: FxHashMap<StateId, PathNodeId>,
}

#[derive(Copy, Clone, PartialEq, Eq)]
struct PathNodeId(u32);
entity_impl!(PathNodeId, "node");

#[derive(Debug)]
struct PathNode {
    /// None for the root.
    parent: PackedOption<PathNodeId>,
    /// Where this node stands among its parent's ways.
    place: u32,
    below: NodeContent,
}

#[derive(Debug)]
enum NodeContent {
    State(StateId),
    /// Two ways, and which of them lead to somebody awake.
    Two([PathNodeId; 2], [bool; 2]),
    Many(Box<ManyChildren>),
}

/// More than two, or fewer, but not less than two except at the root.
#[derive(Debug, Default)]
struct ManyChildren {
    nodes: Vec<PathNodeId>,
    /// The first so many lead to somebody awake.
    awake: usize,
}

impl Default for RandomPath {
    fn default() -> Self {
        let mut nodes = PrimaryMap::new();
        let root = nodes.push(PathNode {
            parent: PackedOption::default(),
            place: 0,
            below: NodeContent::Many(Box::default()),
        });
        RandomPath { nodes, free: Vec::new(), root, leaves: FxHashMap::default() }
    }
}

impl RandomPath {
    /// A new leaf below the root.
    fn start(&mut self, state: StateId) {
        if self.leaves.contains_key(&state) {
            return;
        }
        let leaf = self.leaf(state, self.root, 0);
        let NodeContent::Many(ways) = &mut self.nodes[self.root].below else { return };
        let place = ways.nodes.len();
        ways.nodes.push(leaf);
        self.nodes[leaf].place = place as u32;
        self.set_awake(leaf, true);
    }

    /// The parent's leaf becomes an inner node above the children.
    fn fork(&mut self, parent: StateId, children: impl Iterator<Item = StateId>) {
        let Some(node) = self.leaves.remove(&parent) else {
            // A stranger's children are still states to be explored.
            return children.for_each(|child| self.start(child));
        };
        let children: Vec<StateId> = children.filter(|c| !self.leaves.contains_key(c)).collect();
        match children[..] {
            [] => self.cut(node),
            [only] => {
                self.nodes[node].below = NodeContent::State(only);
                self.leaves.insert(only, node);
            }
            [one, other] => {
                let ways = [self.leaf(one, node, 0), self.leaf(other, node, 1)];
                self.nodes[node].below = NodeContent::Two(ways, [true; 2]);
            }
            _ => {
                let below = children.iter().enumerate();
                let nodes = below.map(|(place, &child)| self.leaf(child, node, place)).collect();
                let ways = ManyChildren { nodes, awake: children.len() };
                self.nodes[node].below = NodeContent::Many(Box::new(ways));
            }
        }
    }

    fn remove(&mut self, state: StateId) {
        if let Some(leaf) = self.leaves.remove(&state) {
            self.cut(leaf);
        }
    }

    fn rest(&mut self, state: StateId) {
        if let Some(&leaf) = self.leaves.get(&state) {
            self.set_awake(leaf, false);
        }
    }

    fn wake(&mut self, state: StateId) {
        if let Some(&leaf) = self.leaves.get(&state) {
            self.set_awake(leaf, true);
        }
    }

    /// Whether a node leads to somebody awake is another matter now; its ancestors follow.
    fn set_awake(&mut self, mut node: PathNodeId, awake: bool) {
        while let Some(parent) = self.nodes[node].parent.expand() {
            let place = self.nodes[node].place as usize;
            // Whether any other way of the parent leads to somebody awake.
            let others = match &mut self.nodes[parent].below {
                NodeContent::State(_) => return,
                NodeContent::Two(_, flags) if flags[place] == awake => return,
                NodeContent::Two(_, flags) => {
                    flags[place] = awake;
                    flags[1 - place]
                }
                NodeContent::Many(ways) if (place < ways.awake) == awake => return,
                NodeContent::Many(ways) => {
                    // It changes places with the one at the border.
                    let border = if awake { ways.awake } else { ways.awake - 1 };
                    ways.nodes.swap(place, border);
                    let (moved, others) = (ways.nodes[place], border > 0);
                    ways.awake = if awake { border + 1 } else { border };
                    self.nodes[moved].place = place as u32;
                    self.nodes[node].place = border as u32;
                    others
                }
            };
            if others {
                return;
            }
            node = parent;
        }
    }

    /// Takes a node without anything below it out of the tree.
    fn cut(&mut self, node: PathNodeId) {
        // Then its parent is as much awake as the ways that are left.
        self.set_awake(node, false);
        let place = self.nodes[node].place as usize;
        let Some(parent) = self.nodes[node].parent.expand() else { return };
        self.free.push(node);
        let left = match &mut self.nodes[parent].below {
            NodeContent::State(_) => return,
            NodeContent::Two(ways, _) => Some(ways[1 - place]),
            NodeContent::Many(ways) => {
                ways.nodes.swap_remove(place);
                let (moved, only) = (ways.nodes.get(place).copied(), ways.nodes.len() == 1);
                let left = only.then(|| ways.nodes[0]);
                if let Some(moved) = moved {
                    self.nodes[moved].place = place as u32;
                }
                left
            }
        };
        if let Some(only) = left {
            self.bypass(parent, only);
        }
    }

    /// Takes an inner node with one way left out from between its parent and its child.
    fn bypass(&mut self, node: PathNodeId, only: PathNodeId) {
        let Some(parent) = self.nodes[node].parent.expand() else { return };
        let place = self.nodes[node].place;
        self.nodes[only].parent = parent.into();
        self.nodes[only].place = place;
        match &mut self.nodes[parent].below {
            NodeContent::State(_) => {}
            NodeContent::Two(ways, _) => ways[place as usize] = only,
            NodeContent::Many(ways) => ways.nodes[place as usize] = only,
        }
        self.free.push(node);
    }

    fn leaf(&mut self, state: StateId, parent: PathNodeId, place: usize) -> PathNodeId {
        let leaf = PathNode {
            parent: parent.into(),
            place: place as u32,
            below: NodeContent::State(state),
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
            node = match &self.nodes[node].below {
                NodeContent::State(state) => return Some(*state),
                NodeContent::Two(ways, [true, true]) => {
                    if left == 0 {
                        (coins, left) = (rng.next_u64(), u64::BITS);
                    }
                    let way = ways[(coins & 1) as usize];
                    (coins, left) = (coins >> 1, left - 1);
                    way
                }
                NodeContent::Two(ways, awake) => ways[usize::from(awake[1])],
                NodeContent::Many(ways) => match ways.nodes[..ways.awake] {
                    [only] => only,
                    ref awake => *rng.pick(awake)?,
                },
            }
        }
    }
}

impl Searcher for RandomPath {
    fn update(&mut self, delta: &Delta, _: &dyn View) {
        delta.resumed.iter().for_each(|&state| self.wake(state));
        delta.started.iter().for_each(|&state| self.start(state));
        for fork in &delta.forks {
            self.fork(fork.parent, fork.successors.iter().map(|child| child.state));
        }
        delta.removed().for_each(|state| self.remove(state));
        delta.suspended.iter().for_each(|&state| self.rest(state));
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
    //! The pruned tree against the plain one: same states, same chances, and no
    //! node too many, after any sequence of changes.

    use super::*;
    use crate::StateIds;

    /// The execution tree as it is, nothing ever taken out.
    struct ReferenceTree {
        below: Vec<ReferenceNode>,
    }

    enum ReferenceNode {
        State(StateId),
        Suspended(StateId),
        Removed,
        Inner(Vec<usize>),
    }

    impl ReferenceTree {
        fn awake(&self, node: usize) -> bool {
            match &self.below[node] {
                ReferenceNode::State(_) => true,
                ReferenceNode::Removed | ReferenceNode::Suspended(_) => false,
                ReferenceNode::Inner(ways) => ways.iter().any(|&way| self.awake(way)),
            }
        }

        /// A state, and whether it rests.
        fn state(&self, node: usize) -> (StateId, bool) {
            match self.below[node] {
                ReferenceNode::State(state) => (state, false),
                ReferenceNode::Suspended(state) => (state, true),
                ReferenceNode::Removed | ReferenceNode::Inner(_) => panic!("no state"),
            }
        }

        /// Every state with the chance of being picked, by the definition.
        fn chances(&self, node: usize, chance: f64, out: &mut Vec<(StateId, f64)>) {
            match &self.below[node] {
                ReferenceNode::State(state) => out.push((*state, chance)),
                ReferenceNode::Suspended(state) => out.push((*state, 0.0)),
                ReferenceNode::Removed => {}
                ReferenceNode::Inner(ways) => {
                    let (awake, asleep): (Vec<usize>, Vec<usize>) =
                        ways.iter().partition(|&&way| self.awake(way));
                    for &way in &awake {
                        self.chances(way, chance / awake.len() as f64, out);
                    }
                    asleep.iter().for_each(|&way| self.chances(way, 0.0, out));
                }
            }
        }
    }

    impl RandomPath {
        fn chance_of(&self, state: StateId) -> f64 {
            let mut node = self.leaves[&state];
            let mut chance = 1.0;
            while let Some(parent) = self.nodes[node].parent.expand() {
                let place = self.nodes[node].place as usize;
                let (ways, awake, is_awake) = match &self.nodes[parent].below {
                    NodeContent::State(_) => panic!("a leaf has something below it"),
                    NodeContent::Two(ways, flags) => {
                        (&ways[..], flags.iter().filter(|&&flag| flag).count(), flags[place])
                    }
                    NodeContent::Many(ways) => (&ways.nodes[..], ways.awake, place < ways.awake),
                };
                assert_eq!(ways[place], node);
                assert!(ways.len() >= 2 || parent == self.root, "an inner node without a coin");
                chance *= if is_awake { 1.0 / awake as f64 } else { 0.0 };
                node = parent;
            }
            assert_eq!(node, self.root);
            chance
        }
    }

    fn compare(searcher: &RandomPath, plain: &ReferenceTree) {
        let mut expected = Vec::new();
        plain.chances(0, 1.0, &mut expected);
        assert_eq!(searcher.leaves.len(), expected.len());
        for (state, chance) in &expected {
            let got = searcher.chance_of(*state);
            assert!((got - chance).abs() < 1e-12, "{state}: {got}, not {chance}");
        }
        let used = searcher.nodes.len() - searcher.free.len();
        assert!(used <= (2 * expected.len()).max(1), "{used} nodes, {} states", expected.len());
    }

    #[test]
    fn the_pruned_tree_gives_every_state_its_chance() {
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let mut ids = StateIds::default();
            let mut searcher = RandomPath::default();
            let mut plain = ReferenceTree { below: vec![ReferenceNode::Inner(Vec::new())] };
            // Where each live state stands in the plain tree.
            let mut live: Vec<usize> = Vec::new();
            for _ in 0..120 {
                let dice = rng.below(10);
                if live.is_empty() || dice == 0 {
                    let state = ids.fresh();
                    searcher.start(state);
                    live.push(plain.below.len());
                    let leaf = plain.below.len();
                    plain.below.push(ReferenceNode::State(state));
                    let ReferenceNode::Inner(roots) = &mut plain.below[0] else { unreachable!() };
                    roots.push(leaf);
                } else {
                    let node = live.swap_remove(rng.below(live.len() as u64) as usize);
                    let (state, rests) = plain.state(node);
                    if dice < 3 || rests && dice > 5 {
                        match rests {
                            true => searcher.wake(state),
                            false => searcher.rest(state),
                        }
                        plain.below[node] = match rests {
                            true => ReferenceNode::State(state),
                            false => ReferenceNode::Suspended(state),
                        };
                        live.push(node);
                    } else if dice < 6 {
                        searcher.remove(state);
                        plain.below[node] = ReferenceNode::Removed;
                    } else {
                        let mut children: Vec<StateId> =
                            (0..rng.below(4)).map(|_| ids.fresh()).collect();
                        children.push(state);
                        searcher.fork(state, children.iter().copied());
                        let first = plain.below.len();
                        plain.below.extend(children.iter().map(|&c| ReferenceNode::State(c)));
                        let ways: Vec<usize> = (first..plain.below.len()).collect();
                        live.extend(&ways);
                        plain.below[node] = ReferenceNode::Inner(ways);
                    }
                }
                compare(&searcher, &plain);
            }
            for node in live {
                let (state, _) = plain.state(node);
                searcher.remove(state);
                searcher.remove(state);
            }
            assert_eq!(searcher.walk(&mut rng), None);
            assert_eq!(searcher.nodes.len() - searcher.free.len(), 1, "only the root is left");
        }
    }

    #[test]
    fn strangers_are_taken_in_and_doubles_left_out() {
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
