//! Walks over the nodes of terms, operands first, without recursion.

use byway_base::ExprId;

use super::Pool;
use crate::memory::{MemoryVersion, VersionId};
use crate::op::Op;

/// Whether a walk goes into the memory a read reads.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum WalkScope {
    /// A read's only operand is its index.
    Operands,
    /// The indices and values written, and the symbolic bytes beneath, too.
    Memory,
}

impl Pool {
    /// Visits every node of a term once, operands before what is made of them.
    /// `done` says what was visited before; `visit` must make it say so.
    pub fn walk<T: ?Sized>(
        &self,
        root: ExprId,
        scope: WalkScope,
        table: &mut T,
        done: impl Fn(&T, ExprId) -> bool,
        mut visit: impl FnMut(&mut T, ExprId),
    ) {
        let mut stack = vec![(root, false)];
        while let Some((e, operands_done)) = stack.pop() {
            if operands_done {
                visit(table, e);
                continue;
            }
            if done(table, e) {
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

    /// Every term a version of a memory object holds.
    pub(crate) fn each_in_version(&self, version: VersionId, mut f: impl FnMut(ExprId)) {
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
