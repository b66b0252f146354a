//! Lowering of x86-64 inline assembly to IR instructions.
//!
//! Supports what C programs commonly use: arithmetic with carries and double words, bit
//! searches, rotations, atomic exchanges, barriers and `cpuid`. The code must be
//! straight-line code on general registers, flags and memory: no jumps, calls, vector or
//! x87 registers, no stack. Assembly with any other statement becomes an unsupported
//! instruction as a whole: it ends the path that reaches it and names the assembly.
//!
//! [`template`] and [`constraints`] parse the template and the constraint string,
//! [`machine`] holds registers, flags and operands as values of the IR, [`execute`] and
//! [`arithmetic`] define the instructions.

mod arithmetic;
mod condition;
mod constraints;
mod cpuid;
mod execute;
mod machine;
mod register;
mod template;

use byway_ir::{FunctionBuilder, Operand, Ty};

use machine::AsmMachine;

/// Whether the template has no instruction with an effect here: it is empty, or a barrier
/// for the compiler or for other processors.
pub fn is_barrier(text: &str) -> bool {
    const BARRIERS: [&str; 5] = ["nop", "pause", "mfence", "lfence", "sfence"];
    template::parse(text)
        .is_some_and(|all| all.iter().all(|one| BARRIERS.contains(&one.mnemonic.as_str())))
}

/// Appends the assembly's instructions to the current block and returns its results, of
/// the given types. `None` if it is not supported; some instructions may have been appended
/// by then, and the builder may be in another block.
pub fn lower(
    b: &mut FunctionBuilder,
    text: &str,
    constraints: &str,
    args: &[Operand],
    results: &[Ty],
) -> Option<Vec<Operand>> {
    let statements = template::parse(text)?;
    let constraints = constraints::parse(constraints)?;
    let mut machine = AsmMachine::new(b, &constraints, args, results)?;
    for statement in &statements {
        execute::step(&mut machine, statement)?;
    }
    machine.results(&constraints, results)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intrinsics::testing::block;

    fn supported(text: &str, constraints: &str, args: &[Ty], results: &[Ty]) -> bool {
        let mut b = block(args);
        let args: Vec<Operand> = (0..args.len()).map(|n| b.param(n)).collect();
        lower(&mut b, text, constraints, &args, results).is_some()
    }

    const WORD: Ty = Ty::Int(64);

    #[test]
    fn barriers_are_recognised() {
        for text in ["", " # comment", "nop", "rep; nop", "mfence\n", "pause;"] {
            assert!(is_barrier(text), "{text}");
        }
        assert!(!is_barrier("bswap $0"));
        assert!(!is_barrier(".byte 1"));
    }

    #[test]
    fn operands_must_match_their_constraints() {
        assert!(supported("bsf $1, ${0:q}", "=r,rm,~{flags}", &[WORD], &[WORD]));
        assert!(!supported("bsf $1, ${0:q}", "=r,rm", &[], &[WORD]));
        assert!(!supported("bsf $1, ${0:q}", "=r,rm", &[WORD, WORD], &[WORD]));
        assert!(!supported("bsf $7, ${0:q}", "=r,rm", &[WORD], &[WORD]));
        assert!(!supported("bsf $1, ${0:q}", "=r,rm", &[Ty::Int(128)], &[WORD]));
        assert!(!supported("incl $0", "=*m", &[WORD], &[]));
        assert!(supported("incl $0", "=*m", &[Ty::Ptr], &[]));
    }

    #[test]
    fn unknown_flags_cannot_be_read() {
        assert!(!supported("adc $1, $0", "=r,r,0", &[WORD, WORD], &[WORD]));
        assert!(supported("clc; adc $1, $0", "=r,r,0", &[WORD, WORD], &[WORD]));
        assert!(!supported("rol $$1, $0; setc $1", "=r,=r,0", &[WORD], &[WORD, Ty::Int(8)]));
    }

    #[test]
    fn other_instructions_are_unsupported() {
        for text in [
            "rdtsc",
            "syscall",
            "frobnicate $0",
            "mov $0",
            "mov $0, $$1",
            "call f",
            "movslw $0, $0",
        ] {
            assert!(!supported(text, "=r", &[], &[WORD]), "{text}");
        }
    }

    #[test]
    fn fuzz_asm() {
        let seeds = [
            "bsf $1, ${0:q}\n=r,rm,~{flags}",
            "clc; adc $1, $0\n=r,r,0",
            "mov 8(%rsp,%rax,4), $0\n=&{ax},*m,i",
            "{att|intel} rol $$1, %eax; setc $0\n=r,~{memory}",
        ];
        byway_fuzz::Fuzz::new("asm", seeds).run(|input| {
            let text = String::from_utf8_lossy(input);
            let (template, constraints) = text.rsplit_once('\n').unwrap_or((&text, "=r,r"));
            let parsed =
                (template::parse(template).is_some(), constraints::parse(constraints).is_some());
            let lowered = supported(template, constraints, &[WORD, WORD], &[WORD]);
            format!("{parsed:?} {lowered}")
        });
    }
}
