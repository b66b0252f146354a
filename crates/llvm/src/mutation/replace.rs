//! What an operator or a literal is replaced by.

use byway_base::MutationOperator::{
    self, Arithmetic, Assignment, Bitwise, Increment, Logical, Relational,
};

/// What operands are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Operands {
    /// Integers.
    Integers,
    /// At least one is a floating-point number.
    Floats,
    /// At least one is a pointer.
    Pointers,
}

/// Operators that can stand for each other, by what operands they all have to take.
const FAMILIES: &[(MutationOperator, &[&str])] = &[
    (Arithmetic, &["+", "-", "*", "/", "%"]),
    (Relational, &["<", "<=", ">", ">=", "==", "!="]),
    (Logical, &["&&", "||"]),
    (Bitwise, &["&", "|", "^"]),
    (Bitwise, &["<<", ">>"]),
    (Assignment, &["+=", "-=", "*=", "/=", "%="]),
    (Assignment, &["&=", "|=", "^="]),
    (Assignment, &["<<=", ">>="]),
];

/// What can stand for an operator between two operands.
pub fn binary(operator: &str, operands: Operands) -> Option<(MutationOperator, Vec<&'static str>)> {
    let (kind, family) = FAMILIES.iter().find(|(_, family)| family.contains(&operator))?;
    let allowed = |other: &&str| match operands {
        Operands::Integers => true,
        Operands::Floats => !matches!(*other, "%" | "%="),
        Operands::Pointers => {
            let order = ["<", "<=", ">", ">="];
            match operator {
                "==" | "!=" => ["==", "!="].contains(other),
                _ if order.contains(&operator) => true,
                _ => ["+", "-", "+=", "-=", "&&", "||"].contains(other),
            }
        }
    };
    let others = family.iter().copied().filter(|other| *other != operator).filter(allowed);
    let plain = (*kind == Assignment).then_some("=");
    Some((*kind, others.chain(plain).collect()))
}

/// What a sign before an operand is replaced by. A space keeps what is around it apart.
pub fn prefix(operator: &str) -> Option<(MutationOperator, &'static str)> {
    Some(match operator {
        "!" => (Logical, " "),
        "~" => (Bitwise, " "),
        "-" => (Arithmetic, " "),
        "++" => (Increment, "--"),
        "--" => (Increment, "++"),
        _ => return None,
    })
}

/// Other whole numbers than this one; none if it cannot be read.
pub fn integer(literal: &str) -> Vec<String> {
    let digits = literal.trim_end_matches(['u', 'U', 'l', 'L', 'z', 'Z']);
    let suffix = &literal[digits.len()..];
    let plain: String = digits.chars().filter(|&c| c != '\'').collect();
    let lower = plain.to_ascii_lowercase();
    let read = match lower.as_bytes() {
        [b'0', b'x', ..] => i128::from_str_radix(&lower[2..], 16),
        [b'0', b'b', ..] => i128::from_str_radix(&lower[2..], 2),
        [b'0', b'0'..=b'7', ..] => i128::from_str_radix(&lower, 8),
        _ => lower.parse(),
    };
    let Ok(value) = read else { return Vec::new() };
    let mut others = Vec::new();
    for other in [0, 1, value + 1, value - 1] {
        let text = match other {
            0.. => format!("{other}{suffix}"),
            _ => format!("({other}{suffix})"),
        };
        if other != value && !others.contains(&text) {
            others.push(text);
        }
    }
    others
}

/// Other numbers than this one.
pub fn floating(literal: &str) -> Vec<String> {
    vec!["0.0".into(), format!("({literal} + 1)"), format!("(-{literal})")]
}

/// Other characters than this one.
pub fn character(literal: &str) -> Vec<String> {
    vec!["0".into(), format!("({literal} + 1)"), format!("({literal} - 1)")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_replaced_by_those_that_take_the_same_operands() {
        let of = |operator, operands| binary(operator, operands).map(|(_, others)| others);
        assert_eq!(of("+", Operands::Integers), Some(vec!["-", "*", "/", "%"]));
        assert_eq!(of("/", Operands::Floats), Some(vec!["+", "-", "*"]));
        assert_eq!(of("+", Operands::Pointers), Some(vec!["-"]));
        assert_eq!(of("==", Operands::Pointers), Some(vec!["!="]));
        assert_eq!(of("<", Operands::Pointers), Some(vec!["<=", ">", ">=", "==", "!="]));
        assert_eq!(of("&&", Operands::Pointers), Some(vec!["||"]));
        assert_eq!(of("+=", Operands::Pointers), Some(vec!["-=", "="]));
        assert_eq!(of("<<=", Operands::Integers), Some(vec![">>=", "="]));
        assert_eq!(of("=", Operands::Integers), None);
        assert_eq!(of(",", Operands::Integers), None);
    }

    #[test]
    fn numbers_are_replaced_by_others_of_their_type() {
        assert_eq!(integer("0"), ["1", "(-1)"]);
        assert_eq!(integer("1"), ["0", "2"]);
        assert_eq!(integer("7UL"), ["0UL", "1UL", "8UL", "6UL"]);
        assert_eq!(integer("0x1f"), ["0", "1", "32", "30"]);
        assert_eq!(integer("010"), ["0", "1", "9", "7"]);
        assert_eq!(integer("0b101"), ["0", "1", "6", "4"]);
        assert_eq!(integer("N"), [""; 0]);
    }
}
