//! The execution tree of a program: every path from its start to its ends.
//!
//! The text format:
//!
//! ```text
//! a(b:100(x, !), c[x, y, z, w, ?])
//! ```
//!
//! | text | meaning |
//! |---|---|
//! | `a` | a node: one execution of the block `a`; equal names are the same block on several paths |
//! | `:100` | the number of instructions it runs; 1 by default |
//! | `(...)` | the node forks; its children are listed by ascending case |
//! | `[...]` | the same, but cases form groups, as those of a switch can |
//! | `!` | an infeasible child |
//! | `?` | a child that the solver cannot decide |

use std::num::NonZeroU64;

use byway_base::Rng;
use byway_base::entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
use byway_ir::BlockId;
use rustc_hash::FxHashMap;

/// A node of an execution tree.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeNodeId(u32);
entity_impl!(TreeNodeId, "n");

/// A piece of a path between two forks, and how it ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeNode {
    /// The block it executes.
    pub block: BlockId,
    /// The number of instructions it runs.
    pub steps: NonZeroU64,
    /// How it ends.
    pub kind: TreeNodeKind,
    /// The fork creates case groups: the cases other than the witness's become two states,
    /// each a group of half of them, which splits when it runs.
    pub grouped: bool,
}

/// How a node ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TreeNodeKind {
    /// The path ends.
    Leaf,
    /// The path forks into these children by ascending case; at least one is feasible.
    Fork(Vec<TreeNodeId>),
    /// No input reaches the node.
    Infeasible,
    /// The solver cannot decide whether an input reaches the node.
    Unknown,
}

/// A program's execution tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExecutionTree {
    nodes: PrimaryMap<TreeNodeId, TreeNode>,
    names: PrimaryMap<BlockId, String>,
}

/// Parameters of a generated tree.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct TreeShape {
    /// The least number of paths; there may be a few more.
    pub leaves: usize,
    /// The most children of a fork.
    pub widest: u64,
    /// The probability that the newest leaf forks next rather than a random one: 0 gives a
    /// bushy tree, values near 1 a deep comb.
    pub deepening: f64,
    /// The most instructions of a node.
    pub longest: u64,
    /// The probability that a child is infeasible; one child of each fork never is.
    pub infeasible: f64,
    /// The probability that a child is undecidable, if it is not infeasible.
    pub unknown: f64,
    /// The probability that a fork creates case groups.
    pub grouped: f64,
}

impl ExecutionTree {
    /// The start of the program.
    pub fn root(&self) -> TreeNodeId {
        TreeNodeId::new(0)
    }

    /// The data of a node.
    pub fn node(&self, node: TreeNodeId) -> &TreeNode {
        &self.nodes[node]
    }

    /// The name of a node's block.
    pub fn name(&self, node: TreeNodeId) -> &str {
        &self.names[self.nodes[node].block]
    }

    /// The ends of all paths.
    pub fn leaves(&self) -> impl Iterator<Item = TreeNodeId> {
        self.nodes.iter().filter(|(_, node)| node.kind == TreeNodeKind::Leaf).map(|(id, _)| id)
    }

    /// Whether some input reaches the node.
    pub fn is_feasible(&self, node: TreeNodeId) -> bool {
        matches!(self.nodes[node].kind, TreeNodeKind::Leaf | TreeNodeKind::Fork(_))
    }

    /// The node from which each node was forked.
    pub fn parents(&self) -> SecondaryMap<TreeNodeId, Option<TreeNodeId>> {
        let mut parents = SecondaryMap::new();
        for (id, node) in self.nodes.iter() {
            if let TreeNodeKind::Fork(children) = &node.kind {
                children.iter().for_each(|&child| parents[child] = Some(id));
            }
        }
        parents
    }

    /// Whether every path to block `then` takes `case` at `block`.
    pub fn is_forced(&self, block: BlockId, case: u64, then: BlockId) -> bool {
        let mut open = vec![self.root()];
        while let Some(id) = open.pop() {
            let node = self.node(id);
            if node.block == then {
                return false;
            }
            if let TreeNodeKind::Fork(children) = &node.kind {
                let others = children.iter().enumerate();
                let others =
                    others.filter(|(index, _)| node.block != block || *index as u64 != case);
                open.extend(others.map(|(_, &child)| child));
            }
        }
        true
    }

