//! Where the path of a state begins.

/// The start of a path: the program's entry, or a function whose input is unconstrained.
///
/// A path that begins in a function is *partial*: it gives no test, no fault and no coverage, but
/// where it reaches a target, a path that calls the function can follow it. Partial paths exist
/// only for searchers that [require](crate::SearcherRequirements::backward) them.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct OriginId(pub u32);

impl OriginId {
    /// The program's entry.
    pub const ENTRY: OriginId = OriginId(0);

    /// Whether this is the program's entry.
    pub fn is_entry(self) -> bool {
        self == OriginId::ENTRY
    }
}
