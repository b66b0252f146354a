//! What a constraint consists of, as far as it predicts the cost of solving it.

/// The number of operators of a constraint by kind, and the length of its path.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct OperatorProfile {
    /// Comparisons, sums, bitwise operations and the like.
    pub simple: u32,
    /// Products, quotients, remainders, and shifts by a symbolic amount.
    pub arithmetic: u32,
    /// Operations on floats.
    pub float: u32,
    /// Selections and reads at symbolic addresses.
    pub selection: u32,
    /// Forks on the path.
    pub depth: u32,
}

impl OperatorProfile {
    /// The number of figures in a profile.
    pub const FIGURES: usize = 5;

    /// The figures in a fixed order.
    pub fn figures(self) -> [f64; Self::FIGURES] {
        let OperatorProfile { simple, arithmetic, float, selection, depth } = self;
        [simple, arithmetic, float, selection, depth].map(f64::from)
    }
}
