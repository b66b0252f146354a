//! The constraints of inline assembly: what each operand of the call is, and where it lies.

use super::condition::Condition;
use super::register::Register;

/// One operand of the call.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// It is a result, not an argument.
    pub output: bool,
    /// What is passed is the address of its memory.
    pub indirect: bool,
    /// Where it lies.
    pub place: Place,
}

impl Constraint {
    /// Whether the call passes an argument for it.
    pub fn takes_argument(&self) -> bool {
        !self.output || self.indirect
    }
}

/// Where an operand lies.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// In a register that is nobody else's.
    AnyRegister,
    /// In this one; a constant may stand in the text instead.
    Register {
        /// Its number.
        number: usize,
        /// Whether a constant may stand there.
        or_constant: bool,
    },
    /// In the text: it is a constant.
    Constant,
    /// In memory.
    Memory,
    /// Where that output lies.
    Tied(usize),
    /// In the flags.
    Flags(Condition),
}

/// The operands; `None` if there is a constraint that is not understood.
pub fn parse(text: &str) -> Option<Vec<Constraint>> {
    let pieces = text.split(',').filter(|piece| !piece.is_empty() && !piece.starts_with('~'));
    let constraints = pieces.map(constraint).collect::<Option<Vec<_>>>()?;
    let is_output = |index: usize| constraints.get(index).is_some_and(|c| c.output && !c.indirect);
    let sound = constraints.iter().all(|constraint| match constraint.place {
        Place::Tied(index) => is_output(index),
        _ => true,
    });
    sound.then_some(constraints)
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
    let place = if indirect { letters(rest)?.memory()? } else { direct(rest, output)? };
    Some(Constraint { output, indirect, place })
}

fn direct(text: &str, output: bool) -> Option<Place> {
    if let Ok(index) = text.parse() {
        return (!output).then_some(Place::Tied(index));
    }
    if let Some(flag) = text.strip_prefix("{@cc").and_then(|rest| rest.strip_suffix('}')) {
        return output.then_some(Place::Flags(Condition::named(flag)?));
    }
    let letters = letters(text)?;
    match (letters.register, letters.any, letters.constant) {
        (_, true, _) => Some(Place::AnyRegister),
        (Some(number), false, or_constant) => Some(Place::Register { number, or_constant }),
        (None, false, true) => (!output).then_some(Place::Constant),
        (None, false, false) => None,
    }
}

/// What the letters of a constraint allow, taken together.
#[derive(Default)]
struct Letters {
    register: Option<usize>,
    any: bool,
    constant: bool,
    memory: bool,
}

impl Letters {
    fn memory(&self) -> Option<Place> {
        self.memory.then_some(Place::Memory)
    }
}

fn letters(text: &str) -> Option<Letters> {
    let mut letters = Letters::default();
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
            // Alternatives; any of them will do.
            '|' => {}
            '{' => {
                let (name, behind) = rest.split_once('}')?;
                letters.register = Some(Register::named(name)?.number);
                rest = behind;
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
    fn operands_and_their_places() {
        let constraints = parse("={ax},=&r,=*m,=*rm,={@ccz},0,ri,I{cx},n,*m,~{dirflag},~{memory}");
        let constraints = constraints.expect("sound");
        let places: Vec<Place> = constraints.iter().map(|constraint| constraint.place).collect();
        let zero = Condition::named("z").expect("a condition");
        let expected = [
            Place::Register { number: 0, or_constant: false },
            Place::AnyRegister,
            Place::Memory,
            Place::Memory,
            Place::Flags(zero),
            Place::Tied(0),
            Place::AnyRegister,
            Place::Register { number: 1, or_constant: true },
            Place::Constant,
            Place::Memory,
        ];
        assert_eq!(places, expected);
        let arguments = constraints.iter().filter(|c| c.takes_argument()).count();
        assert_eq!(arguments, 7);
    }

    #[test]
    fn other_places_are_refused() {
        for text in ["=x", "=f", "m", "=A", "7", "=r,1", "={xmm0}", "{rax", "=i", "!i", "={@ccq}"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
