//! The support of a term: the input bytes it depends on. Computed on demand and cached, mostly
//! for the conjuncts of paths.

use std::rc::Rc;

use byway_base::ExprId;
use rustc_hash::FxHashSet;

use crate::memory::VersionId;
use crate::op::Op;
use crate::pool::{InputId, Pool};

/// A byte of the symbolic input.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InputByte {
    /// The input object.
    pub object: InputId,
    /// The offset in the object.
    pub byte: u32,
}

/// A set of input bytes, sorted.
pub type Support = Rc<[InputByte]>;

impl Pool {
    /// The input bytes that occur in a term; a superset of those its value depends on.
    pub fn support(&mut self, e: ExprId) -> Support {
        if let Some(known) = self.supports.get(self, e) {
            return known.clone();
        }
        let mut bytes = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![e];
        while let Some(e) = stack.pop() {
            if !seen.insert(e) {
                continue;
            }
            if let Some(known) = self.supports.get(self, e) {
                bytes.extend_from_slice(known);
                continue;
            }
            bytes.extend(self.as_input(e));
            let node = self.node(e);
            stack.extend(node.operands());
            if node.op == Op::Read {
                let version = VersionId::from_word(node.extra());
                self.each_in_version(version, |inner| stack.push(inner));
            }
        }
        bytes.sort_unstable();
        bytes.dedup();
        let support: Support = bytes.into();
        // A leaf is faster to compute than to look up.
        if !matches!(self.op(e), Op::Const | Op::Input) {
            self.supports.insert_own(e, support.clone());
        }
        support
    }
}
