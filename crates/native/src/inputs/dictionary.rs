//! The words that a program compares its input with: constants of its comparisons and switches,
//! and its strings.

use std::collections::BTreeSet;

use byway_ir::{Const, Function, Inst, Module, Operand, OperandKind, Origin, Terminator, Ty};

/// The most words, and the length of the longest.
const MOST_WORDS: usize = 1 << 14;
const LONGEST: usize = 32;

/// Words of a program, sorted and without repetition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InputDictionary {
    pub(super) words: Vec<Vec<u8>>,
}

impl InputDictionary {
    /// The words of the user's code: each constant that a value is compared with, little endian in
    /// its own width and in the bytes that it needs, and each string, without its zero.
    pub fn of_program(module: &Module) -> InputDictionary {
        let mut words = BTreeSet::new();
        for function in module.funcs.values().filter(|f| f.origin == Origin::User) {
            comparisons(function, &mut words);
        }
        for global in module.globals.values().filter(|g| g.origin == Origin::User && g.constant) {
            let bytes = global.init.as_ref().map_or(&[][..], |init| &init.bytes);
            let text: Vec<u8> = bytes.iter().copied().take_while(|&byte| byte != 0).collect();
            if (1..=LONGEST).contains(&text.len()) && text.iter().all(|b| b.is_ascii() && *b >= 9) {
                words.insert(text);
            }
        }
        InputDictionary { words: words.into_iter().take(MOST_WORDS).collect() }
    }

    /// The words.
    pub fn words(&self) -> &[Vec<u8>] {
        &self.words
    }
}

fn comparisons(function: &Function, words: &mut BTreeSet<Vec<u8>>) {
    for inst in function.insts.values() {
        if let Inst::Icmp { a, b, .. } | Inst::Fcmp { a, b, .. } = inst {
            [a, b].into_iter().for_each(|&operand| constant(function, operand, words));
        }
    }
    for block in function.blocks.values() {
        if let Terminator::Switch { value, cases, .. } = &block.term {
            let ty = function.operand_ty(*value);
            cases.iter().for_each(|(bits, _)| add(ty, *bits, words));
        }
    }
}

fn constant(function: &Function, operand: Operand, words: &mut BTreeSet<Vec<u8>>) {
    if let OperandKind::Const(id) = operand.kind()
        && let Some(Const::Bits { ty, bits }) = function.consts.get(id)
    {
        add(*ty, *bits, words);
    }
}

fn add(ty: Ty, bits: u128, words: &mut BTreeSet<Vec<u8>>) {
    let bytes = bits.to_le_bytes();
    let own = match ty {
        Ty::Int(width) => usize::from(width).div_ceil(8).min(bytes.len()),
        Ty::F32 => return words.extend([bytes[..4].to_vec()]),
        Ty::F64 => return words.extend([bytes[..8].to_vec()]),
        _ => return,
    };
    let needed = bytes.iter().rposition(|&byte| byte != 0).map_or(1, |last| last + 1);
    words.insert(bytes[..own].to_vec());
    words.insert(bytes[..needed.min(own)].to_vec());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_switches_and_strings_have_words() {
        let source = "\
bwir 1
module \"words\"

global user @word size 4 align 1 constant = {
  \"GET\\00\"
}

func user @f(v0:i32) -> i32 {
b0:
  v1:i1 = icmp eq v0, 0x1234:i32
  br v1, b1, b2
b1:
  ret 1:i32
b2:
  switch v0 [7: b1] else b1
}
";
        let module = byway_ir::text::parse(source);
        let Ok(module) = module else { panic!("{:?}", module.err()) };
        let words = InputDictionary::of_program(&module);
        let expected: [&[u8]; 5] = [b"\x07", b"\x07\0\0\0", b"4\x12", b"4\x12\0\0", b"GET"];
        assert_eq!(words.words(), expected);
    }
}
