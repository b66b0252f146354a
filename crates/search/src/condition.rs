//! Conditions of paths that pruners learn from, as plain data.

/// A condition that a path states: an input has a constant value, or one or both of two inputs
/// have. Equal conditions have equal ids, on all paths, in all runs, and on all workers.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConditionHash(pub u64);

/// What a test shows a pruner that learns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TestEvidence {
    /// The conditions of its path.
    pub conditions: Vec<ConditionHash>,
    /// The coverage sites of its path, a bit each.
    pub covered: Vec<u64>,
}
