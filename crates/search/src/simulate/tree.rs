//! The execution tree of a program: every path from its start to its ends.
//!
//! As text, a node is its name, then `:` and the instructions it runs (1 if not
//! given), then in parentheses the ways it forks, in order of case. Nodes of one
//! name are the same block of the program, met on several paths. `!` is a way no
//! input takes, `?` one the solver cannot decide. In brackets instead of parentheses
//! stand ways that wait in parties, as those of a switch can.
//!
//! ```text
//! a(b:100(x, !), c[x, y, z, w, ?])
//! ```

use std::num::NonZeroU64;

use byway_base::Rng;
use byway_base::entity::{EntityRef, PrimaryMap, entity_impl};
use byway_ir::BlockId;
use rustc_hash::FxHashMap;

/// A place in the execution tree.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeNodeId(u32);
entity_impl!(TreeNodeId, "n");

/// What runs between two forks, and what comes then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeNode {
    /// The block of the program.
    pub block: BlockId,
    /// How many instructions it takes.
    pub steps: NonZeroU64,
    /// What comes then.
    pub kind: TreeNodeKind,
    /// Whether the ways beside the witness's wait in two parties, each a state that stands
    /// for half of them, and parts again when it runs.
    pub parties: bool,
}

/// What comes at the end of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TreeNodeKind {
    /// The path ends.
    Leaf,
    /// The path forks; at least one way is feasible.
    Fork(Vec<TreeNodeId>),
    /// No input comes here.
    Infeasible,
    /// The solver does not know whether an input comes here.
    Unknown,
}

/// A program's execution tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExecutionTree {
    nodes: PrimaryMap<TreeNodeId, TreeNode>,
    /// Blocks' names, where they have one.
    names: PrimaryMap<BlockId, String>,
}

/// What a generated tree looks like.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct TreeShape {
    /// How many paths it has, or a few more.
    pub leaves: usize,
    /// The most ways of a fork.
    pub widest: u64,
    /// The chance that the newest leaf is the next to fork, not any leaf: at 0 the
    /// tree is bushy, near 1 it is a deep comb.
    pub deepening: f64,
    /// The most instructions of a node.
    pub longest: u64,
    /// The chance that a way which need not be feasible is not.
    pub infeasible: f64,
    /// The chance that such a way is undecidable.
    pub unknown: f64,
    /// The chance that ways of a fork wait in parties.
    pub parties: f64,
}

impl ExecutionTree {
    /// Where the program starts.
    pub fn root(&self) -> TreeNodeId {
        TreeNodeId::new(0)
    }

    /// A node.
    pub fn node(&self, node: TreeNodeId) -> &TreeNode {
        &self.nodes[node]
    }

    /// The name of a node's block.
    pub fn name(&self, node: TreeNodeId) -> &str {
        &self.names[self.nodes[node].block]
    }

    /// Where paths end.
    pub fn leaves(&self) -> impl Iterator<Item = TreeNodeId> {
        self.nodes.iter().filter(|(_, node)| node.kind == TreeNodeKind::Leaf).map(|(id, _)| id)
    }

    /// Whether an input is known to come to the node from the one before it.
    pub fn is_feasible(&self, node: TreeNodeId) -> bool {
        matches!(self.nodes[node].kind, TreeNodeKind::Leaf | TreeNodeKind::Fork(_))
    }

    /// Whether every path to a block has gone this way at another.
    pub fn is_forced(&self, block: BlockId, case: u64, then: BlockId) -> bool {
        let mut open = vec![self.root()];
        while let Some(id) = open.pop() {
            let node = self.node(id);
            if node.block == then {
                return false;
            }
            if let TreeNodeKind::Fork(ways) = &node.kind {
                let others = ways.iter().enumerate();
                let others = others.filter(|(way, _)| node.block != block || *way as u64 != case);
                open.extend(others.map(|(_, &way)| way));
            }
        }
        true
    }

    /// Reads a tree; the error says what is wrong and where.
    pub fn parse(text: &str) -> Result<ExecutionTree, String> {
        let mut parser =
            TreeParser { text, at: 0, tree: ExecutionTree::empty(), blocks: FxHashMap::default() };
        parser.tree()?;
        Ok(parser.tree)
    }

