//! Replacements of operators and literals.

use byway_base::MutationOperator::{
    self, Arithmetic, Assignment, Bitwise, Increment, Logical, Relational,
};

/// The types of an operator's operands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum OperandTypes {
    /// Integers.
    Integers,
    /// At least one is a floating-point number.
    Floats,
    /// At least one is a pointer.
    Pointers,
}

/// Groups of operators that replace each other.
const GROUPS: &[(MutationOperator, &[&str])] = &[
    (Arithmetic, &["+", "-", "*", "/", "%"]),
    (Relational, &["<", "<=", ">", ">=", "==", "!="]),
    (Logical, &["&&", "||"]),
    (Bitwise, &["&", "|", "^"]),
    (Bitwise, &["<<", ">>"]),
    (Assignment, &["+=", "-=", "*=", "/=", "%="]),
    (Assignment, &["&=", "|=", "^="]),
    (Assignment, &["<<=", ">>="]),
];

/// The replacements of a binary operator.
pub fn binary(
    operator: &str,
    operands: OperandTypes,
) -> Option<(MutationOperator, Vec<&'static str>)> {
    let (kind, group) = GROUPS.iter().find(|(_, group)| group.contains(&operator))?;
    let allowed = |other: &&str| match operands {
        OperandTypes::Integers => true,
        OperandTypes::Floats => !matches!(*other, "%" | "%="),
        OperandTypes::Pointers => {
            let order = ["<", "<=", ">", ">="];
            match operator {
                "==" | "!=" => ["==", "!="].contains(other),
                _ if order.contains(&operator) => true,
                _ => ["+", "-", "+=", "-=", "&&", "||"].contains(other),
            }
        }
    };
    let others = group.iter().copied().filter(|other| *other != operator).filter(allowed);
    let plain = (*kind == Assignment).then_some("=");
    Some((*kind, others.chain(plain).collect()))
}

/// The replacement of a unary operator. A space keeps the neighbouring tokens separate.
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

/// The replacements of an integer literal; empty if it cannot be parsed. They keep its
/// base and suffix, which determine the literal's type.
pub fn integer(literal: &str) -> Vec<String> {
    let digits = literal.trim_end_matches(['u', 'U', 'l', 'L', 'z', 'Z']);
    let suffix = &literal[digits.len()..];
    let plain: String = digits.chars().filter(|&c| c != '\'').collect();
    let (prefix, radix) = match plain.as_bytes() {
        [b'0', b'x' | b'X', ..] => (2, 16),
        [b'0', b'b' | b'B', ..] => (2, 2),
        [b'0', b'0'..=b'7', ..] => (1, 8),
        _ => (0, 10),
    };
    let (prefix, digits) = plain.split_at(prefix);
    let Ok(value) = i128::from_str_radix(digits, radix) else { return Vec::new() };
    let Some(next) = value.checked_add(1) else { return Vec::new() };
    let mut others = Vec::new();
    for other in [0, 1, next, value - 1] {
        let size = other.unsigned_abs();
        let digits = match radix {
            16 => format!("{size:x}"),
            8 => format!("{size:o}"),
            2 => format!("{size:b}"),
            _ => size.to_string(),
        };
        let text = match other {
            0.. => format!("{prefix}{digits}{suffix}"),
            _ => format!("(-{prefix}{digits}{suffix})"),
        };
        if other != value && !others.contains(&text) {
            others.push(text);
        }
    }
    others
}

/// The replacements of a floating-point literal.
pub fn floating(literal: &str) -> Vec<String> {
    vec!["0.0".into(), format!("({literal} + 1)"), format!("(-{literal})")]
}

/// The replacements of a character literal.
pub fn character(literal: &str) -> Vec<String> {
    vec!["0".into(), format!("({literal} + 1)"), format!("({literal} - 1)")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_replaced_by_those_that_take_the_same_operands() {
        let of = |operator, operands| binary(operator, operands).map(|(_, others)| others);
        assert_eq!(of("+", OperandTypes::Integers), Some(vec!["-", "*", "/", "%"]));
        assert_eq!(of("/", OperandTypes::Floats), Some(vec!["+", "-", "*"]));
        assert_eq!(of("+", OperandTypes::Pointers), Some(vec!["-"]));
        assert_eq!(of("==", OperandTypes::Pointers), Some(vec!["!="]));
        assert_eq!(of("<", OperandTypes::Pointers), Some(vec!["<=", ">", ">=", "==", "!="]));
        assert_eq!(of("&&", OperandTypes::Pointers), Some(vec!["||"]));
        assert_eq!(of("+=", OperandTypes::Pointers), Some(vec!["-=", "="]));
        assert_eq!(of("<<=", OperandTypes::Integers), Some(vec![">>=", "="]));
        assert_eq!(of("=", OperandTypes::Integers), None);
        assert_eq!(of(",", OperandTypes::Integers), None);
    }

    #[test]
    fn integers_are_replaced_by_others_of_their_type() {
        assert_eq!(integer("0"), ["1", "(-1)"]);
        assert_eq!(integer("1"), ["0", "2"]);
        assert_eq!(integer("7UL"), ["0UL", "1UL", "8UL", "6UL"]);
        assert_eq!(integer("0x1f"), ["0x0", "0x1", "0x20", "0x1e"]);
        assert_eq!(integer("0XFFFFFFFFu"), ["0X0u", "0X1u", "0X100000000u", "0Xfffffffeu"]);
        assert_eq!(integer("0x0"), ["0x1", "(-0x1)"]);
        assert_eq!(integer("010"), ["00", "01", "011", "07"]);
        assert_eq!(integer("0b101"), ["0b0", "0b1", "0b110", "0b100"]);
        assert_eq!(integer("1'000"), ["0", "1", "1001", "999"]);
        assert_eq!(integer("N"), [""; 0]);
        assert_eq!(integer("0x7fffffffffffffffffffffffffffffff"), [""; 0]);
    }
}
