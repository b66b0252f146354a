//! The constraint string of inline assembly: direction and location of each operand.

use super::condition::Condition;
use super::register::Register;

/// One operand of the call.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// An output; otherwise an input.
    pub output: bool,
    /// The call passes the operand's address.
    pub indirect: bool,
    /// The location the constraint allows.
    pub location: OperandLocation,
}

impl Constraint {
    /// Whether the call passes an argument for it.
    pub fn takes_argument(&self) -> bool {
        !self.output || self.indirect
    }
}

/// Location of an operand.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum OperandLocation {
    /// Any register; the operand gets one of its own.
    AnyRegister,
    /// This register.
    Register {
        /// The register's number.
        number: usize,
        /// A constant argument may be an immediate instead.
        or_constant: bool,
    },
    /// An immediate.
    Constant,
    /// Memory.
    Memory,
    /// The location of the output with this index.
    Tied(usize),
    /// A condition of the flags; outputs only.
    Flags(Condition),
}

/// Parses a constraint string, without its clobbers; `None` if a constraint is not supported.
pub fn parse(text: &str) -> Option<Vec<Constraint>> {
    let operands =
        text.split(',').filter(|operand| !operand.is_empty() && !operand.starts_with('~'));
    let constraints = operands.map(constraint).collect::<Option<Vec<_>>>()?;
    let is_output = |index: usize| constraints.get(index).is_some_and(|c| c.output && !c.indirect);
    let valid = constraints.iter().all(|constraint| match constraint.location {
        OperandLocation::Tied(index) => is_output(index),
        _ => true,
    });
    valid.then_some(constraints)
}

fn constraint(text: &str) -> Option<Constraint> {
    let (output, mut rest) = match text.strip_prefix('=') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let mut indirect = false;
    while let Some(first) = rest.chars().next().filter(|first| "&*%".contains(*first)) {
        indirect |= first == '*';
        rest = &rest[1..];
    }
    let location = if indirect { letters(rest)?.memory()? } else { direct(rest, output)? };
    Some(Constraint { output, indirect, location })
}

fn direct(text: &str, output: bool) -> Option<OperandLocation> {
    if let Ok(index) = text.parse() {
        return (!output).then_some(OperandLocation::Tied(index));
    }
    if let Some(flag) = text.strip_prefix("{@cc").and_then(|rest| rest.strip_suffix('}')) {
        return output.then_some(OperandLocation::Flags(Condition::named(flag)?));
    }
    let letters = letters(text)?;
    match (letters.register, letters.any, letters.constant) {
        (_, true, _) => Some(OperandLocation::AnyRegister),
        (Some(number), false, or_constant) => {
            Some(OperandLocation::Register { number, or_constant })
        }
        (None, false, true) => (!output).then_some(OperandLocation::Constant),
        (None, false, false) => None,
    }
}

/// The union of what the letters of a constraint allow.
#[derive(Default)]
struct ConstraintLetters {
    register: Option<usize>,
    any: bool,
    constant: bool,
    memory: bool,
}

impl ConstraintLetters {
    fn memory(&self) -> Option<OperandLocation> {
        self.memory.then_some(OperandLocation::Memory)
    }
}

fn letters(text: &str) -> Option<ConstraintLetters> {
    let mut letters = ConstraintLetters::default();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        match letter {
            'r' | 'q' | 'Q' | 'R' | 'l' => letters.any = true,
            'i' | 'n' | 'e' | 'I' | 'J' | 'K' | 'L' | 'M' | 'N' | 'O' | 'Z' => {
                letters.constant = true;
            }
            'm' | 'o' | 'V' => letters.memory = true,
            'g' | 'X' => (letters.any, letters.memory, letters.constant) = (true, true, true),
            // A list of alternatives allows any of them.
            '|' => {}
            '{' => {
                let (name, after) = rest.split_once('}')?;
                letters.register = Some(Register::named(name)?.number);
                rest = after;
            }
            _ => return None,
        }
    }
    Some(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_and_their_locations() {
        let constraints = parse("={ax},=&r,=*m,=*rm,={@ccz},0,ri,I{cx},n,*m,~{dirflag},~{memory}");
        let constraints = constraints.expect("supported constraints");
        let locations: Vec<OperandLocation> =
            constraints.iter().map(|constraint| constraint.location).collect();
        let zero = Condition::named("z").expect("a condition");
        let expected = [
            OperandLocation::Register { number: 0, or_constant: false },
            OperandLocation::AnyRegister,
            OperandLocation::Memory,
            OperandLocation::Memory,
            OperandLocation::Flags(zero),
            OperandLocation::Tied(0),
            OperandLocation::AnyRegister,
            OperandLocation::Register { number: 1, or_constant: true },
            OperandLocation::Constant,
            OperandLocation::Memory,
        ];
        assert_eq!(locations, expected);
        let arguments = constraints.iter().filter(|c| c.takes_argument()).count();
        assert_eq!(arguments, 7);
    }

    #[test]
    fn other_constraints_are_rejected() {
        for text in ["=x", "=f", "m", "=A", "7", "=r,1", "={xmm0}", "{rax", "=i", "!i", "={@ccq}"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
