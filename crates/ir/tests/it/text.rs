//! The text form: every module round-trips, and no text makes the parser panic.

use std::collections::BTreeSet;

use byway_ir::{BinOp, CastOp, FBinOp, FUnOp, Module, OverflowOp, UnOp, text, verify};
use proptest::prelude::*;

use crate::generate::{self, Random};

/// Checks that a module that verifies equals the result of printing and parsing.
fn round_trips(module: &Module) -> String {
    let printed = text::print(module);
    let parsed = text::parse(&printed).unwrap_or_else(|e| panic!("{e}\n{printed}"));
    assert!(parsed == *module, "{printed}\nprints again as\n{}", text::print(&parsed));
    assert_eq!(text::print(&parsed), printed);
    printed
}

proptest! {
    #[test]
    fn random_modules_verify_and_round_trip(seed: u64, size in 0..60usize) {
        let module = generate::module(seed, size);
        if let Err(errors) = verify(&module) {
            let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
            panic!("{}\n{}", text::print(&module), errors.join("\n"));
        }
        round_trips(&module);
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn mutated_text_never_panics(seed: u64, size in 0..60usize) {
        let mut r = Random::new(seed);
        let mut bytes = text::print(&generate::module(seed, size)).into_bytes();
        for _ in 0..=r.below(4) {
            mutate(&mut bytes, &mut r);
        }
        let mutated = String::from_utf8_lossy(&bytes);
        match text::parse(&mutated) {
            Ok(module) => {
                // Whatever parses can be verified and, if it is valid, round-trips.
                if verify(&module).is_ok() {
                    round_trips(&module);
                }
                text::print(&module);
            }
            Err(e) => {
                let line = mutated.split('\n').nth(e.line - 1).expect("the line exists");
                prop_assert!(e.column <= line.chars().count() + 1);
                prop_assert!(!e.message.is_empty());
            }
        }
    }
}

/// Mutates a text like typing errors and merges do, and at random.
fn mutate(bytes: &mut Vec<u8>, r: &mut Random) {
    let at = r.below(bytes.len() + 1);
    let end = (at + r.below(12)).min(bytes.len());
    match r.below(5) {
        0 => drop(bytes.drain(at..end)),
        1 => bytes.insert(at, r.pick(b"(){}[],:=+-*!@\"\\;0123456789vbix. \n\xc3")),
        2 => {
            let piece = bytes[at..end].to_vec();
            let to = r.below(bytes.len() + 1);
            bytes.splice(to..to, piece);
        }
        3 if at < bytes.len() => bytes[at] = r.next() as u8,
        _ => {
            let words: [&[u8]; 8] = [
                b"v4294967295",
                b"b99",
                b"i129",
                b"18446744073709551616",
                b"-",
                b"ret",
                b"@f",
                b"\"",
            ];
            bytes.splice(at..at, r.pick(&words).iter().copied());
        }
    }
}

#[test]
fn random_modules_cover_every_instruction() {
    let mut missing: BTreeSet<&str> = [
        "fshl",
        "fshr",
        "icmp",
        "fma",
        "fcmp",
        "fpclass",
        "select",
        "ptradd",
        "load",
        "store",
        "alloca",
        "stacksave",
        "stackrestore",
        "undefined",
        "scope.begin",
        "scope.end",
        "memcpy",
        "memmove",
        "memset",
        "call",
        "vastart",
        "trap",
        "unsupported",
        "jump",
        "br",
        "switch",
        "indirectjump",
        "ret",
        "unreachable",
    ]
    .into();
    missing.extend(BinOp::ALL.iter().map(|op| op.mnemonic()));
    missing.extend(UnOp::ALL.iter().map(|op| op.mnemonic()));
    missing.extend(OverflowOp::ALL.iter().map(|op| op.mnemonic()));
    missing.extend(FBinOp::ALL.iter().map(|op| op.mnemonic()));
    missing.extend(FUnOp::ALL.iter().map(|op| op.mnemonic()));
    missing.extend(CastOp::ALL.iter().map(|op| op.mnemonic()));
    for seed in 0..200 {
        for func in generate::module(seed, 60).funcs.values() {
            for inst in func.insts.values() {
                missing.remove(inst.mnemonic());
            }
            for block in func.blocks.values() {
                missing.remove(block.term.mnemonic());
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn errors_have_position_and_message() {
    let cases = [
        ("", "1:1: expected `bwir`, found the end of the text"),
        ("bwir 2 module \"m\"", "1:6: version 2 of the text form, not 1"),
        ("bwir 1\nmodule m", "2:8: expected a string, found `m`"),
        ("bwir 1 module \"m", "1:15: unterminated string"),
        ("bwir 1 module \"m\\zz\"", "1:18: expected two hexadecimal digits"),
        ("bwir 1 module \"\\ff\"", "1:15: the string is not UTF-8"),
        ("bwir 1 module \"\" fun", "1:18: expected an item of the module, found `fun`"),
        ("bwir 1 module \"\" ?", "1:18: unexpected character '?'"),
        (
            "bwir 1 module \"\" loc1 = file0 1:1 scope0",
            "1:18: expected loc0, the next of its table",
        ),
        ("bwir 1 module \"\" ctor 1 @f", "1:25: unknown symbol `@f`"),
        (
            "bwir 1 module \"\" func user @f() func user @f()",
            "1:43: the symbol `@f` is defined a second time",
        ),
    ];
    for (source, error) in cases {
        assert_eq!(text::parse(source).unwrap_err().to_string(), error);
    }
}

#[test]
fn errors_in_functions_have_position_and_message() {
    let cases = [
        ("b0: v1:i32 = add v0", "4:1: expected `,`, found `}`"),
        ("b0: v1:i32 = frob v0 ret", "3:14: unknown instruction `frob`"),
        ("b0: ret v1", "3:9: v1 is not defined"),
        ("b0: v2:i32 = add v0, v0 ret", "2:1: v1 is missing"),
        ("b1: ret", "2:1: b0 is missing"),
        ("b0: ret b0: ret", "3:9: b0 is defined a second time"),
        ("b0: v0:i32 = add v0, v0 ret", "3:5: v0 is defined a second time"),
        ("b0: trap", "4:1: expected an instruction, found `}`"),
        ("b0: v1:i32 = trap ret", "3:5: `trap` defines 0 values, not 1"),
        ("b0: v1:i32 = sadd.overflow v0, v0 ret", "3:5: `sadd.overflow` defines 2 values, not 1"),
        ("b0: ret 256:i8", "3:9: the number does not fit into i8"),
        ("b0: ret -129:i8", "3:9: the number does not fit into i8"),
        ("b0: ret 1:i129", "3:11: expected a type, found `i129`"),
        (
            "b0: ret @f:b0+99999999999999999999",
            "3:15: the number 99999999999999999999 is too large here",
        ),
        ("b0: ret v4000000000", "3:9: expected `v` and a number, found `v4000000000`"),
        ("b0: ret v00", "3:9: expected `v` and a number, found `v00`"),
        ("b0: v1:i1 = icmp foo v0, v0 ret", "3:18: expected an integer comparison, found `foo`"),
    ];
    for (body, error) in cases {
        let source = format!("bwir 1 module \"\"\nfunc user @f(v0:i32) {{\n{body}\n}}");
        assert_eq!(text::parse(&source).unwrap_err().to_string(), error, "{body}");
    }
}

#[test]
fn integers_can_have_both_signs() {
    let parse = |value: &str| {
        let source = format!("bwir 1 module \"\" func user @f() -> i8 {{ b0: ret {value}:i8 }}");
        text::parse(&source).unwrap()
    };
    assert_eq!(parse("-1"), parse("255"));
    assert_eq!(parse("-128"), parse("0x80"));
    assert_ne!(parse("1"), parse("-1"));
}

#[test]
fn floats_are_printed_as_comments() {
    let source = "bwir 1 module \"\" func user @f() -> f16, bf16, f32, f64, f80, f128 { b0: \
         ret 0xc000:f16, 0x3fc0:bf16, 0x3dcccccd:f32, 0x7ff0000000000000:f64, \
         0x3fff8000000000000000:f80, 0x3ffd0000000000000000000000000000:f128 }";
    let printed = text::print(&text::parse(source).unwrap());
    assert!(printed.contains("  ; -2.0, 1.5, 0.10000000149011612, inf, 1.0, 0.25\n"), "{printed}");
}
