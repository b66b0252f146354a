//! Bottom-up traversal of terms, without recursion.

use byway_base::ExprId;

use super::Pool;
use crate::memory::{MemoryVersion, VersionId};
use crate::op::Op;

/// Whether a walk visits the memory contents of reads.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum WalkScope {
    /// Of a read, only the index.
    Operands,
    /// Also the written indices and values, and the symbolic bytes of the base.
    Memory,
}

impl Pool {
    /// Visits every node of a term once, operands first. `is_visited` must be true for nodes
    /// that `visit` was called with.
    pub fn walk<T: ?Sized>(
        &self,
        root: ExprId,
        scope: WalkScope,
        table: &mut T,
        is_visited: impl Fn(&T, ExprId) -> bool,
        mut visit: impl FnMut(&mut T, ExprId),
    ) {
        let mut stack = vec![(root, false)];
        while let Some((e, operands_done)) = stack.pop() {
            if operands_done {
                visit(table, e);
                continue;
            }
            if is_visited(table, e) {
                continue;
            }
            let node = self.node(e);
            stack.push((e, true));
            if node.op == Op::Read && scope == WalkScope::Memory {
                self.each_in_version(VersionId::from_word(node.extra()), |inner| {
                    stack.push((inner, false));
                });
            }
            stack.extend(node.operands().rev().map(|operand| (operand, false)));
        }
    }

    /// Calls `f` with every term in a version of a memory object.
    pub fn each_in_version(&self, version: VersionId, mut f: impl FnMut(ExprId)) {
        let mut at = version;
        loop {
            match self.versions.get(at) {
                MemoryVersion::Write { index, value, previous } => {
                    f(*index);
                    f(*value);
                    at = *previous;
                }
                MemoryVersion::Base(base) => {
                    return base.symbolic.iter().for_each(|&(_, e)| f(e));
                }
                MemoryVersion::Dead => return,
            }
        }
    }
}