    /// A tree of that shape; each block is on one path only.
    pub fn random(rng: &mut Rng, shape: &TreeShape) -> ExecutionTree {
        let mut tree = ExecutionTree::empty();
        let mut open = vec![tree.grow(rng, shape, TreeNodeKind::Leaf)];
        while open.len() < shape.leaves {
            let newest = open.len() - 1;
            let chosen = match rng.chance(shape.deepening) {
                true => newest,
                false => rng.below(open.len() as u64) as usize,
            };
            let parent = open.swap_remove(chosen);
            let width = 1 + rng.below(shape.widest.max(2));
            let sure = rng.below(width);
            let mut ways = Vec::new();
            for way in 0..width {
                let kind = match way == sure {
                    false if rng.chance(shape.infeasible) => TreeNodeKind::Infeasible,
                    false if rng.chance(shape.unknown) => TreeNodeKind::Unknown,
                    _ => TreeNodeKind::Leaf,
                };
                let is_leaf = kind == TreeNodeKind::Leaf;
                let node = tree.grow(rng, shape, kind);
                ways.push(node);
                if is_leaf {
                    open.push(node);
                }
            }
            tree.nodes[parent].kind = TreeNodeKind::Fork(ways);
            tree.nodes[parent].parties = shape.parties > 0.0 && rng.chance(shape.parties);
        }
        tree
    }

    fn empty() -> ExecutionTree {
        ExecutionTree { nodes: PrimaryMap::new(), names: PrimaryMap::new() }
    }

    fn grow(&mut self, rng: &mut Rng, shape: &TreeShape, kind: TreeNodeKind) -> TreeNodeId {
        let steps = NonZeroU64::MIN.saturating_add(rng.below(shape.longest.max(1)));
        let block = self.names.push(format!("b{}", self.names.len()));
        self.nodes.push(TreeNode { block, steps, kind, parties: false })
    }
}

struct TreeParser<'a> {
    text: &'a str,
    at: usize,
    tree: ExecutionTree,
    blocks: FxHashMap<&'a str, BlockId>,
}

impl<'a> TreeParser<'a> {
    /// Not recursive: trees may be deeper than the stack.
    fn tree(&mut self) -> Result<(), String> {
        let mut open: Vec<(TreeNodeId, Vec<TreeNodeId>)> = Vec::new();
        loop {
            let mut done = self.node()?;
            let parties = self.eat('[');
            if parties || self.eat('(') {
                self.tree.nodes[done].parties = parties;
                open.push((done, Vec::new()));
                continue;
            }
            loop {
                let Some((parent, ways)) = open.last_mut() else {
                    return self.end(done);
                };
                ways.push(done);
                if self.eat(',') {
                    break;
                }
                let end = if self.tree.nodes[*parent].parties { ']' } else { ')' };
                if !self.eat(end) {
                    return Err(self.error(&format!("`,` or `{end}` is missing")));
                }
                let (parent, ways) = (*parent, std::mem::take(ways));
                open.pop();
                self.close(parent, ways)?;
                done = parent;
            }
        }
    }

    fn node(&mut self) -> Result<TreeNodeId, String> {
        let name = self.take_while(|c| c.is_alphanumeric() || c == '_');
        let kind = match name.is_empty() {
            false => TreeNodeKind::Leaf,
            true if self.eat('!') => TreeNodeKind::Infeasible,
            true if self.eat('?') => TreeNodeKind::Unknown,
            true => return Err(self.error("a node is missing")),
        };
        let steps = match self.eat(':') {
            true => {
                let digits = self.take_while(|c| c.is_ascii_digit());
                digits.parse().map_err(|_| self.error("a number from 1 up is missing"))?
            }
            false => NonZeroU64::MIN,
        };
        let names = &mut self.tree.names;
        let block = *self.blocks.entry(name).or_insert_with(|| names.push(name.to_string()));
        Ok(self.tree.nodes.push(TreeNode { block, steps, kind, parties: false }))
    }

    fn close(&mut self, parent: TreeNodeId, ways: Vec<TreeNodeId>) -> Result<(), String> {
        if !ways.iter().any(|&way| self.tree.is_feasible(way)) {
            return Err(self.error("a fork has no feasible way"));
        }
        if !self.tree.is_feasible(parent) {
            return Err(self.error("something comes behind a way that is not feasible"));
        }
        self.tree.nodes[parent].kind = TreeNodeKind::Fork(ways);
        Ok(())
    }

    fn end(&mut self, root: TreeNodeId) -> Result<(), String> {
        self.take_while(char::is_whitespace);
        if !self.tree.is_feasible(root) {
            return Err(self.error("the root is not feasible"));
        }
        if self.at != self.text.len() {
            return Err(self.error("something stands behind the end"));
        }
        Ok(())
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.text[self.at..].trim_start();
        let start = self.text.len() - rest.len();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at = start + length;
        &self.text[start..self.at]
    }

    fn eat(&mut self, wanted: char) -> bool {
        let rest = self.text[self.at..].trim_start();
        let found = rest.starts_with(wanted);
        if found {
            self.at = self.text.len() - rest.len() + wanted.len_utf8();
        }
        found
    }

    fn error(&self, problem: &str) -> String {
        format!("{problem} at byte {} of the tree", self.at)
    }
}