    /// Parses a tree; the error names the problem and its position.
    pub fn parse(text: &str) -> Result<ExecutionTree, String> {
        let mut parser =
            TreeParser { text, at: 0, tree: ExecutionTree::empty(), blocks: FxHashMap::default() };
        parser.tree()?;
        Ok(parser.tree)
    }

    /// A random tree; each block belongs to one node.
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
            let feasible = rng.below(width);
            let mut children = Vec::new();
            for child in 0..width {
                let kind = match child == feasible {
                    false if rng.chance(shape.infeasible) => TreeNodeKind::Infeasible,
                    false if rng.chance(shape.unknown) => TreeNodeKind::Unknown,
                    _ => TreeNodeKind::Leaf,
                };
                let is_leaf = kind == TreeNodeKind::Leaf;
                let node = tree.grow(rng, shape, kind);
                children.push(node);
                if is_leaf {
                    open.push(node);
                }
            }
            tree.nodes[parent].kind = TreeNodeKind::Fork(children);
            tree.nodes[parent].grouped = shape.grouped > 0.0 && rng.chance(shape.grouped);
        }
        tree
    }

    fn empty() -> ExecutionTree {
        ExecutionTree { nodes: PrimaryMap::new(), names: PrimaryMap::new() }
    }

    fn grow(&mut self, rng: &mut Rng, shape: &TreeShape, kind: TreeNodeKind) -> TreeNodeId {
        let steps = NonZeroU64::MIN.saturating_add(rng.below(shape.longest.max(1)));
        let block = self.names.push(format!("b{}", self.names.len()));
        self.nodes.push(TreeNode { block, steps, kind, grouped: false })
    }
}

struct TreeParser<'a> {
    text: &'a str,
    at: usize,
    tree: ExecutionTree,
    blocks: FxHashMap<&'a str, BlockId>,
}

impl<'a> TreeParser<'a> {
    /// Iterative, because trees may be deeper than the stack allows.
    fn tree(&mut self) -> Result<(), String> {
        let mut open: Vec<(TreeNodeId, Vec<TreeNodeId>)> = Vec::new();
        loop {
            let mut done = self.node()?;
            let grouped = self.eat('[');
            if grouped || self.eat('(') {
                self.tree.nodes[done].grouped = grouped;
                open.push((done, Vec::new()));
                continue;
            }
            loop {
                let Some((parent, children)) = open.last_mut() else {
                    return self.end(done);
                };
                children.push(done);
                if self.eat(',') {
                    break;
                }
                let end = if self.tree.nodes[*parent].grouped { ']' } else { ')' };
                if !self.eat(end) {
                    return Err(self.error(&format!("missing `,` or `{end}`")));
                }
                let (parent, children) = (*parent, std::mem::take(children));
                open.pop();
                self.close(parent, children)?;
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
            true => return Err(self.error("missing node")),
        };
        let steps = match self.eat(':') {
            true => {
                let digits = self.take_while(|c| c.is_ascii_digit());
                digits.parse().map_err(|_| self.error("missing number from 1 up"))?
            }
            false => NonZeroU64::MIN,
        };
        let names = &mut self.tree.names;
        let block = *self.blocks.entry(name).or_insert_with(|| names.push(name.to_string()));
        Ok(self.tree.nodes.push(TreeNode { block, steps, kind, grouped: false }))
    }

    fn close(&mut self, parent: TreeNodeId, children: Vec<TreeNodeId>) -> Result<(), String> {
        if !children.iter().any(|&child| self.tree.is_feasible(child)) {
            return Err(self.error("fork without a feasible child"));
        }
        if !self.tree.is_feasible(parent) {
            return Err(self.error("children of an infeasible node"));
        }
        self.tree.nodes[parent].kind = TreeNodeKind::Fork(children);
        Ok(())
    }

    fn end(&mut self, root: TreeNodeId) -> Result<(), String> {
        self.take_while(char::is_whitespace);
        if !self.tree.is_feasible(root) {
            return Err(self.error("infeasible root"));
        }
        if self.at != self.text.len() {
            return Err(self.error("text after the end of the tree"));
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
        format!("{problem} at byte {}", self.at)
    }
}
