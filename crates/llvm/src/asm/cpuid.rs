//! What `cpuid` says: the first machine of the kind (x86-64-v1), of nobody's make. Programs
//! then take the way that works everywhere, which is the one whose instructions are known.

use byway_ir::{Icmp, Operand};

use super::machine::{Machine, int};
use super::register::{ACCUMULATOR, BASE, COUNTER, DATA};

/// A question, and the answer in `%eax`, `%ebx`, `%ecx` and `%edx`.
type Answer = (u32, [u32; 4]);

const ANSWERS: [Answer; 4] = [
    // The last question of the first kind, and the maker: ebx, edx, ecx.
    (0, [1, word(b"Bywa"), word(b"hine"), word(b"yMac")]),
    // Family 15; cache lines of 64 bytes, one processor; nothing new in ecx.
    (1, [0xf00, 0x0001_0800, 0, FEATURES]),
    // The last question of the second kind.
    (0x8000_0000, [0x8000_0001, 0, 0, 0]),
    // syscall, pages that cannot be executed, 64 bits.
    (0x8000_0001, [0xf00, 0, 0, 1 << 11 | 1 << 20 | 1 << 29]),
];

/// fpu, tsc, cx8, cmov, clflush, mmx, fxsr, sse, sse2.
const FEATURES: u32 =
    1 | 1 << 4 | 1 << 8 | 1 << 15 | 1 << 19 | 1 << 23 | 1 << 24 | 1 << 25 | 1 << 26;

const fn word(text: &[u8; 4]) -> u32 {
    u32::from_le_bytes(*text)
}

/// Answers the question in `%eax`; all zeros to those that are not known.
pub fn cpuid(machine: &mut Machine) -> Option<()> {
    let question = machine.register(ACCUMULATOR, 32);
    let asked: Vec<Operand> = ANSWERS
        .iter()
        .map(|&(leaf, _)| {
            let leaf = machine.b.bits(int(32), leaf.into());
            machine.b.icmp(Icmp::Eq, question, leaf)
        })
        .collect();
    for (n, register) in [ACCUMULATOR, BASE, COUNTER, DATA].into_iter().enumerate() {
        let mut answer = machine.b.bits(int(32), 0);
        for (&asked, (_, answers)) in asked.iter().zip(&ANSWERS) {
            let known = machine.b.bits(int(32), answers[n].into());
            answer = machine.b.select(asked, known, answer);
        }
        machine.set_register(register, answer)?;
    }
    Some(())
}
