//! The result of `cpuid`: a baseline x86-64 processor (x86-64-v1) of an unknown vendor, so
//! that programs choose their portable code, which uses only supported instructions.

use byway_ir::{Icmp, Operand};

use super::machine::{AsmMachine, int};
use super::register::{ACCUMULATOR, BASE, COUNTER, DATA};

/// A leaf number, and its `%eax`, `%ebx`, `%ecx` and `%edx`.
type CpuidLeaf = (u32, [u32; 4]);

const LEAVES: [CpuidLeaf; 4] = [
    // The highest basic leaf; the vendor string in ebx, edx, ecx.
    (0, [1, word(b"Bywa"), word(b"hine"), word(b"yMac")]),
    // Family 15; cache lines of 64 bytes, one processor; no features in ecx.
    (1, [0xf00, 0x0001_0800, 0, FEATURES]),
    // The highest extended leaf.
    (0x8000_0000, [0x8000_0001, 0, 0, 0]),
    // syscall, nx, long mode.
    (0x8000_0001, [0xf00, 0, 0, 1 << 11 | 1 << 20 | 1 << 29]),
];

/// fpu, tsc, cx8, cmov, clflush, mmx, fxsr, sse, sse2.
const FEATURES: u32 =
    1 | 1 << 4 | 1 << 8 | 1 << 15 | 1 << 19 | 1 << 23 | 1 << 24 | 1 << 25 | 1 << 26;

const fn word(text: &[u8; 4]) -> u32 {
    u32::from_le_bytes(*text)
}

/// Executes `cpuid` for the leaf in `%eax`; an unknown leaf gives zeros.
pub fn cpuid(machine: &mut AsmMachine) -> Option<()> {
    let requested = machine.register(ACCUMULATOR, 32);
    let matches: Vec<Operand> = LEAVES
        .iter()
        .map(|&(leaf, _)| {
            let leaf = machine.b.bits(int(32), leaf.into());
            machine.b.icmp(Icmp::Eq, requested, leaf)
        })
        .collect();
    for (n, register) in [ACCUMULATOR, BASE, COUNTER, DATA].into_iter().enumerate() {
        let mut result = machine.b.bits(int(32), 0);
        for (&matches, (_, values)) in matches.iter().zip(&LEAVES) {
            let value = machine.b.bits(int(32), values[n].into());
            result = machine.b.select(matches, value, result);
        }
        machine.set_register(register, result)?;
    }
    Some(())
}
