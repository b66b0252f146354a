//! Inline assembly of x86-64, read as text and rewritten as instructions of the IR.
//!
//! Enough for what C programs write into their sources: arithmetic with carries and double
//! words, searches for bits, rotations, atomic exchanges, barriers, and the question what
//! processor this is. Straight-line code on general registers, flags and memory; no jumps,
//! no calls, no vector or x87 registers, no stack. What is not understood is refused as a
//! whole, and the path that comes to it ends by its name.
//!
//! [`template`] and [`constraints`] take the text and its constraints apart, [`machine`]
//! has registers, flags and operands as values of the IR, [`execute`] and [`arithmetic`]
//! say what instructions do.

mod arithmetic;
mod condition;
mod constraints;
mod cpuid;
mod execute;
mod machine;
mod register;
mod template;

use byway_ir::{FunctionBuilder, Operand, Ty};

use machine::Machine;

/// Whether the text has no instruction that does anything: a barrier for the compiler or
/// for other processors.
pub fn does_nothing(text: &str) -> bool {
    const NOTHING: [&str; 5] = ["nop", "pause", "mfence", "lfence", "sfence"];
    template::parse(text)
        .is_some_and(|all| all.iter().all(|one| NOTHING.contains(&one.mnemonic.as_str())))
}

/// Appends what the assembly does to the current block, and returns its results, of the
/// given types. `None` if it is not understood; instructions may have been appended
/// nevertheless, and the builder may have gone on to another block.
pub fn lower(
    b: &mut FunctionBuilder,
    text: &str,
    constraints: &str,
    args: &[Operand],
    results: &[Ty],
) -> Option<Vec<Operand>> {
    let statements = template::parse(text)?;
    let constraints = constraints::parse(constraints)?;
    let mut machine = Machine::new(b, &constraints, args, results)?;
    for statement in &statements {
        execute::step(&mut machine, statement)?;
    }
    machine.results(&constraints, results)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intrinsics::testing::block;

    fn understood(text: &str, constraints: &str, args: &[Ty], results: &[Ty]) -> bool {
        let mut b = block(args);
        let args: Vec<Operand> = (0..args.len()).map(|n| b.param(n)).collect();
        lower(&mut b, text, constraints, &args, results).is_some()
    }

    const WORD: Ty = Ty::Int(64);

    #[test]
    fn barriers_do_nothing() {
        for text in ["", " # comment", "nop", "rep; nop", "mfence\n", "pause;"] {
            assert!(does_nothing(text), "{text}");
        }
        assert!(!does_nothing("bswap $0"));
        assert!(!does_nothing(".byte 1"));
    }

    #[test]
    fn operands_must_match_their_constraints() {
        assert!(understood("bsf $1, ${0:q}", "=r,rm,~{flags}", &[WORD], &[WORD]));
        assert!(!understood("bsf $1, ${0:q}", "=r,rm", &[], &[WORD]));
        assert!(!understood("bsf $1, ${0:q}", "=r,rm", &[WORD, WORD], &[WORD]));
        assert!(!understood("bsf $7, ${0:q}", "=r,rm", &[WORD], &[WORD]));
        assert!(!understood("bsf $1, ${0:q}", "=r,rm", &[Ty::Int(128)], &[WORD]));
        assert!(!understood("incl $0", "=*m", &[WORD], &[]));
        assert!(understood("incl $0", "=*m", &[Ty::Ptr], &[]));
    }

    #[test]
    fn flags_nobody_set_cannot_be_used() {
        assert!(!understood("adc $1, $0", "=r,r,0", &[WORD, WORD], &[WORD]));
        assert!(understood("clc; adc $1, $0", "=r,r,0", &[WORD, WORD], &[WORD]));
        assert!(!understood("rol $$1, $0; setc $1", "=r,=r,0", &[WORD], &[WORD, Ty::Int(8)]));
    }

    #[test]
    fn other_instructions_are_refused() {
        for text in [
            "rdtsc",
            "syscall",
            "frobnicate $0",
            "mov $0",
            "mov $0, $$1",
            "call f",
            "movslw $0, $0",
        ] {
            assert!(!understood(text, "=r", &[], &[WORD]), "{text}");
        }
    }
}
