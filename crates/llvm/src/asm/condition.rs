//! Conditions of the flags, as `setcc`, `cmovcc` and flag outputs name them.

/// What is asked of the flags.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// What must hold.
    pub test: Test,
    /// Or rather, must not.
    pub negated: bool,
}

/// A question that flags answer.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Test {
    /// Overflow.
    Overflow,
    /// Carry: below, unsigned.
    Carry,
    /// Zero: equal.
    Zero,
    /// Carry or zero: below or equal, unsigned.
    CarryOrZero,
    /// Sign: negative.
    Sign,
    /// Sign unlike overflow: less, signed.
    Less,
    /// That, or zero: less or equal, signed.
    LessOrZero,
}

/// Each test with the names it has, and those of its opposite.
const NAMES: [(Test, &[&str], &[&str]); 7] = [
    (Test::Overflow, &["o"], &["no"]),
    (Test::Carry, &["b", "c", "nae"], &["ae", "nb", "nc"]),
    (Test::Zero, &["e", "z"], &["ne", "nz"]),
    (Test::CarryOrZero, &["be", "na"], &["a", "nbe"]),
    (Test::Sign, &["s"], &["ns"]),
    (Test::Less, &["l", "nge"], &["ge", "nl"]),
    (Test::LessOrZero, &["le", "ng"], &["g", "nle"]),
];

impl Condition {
    /// By its name behind `set`, `cmov` or `@cc`. Parity has none: nobody computes it.
    pub fn named(name: &str) -> Option<Condition> {
        NAMES.iter().find_map(|(test, names, opposites)| {
            let negated = opposites.contains(&name);
            (negated || names.contains(&name)).then_some(Condition { test: *test, negated })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_test_and_of_its_opposite() {
        let below = Condition { test: Test::Carry, negated: false };
        assert_eq!(Condition::named("nae"), Some(below));
        assert_eq!(Condition::named("nc"), Some(Condition { negated: true, ..below }));
        assert_eq!(Condition::named("p"), None);
        assert_eq!(Condition::named(""), None);
    }
}
