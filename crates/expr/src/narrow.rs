//! Terms made smaller by what a path condition knows: a condition that was decided is a bit, a
//! term that must be a number is that number, and what is left is built again around them.
//!
//! A pointer that moved on by the outcome of a comparison stays a term after a branch on that
//! very comparison; so does whatever is read through it. Once it is narrowed, it is a word
//! again, and everything behind it runs on words.
//!
//! No reasoning here beyond looking up: facts of the path by identity, and the values that
//! are left to single bytes. The result depends on the term and the facts alone, never on what
//! was narrowed before, so that the same path gives the same terms however it was found.

use byway_base::ExprId;
use rustc_hash::FxHashMap;

use crate::node::Node;
use crate::op::Op;
use crate::path::PathCondition;
use crate::pool::Pool;

/// How many nodes are looked at; a term that has more stays as it is.
const MOST_NODES: usize = 512;

/// What is known of a node on the way.
#[derive(Copy, Clone)]
enum NarrowState {
    /// Its operands are being narrowed.
    Begun,
    /// This was built of the narrowed operands, and is being narrowed in turn.
    Rebuilt(ExprId),
    /// What it came to.
    Done(ExprId),
}

/// One term being narrowed.
struct Narrowing<'a> {
    path: &'a PathCondition,
    nodes: FxHashMap<ExprId, NarrowState>,
}

impl PathCondition {
    /// A term that equals this one wherever the condition holds: a number, where facts at hand
    /// say which, or the term built of narrowed operands.
    pub fn narrow(&self, pool: &mut Pool, term: ExprId) -> ExprId {
        match self.without_operands(pool, term) {
            Some(narrowed) => narrowed,
            None => Narrowing { path: self, nodes: FxHashMap::default() }.run(pool, term),
        }
    }

    /// What a term comes to, if its operands need not be looked at.
    fn without_operands(&self, pool: &mut Pool, e: ExprId) -> Option<ExprId> {
        if let Some(done) = self.at_a_glance(pool, e) {
            return Some(done);
        }
        let support = pool.support(e);
        if !self.mentions(&support) {
            return Some(e);
        }
        // What its only byte leaves undecided, its operands leave, too.
        (support.len() == 1).then(|| self.of_one_byte(pool, e))
    }

    /// What needs no look at the bytes it depends on.
    fn at_a_glance(&self, pool: &mut Pool, e: ExprId) -> Option<ExprId> {
        if pool.is_constant(e) {
            return Some(e);
        }
        if let Some(number) = self.number(e) {
            return Some(number);
        }
        if pool.width(e) == 1 {
            if self.contains(e) {
                return Some(pool.boolean(true));
            }
            let opposite = pool.not(e);
            if self.contains(opposite) {
                return Some(pool.boolean(false));
            }
        }
        if pool.op(e) == Op::Input {
            return Some(self.of_one_byte(pool, e));
        }
        None
    }

    /// A term that depends on one byte: a number, if the values left to the byte agree.
    fn of_one_byte(&self, pool: &mut Pool, e: ExprId) -> ExprId {
        match pool.value_within(e, |byte| self.domain(byte)) {
            Some(value) => pool.constant(pool.width(e), u128::from(value)),
            None => e,
        }
    }
}

impl Narrowing<'_> {
    /// Narrows a term whose operands must be looked at.
    fn run(mut self, pool: &mut Pool, root: ExprId) -> ExprId {
        self.nodes.insert(root, NarrowState::Begun);
        let mut stack = vec![root];
        stack.extend(pool.node(root).operands());
        while let Some(&e) = stack.last() {
            match self.nodes.get(&e).copied() {
                Some(NarrowState::Done(_)) => {
                    stack.pop();
                }
                None => {
                    if self.nodes.len() == MOST_NODES {
                        return root;
                    }
                    match self.path.without_operands(pool, e) {
                        Some(done) => {
                            self.nodes.insert(e, NarrowState::Done(done));
                        }
                        None => {
                            self.nodes.insert(e, NarrowState::Begun);
                            stack.extend(pool.node(e).operands());
                        }
                    }
                }
                Some(NarrowState::Begun) => {
                    let rebuilt = self.rebuilt(pool, pool.node(e), e);
                    if rebuilt != e && !self.nodes.contains_key(&rebuilt) {
                        self.nodes.insert(e, NarrowState::Rebuilt(rebuilt));
                        stack.push(rebuilt);
                    } else {
                        self.nodes.insert(e, NarrowState::Done(self.result(rebuilt)));
                    }
                }
                Some(NarrowState::Rebuilt(rebuilt)) => {
                    self.nodes.insert(e, NarrowState::Done(self.result(rebuilt)));
                }
            }
        }
        self.result(root)
    }

    /// What a term came to; itself, if it is only on the way there.
    fn result(&self, e: ExprId) -> ExprId {
        match self.nodes.get(&e) {
            Some(NarrowState::Done(done)) => *done,
            _ => e,
        }
    }

    fn rebuilt(&self, pool: &mut Pool, node: Node, e: ExprId) -> ExprId {
        let operands: Vec<ExprId> = node.operands().map(|x| self.result(x)).collect();
        if node.operands().eq(operands.iter().copied()) {
            return e;
        }
        pool.rebuild(node, &operands)
    }
}
