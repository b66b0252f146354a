//! Condition codes: the suffixes of `setcc`, `cmovcc` and flag outputs.

/// A condition code.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The predicate on the flags.
    pub test: FlagTest,
    /// The condition holds where the predicate does not.
    pub negated: bool,
}

/// A predicate on the flags.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FlagTest {
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
    /// Sign differs from overflow: less, signed.
    Less,
    /// [`FlagTest::Less`] or zero: less or equal, signed.
    LessOrZero,
}

/// Each predicate with its suffixes, and the suffixes of its negation.
const NAMES: [(FlagTest, &[&str], &[&str]); 7] = [
    (FlagTest::Overflow, &["o"], &["no"]),
    (FlagTest::Carry, &["b", "c", "nae"], &["ae", "nb", "nc"]),
    (FlagTest::Zero, &["e", "z"], &["ne", "nz"]),
    (FlagTest::CarryOrZero, &["be", "na"], &["a", "nbe"]),
    (FlagTest::Sign, &["s"], &["ns"]),
    (FlagTest::Less, &["l", "nge"], &["ge", "nl"]),
    (FlagTest::LessOrZero, &["le", "ng"], &["g", "nle"]),
];

impl Condition {
    /// Looks up the suffix of `set`, `cmov` or `@cc`. Parity is not modelled.
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
    fn suffixes_of_a_condition_and_of_its_negation() {
        let below = Condition { test: FlagTest::Carry, negated: false };
        assert_eq!(Condition::named("nae"), Some(below));
        assert_eq!(Condition::named("nc"), Some(Condition { negated: true, ..below }));
        assert_eq!(Condition::named("p"), None);
        assert_eq!(Condition::named(""), None);
    }
}
