//! Branch sites: where paths split, and the cases they can take there.

use byway_ir::{BlockId, FuncId, InstId};

/// A basic block of the program.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    /// The function that contains the block.
    pub func: FuncId,
    /// The block within the function.
    pub block: BlockId,
}

/// A program point where paths split. It is the same site on every path that reaches it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// The block that contains the site.
    pub location: Location,
    /// The instruction, or `None` for the block's terminator.
    pub inst: Option<InstId>,
    /// The kind of decision; one instruction can have several, each a site of its own.
    pub decision: Decision,
}

/// The kind of decision made at a [`Site`]. It defines what a [`Case`] number means.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Decision {
    /// A conditional branch: [`Case::TRUE`] or [`Case::FALSE`].
    Branch,
    /// A switch: the index of the successor block.
    Switch,
    /// An indirect call or jump: the number of the function or block.
    Target,
    /// The object that a symbolic pointer points into: the object's number.
    Object,
    /// The block of a large object that a symbolic offset reads from: its first offset.
    Block,
    /// A symbolic allocation size: the size in bytes.
    Size,
    /// A check: [`Case::TRUE`] if it passes; otherwise the path ends in a fault.
    Check,
    /// A choice that the program asks its environment to make: the value chosen.
    Choice,
}

/// One outcome at a [`Site`]. The site's [`Decision`] defines what the number means.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Case(pub u64);

impl Case {
    /// The condition holds. Numbered like the successor blocks of a branch.
    pub const TRUE: Case = Case(0);
    /// The condition does not hold.
    pub const FALSE: Case = Case(1);
}
