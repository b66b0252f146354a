//! Which input bytes a term depends on. Found by walking the term when first asked,
//! and kept for the terms that were asked about: mostly the conjuncts of paths.

use std::rc::Rc;

use byway_base::ExprId;
use rustc_hash::FxHashSet;

use crate::op::Op;
use crate::pool::{InputId, Into, Pool};

/// A byte of the symbolic input.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InputByte {
    /// The object.
    pub object: InputId,
    /// Which of its bytes.
    pub byte: u32,
}

/// A set of input bytes, sorted.
pub type Support = Rc<[InputByte]>;

/// A walk in progress.
struct Gathering {
    seen: FxHashSet<ExprId>,
    bytes: Vec<InputByte>,
}

impl Pool {
    /// The input bytes a term depends on, at least as its structure shows.
    pub fn support(&mut self, e: ExprId) -> Support {
        if let Some(known) = self.supports.get(self, e) {
            return known.clone();
        }
        let mut gathering = Gathering { seen: FxHashSet::default(), bytes: Vec::new() };
        self.walk(
            e,
            Into::Memory,
            &mut gathering,
            |g, e| g.seen.contains(&e),
            |g, e| {
                g.seen.insert(e);
                g.bytes.extend(self.as_input(e));
            },
        );
        gathering.bytes.sort_unstable();
        let support: Support = gathering.bytes.into();
        // A leaf is found faster than looked up.
        if !matches!(self.op(e), Op::Const | Op::Input) {
            self.supports.insert_own(e, support.clone());
        }
        support
    }
}
