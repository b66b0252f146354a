//! Names of the x86-64 general registers.

/// The part of a register that a name selects.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RegisterPart {
    /// The low 8, 16, 32 or 64 bits.
    Low(u32),
    /// The second byte (`%ah`).
    High,
}

impl RegisterPart {
    /// The width in bits.
    pub fn bits(self) -> u32 {
        match self {
            RegisterPart::Low(bits) => bits,
            RegisterPart::High => 8,
        }
    }
}

/// A register, or a part of one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Register {
    /// The number in instruction encodings.
    pub number: usize,
    /// The part that the name selects.
    pub part: RegisterPart,
}

/// `%rax`.
pub const ACCUMULATOR: usize = 0;
/// `%rcx`.
pub const COUNTER: usize = 1;
/// `%rdx`.
pub const DATA: usize = 2;
/// `%rbx`.
pub const BASE: usize = 3;
/// Number of general registers.
pub const COUNT: usize = 16;

/// Names of the first eight registers by number, without the prefix for the width.
const NAMES: [&str; 8] = ["ax", "cx", "dx", "bx", "sp", "bp", "si", "di"];

impl Register {
    /// Looks up a name, without the percent sign. The stack pointer is not supported:
    /// there is no stack it could point to.
    pub fn named(name: &str) -> Option<Register> {
        Register::legacy(name)
            .or_else(|| Register::numbered(name))
            .filter(|register| NAMES.get(register.number) != Some(&"sp"))
    }

    fn legacy(name: &str) -> Option<Register> {
        let find = |name: &str| NAMES.iter().position(|&known| known == name);
        let low = |number, bits| Some(Register { number, part: RegisterPart::Low(bits) });
        if let Some(number) = find(name) {
            return low(number, 16);
        }
        if let Some(number) = name.strip_prefix('r').and_then(find) {
            return low(number, 64);
        }
        if let Some(number) = name.strip_prefix('e').and_then(find) {
            return low(number, 32);
        }
        if let Some(number) = name.strip_suffix('l').and_then(find) {
            return low(number, 8).filter(|register| register.number >= 4);
        }
        let letter = |suffix| {
            let letter = name.strip_suffix(suffix).filter(|letter| letter.len() == 1)?;
            find(&format!("{letter}x"))
        };
        if let Some(number) = letter('l') {
            return low(number, 8);
        }
        letter('h').map(|number| Register { number, part: RegisterPart::High })
    }

    /// `r8` to `r15`, with an optional suffix for the width.
    fn numbered(name: &str) -> Option<Register> {
        let rest = name.strip_prefix('r')?;
        let (digits, bits) = match rest.as_bytes().last()? {
            b'd' => (&rest[..rest.len() - 1], 32),
            b'w' => (&rest[..rest.len() - 1], 16),
            b'b' => (&rest[..rest.len() - 1], 8),
            _ => (rest, 64),
        };
        let number = digits.parse().ok().filter(|number| (8..COUNT).contains(number))?;
        Some(Register { number, part: RegisterPart::Low(bits) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_give_number_and_part() {
        let low = |number, bits| Some(Register { number, part: RegisterPart::Low(bits) });
        for (name, expected) in [
            ("rax", low(0, 64)),
            ("ebx", low(3, 32)),
            ("di", low(7, 16)),
            ("cl", low(1, 8)),
            ("dh", Some(Register { number: 2, part: RegisterPart::High })),
            ("sil", low(6, 8)),
            ("r9", low(9, 64)),
            ("r15d", low(15, 32)),
            ("r10b", low(10, 8)),
            ("rsp", None),
            ("spl", None),
            ("r16", None),
            ("axl", None),
            ("xmm0", None),
            ("", None),
            ("l", None),
        ] {
            assert_eq!(Register::named(name), expected, "{name}");
        }
    }
}
