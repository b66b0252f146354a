//! Simplifies terms under a path condition: a decided condition becomes a constant, a term
//! with a single possible value becomes that constant, and the terms around them are rebuilt.
//!
//! A pointer that was advanced depending on a comparison is still symbolic after a branch on
//! that comparison, and so is everything read through it. Narrowing makes it concrete again,
//! so that the following code runs concretely.
//!
//! Narrowing only looks up facts of the path by identity, and the domains of single bytes. The
//! result depends on the term and the facts alone, never on earlier narrowing, so that a path
//! has the same terms however it was reached.

use byway_base::ExprId;
use rustc_hash::FxHashMap;

use crate::node::Node;
use crate::op::Op;
use crate::path::PathCondition;
use crate::pool::Pool;

/// A term with more nodes than this is not narrowed.
const MAX_NODES: usize = 512;

/// The progress of one node.
#[derive(Copy, Clone)]
enum NarrowState {
    /// Its operands are being narrowed.
    Started,
    /// Rebuilt as this term from narrowed operands; this term is being narrowed in turn.
    Rebuilt(ExprId),
    /// Narrowed to this term.
    Done(ExprId),
}

/// The narrowing of one term.
struct Narrowing<'a> {
    path: &'a PathCondition,
    nodes: FxHashMap<ExprId, NarrowState>,
}

impl PathCondition {
    /// A term that equals this one under the condition: a constant, if the facts determine one,
    /// or the term rebuilt from narrowed operands.
    pub fn narrow(&self, pool: &mut Pool, term: ExprId) -> ExprId {
        match self.without_operands(pool, term) {
            Some(narrowed) => narrowed,
            None => Narrowing { path: self, nodes: FxHashMap::default() }.run(pool, term),
        }
    }

    /// The narrowed term, if it does not depend on its operands.
    fn without_operands(&self, pool: &mut Pool, e: ExprId) -> Option<ExprId> {
        if let Some(done) = self.by_lookup(pool, e) {
            return Some(done);
        }
        let support = pool.support(e);
        if !self.mentions(&support) {
            return Some(e);
        }
        // If the domain of its only byte leaves it undecided, it does so for its operands.
        (support.len() == 1).then(|| self.by_domain(pool, e))
    }

    /// The narrowed term, if it does not depend on its input bytes.
    fn by_lookup(&self, pool: &mut Pool, e: ExprId) -> Option<ExprId> {
        if pool.is_constant(e) {
            return Some(e);
        }
        if let Some(constant) = self.constant_of(e) {
            return Some(constant);
        }
        if pool.width(e) == 1 {
            if self.contains(e) {
                return Some(pool.boolean(true));
            }
            let negation = pool.not(e);
            if self.contains(negation) {
                return Some(pool.boolean(false));
            }
        }
        if pool.op(e) == Op::Input {
            return Some(self.by_domain(pool, e));
        }
        None
    }

    /// A term that depends on one byte: a constant, if it is constant on the byte's domain.
    fn by_domain(&self, pool: &mut Pool, e: ExprId) -> ExprId {
        match pool.value_within(e, |byte| self.domain(byte)) {
            Some(value) => pool.constant(pool.width(e), u128::from(value)),
            None => e,
        }
    }
}

impl Narrowing<'_> {
    /// Narrows a term through its operands.
    fn run(mut self, pool: &mut Pool, root: ExprId) -> ExprId {
        self.nodes.insert(root, NarrowState::Started);
        let mut stack = vec![root];
        stack.extend(pool.node(root).operands());
        while let Some(&e) = stack.last() {
            match self.nodes.get(&e).copied() {
                Some(NarrowState::Done(_)) => {
                    stack.pop();
                }
                None => {
                    if self.nodes.len() == MAX_NODES {
                        return root;
                    }
                    match self.path.without_operands(pool, e) {
                        Some(done) => {
                            self.nodes.insert(e, NarrowState::Done(done));
                        }
                        None => {
                            self.nodes.insert(e, NarrowState::Started);
                            stack.extend(pool.node(e).operands());
                        }
                    }
                }
                Some(NarrowState::Started) => {
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

    /// The narrowed form of a term; the term itself while it is unfinished.
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
