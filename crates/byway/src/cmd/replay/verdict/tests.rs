//! The rules on constructed runs; `tests/cli/replay.rs` has real ones.

use byway_native::Remark;

use super::*;

fn run(ending: NativeEnding) -> NativeRun {
    NativeRun {
        ending,
        assertion: None,
        remarks: Vec::new(),
        unread_inputs: 0,
        stdout: Vec::new(),
        stderr: Vec::new(),
    }
}

fn at(file: &str, line: u32) -> SrcLoc {
    SrcLoc { file: file.into(), line, column: 1 }
}

fn sanitizer(kind: &str, at: Option<SrcLoc>) -> NativeRun {
    run(NativeEnding::Sanitizer(SanitizerReport { kind: kind.into(), at, wild_jump: false }))
}

const ALL: SanitizerCoverage = SanitizerCoverage { addresses: true, behaviour: true };

fn verdict(outcome: OutcomeRecord, run: &NativeRun) -> Verdict {
    let expected = Expected { outcome: Some(&outcome), in_library: false, coverage: ALL };
    compare(&expected, run)
}

fn fault(kind: FaultKind, message: &str) -> OutcomeRecord {
    let (fault, message) = (kind.name().to_string(), message.to_string());
    OutcomeRecord::Fault { fault, id: 1, message, at: Some(at("/src/a.c", 5)) }
}

fn diverges(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Diverges { .. })
}

fn not_comparable(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::NotComparable { .. })
}

#[test]
fn no_fault_agrees_with_a_run_that_shows_none() {
    for kind in FaultKind::ALL {
        for ending in
            [NativeEnding::Exited(0), NativeEnding::Excluded, NativeEnding::Diverged("x".into())]
        {
            let verdict = verdict(fault(kind, "the program raised signal 15"), &run(ending));
            assert!(diverges(&verdict) || not_comparable(&verdict), "{kind}: {verdict:?}");
        }
    }
}

#[test]
fn every_kind_is_documented() {
    let page = include_str!("../../../../../../docs/faults.md");
    for kind in FaultKind::ALL {
        assert!(page.contains(&format!("| `{kind}` |")), "docs/faults.md has no row for {kind}");
    }
}

#[test]
fn checks_that_clang_cannot_insert_into_bitcode_are_not_compared() {
    let bitcode = SanitizerCoverage { addresses: true, behaviour: false };
    let compared = |kind, coverage, run: &NativeRun| {
        let outcome = fault(kind, "");
        compare(&Expected { outcome: Some(&outcome), in_library: false, coverage }, run)
    };
    let exited = run(NativeEnding::Exited(0));
    for kind in [FaultKind::SignedOverflow, FaultKind::InvalidShift, FaultKind::ArrayIndex] {
        assert!(not_comparable(&compared(kind, bitcode, &exited)), "{kind}");
        assert!(diverges(&compared(kind, ALL, &exited)), "{kind}");
        // Bitcode that was compiled with the checks, or with traps for them.
        let trapped = sanitizer("ILL", Some(at("a.c", 5)));
        assert_eq!(compared(kind, bitcode, &trapped), Verdict::Agrees, "{kind}");
    }
}

#[test]
fn a_run_out_of_time_is_neither_agreement_nor_divergence() {
    let ended = run(NativeEnding::TimedOut);
    let timed_out = |predicted: &str| Verdict::TimedOut { predicted: predicted.into() };
    assert_eq!(verdict(OutcomeRecord::Exit { code: 3 }, &ended), timed_out("exit code 3"));
    let faulty = verdict(fault(FaultKind::Abort, ""), &ended);
    assert_eq!(faulty, timed_out("abort at /src/a.c:5"));
    let elsewhere = combine(Verdict::Agrees, timed_out("x"), &ended.ending);
    assert!(matches!(elsewhere, Verdict::AgreesExactly { .. }), "{elsewhere:?}");
    assert_eq!(combine(timed_out("x"), Verdict::Agrees, &ended.ending), timed_out("x"));
}

#[test]
fn an_exit_code_is_what_a_parent_sees() {
    for (code, native) in [(0, 0), (256, 0), (-1, 255), (300, 44)] {
        let outcome = || OutcomeRecord::Exit { code };
        assert_eq!(verdict(outcome(), &run(NativeEnding::Exited(native))), Verdict::Agrees);
        assert!(diverges(&verdict(outcome(), &run(NativeEnding::Exited(native + 1)))));
        assert!(diverges(&verdict(outcome(), &run(NativeEnding::Killed(6)))));
        assert!(not_comparable(&verdict(outcome(), &run(NativeEnding::Unable("x".into())))));
    }
}

#[test]
fn a_fault_without_a_native_line_does_not_agree() {
    let predicted = || fault(FaultKind::NullDereference, "read through a null pointer");
    assert!(not_comparable(&verdict(predicted(), &sanitizer("SEGV", None))));
    let line = Some(at("a.c", 5));
    assert_eq!(verdict(predicted(), &sanitizer("SEGV", line.clone())), Verdict::Agrees);
    assert!(diverges(&verdict(predicted(), &sanitizer("SEGV", Some(at("a.c", 6))))));
    assert!(diverges(&verdict(predicted(), &sanitizer("SEGV", Some(at("b.c", 5))))));
    assert!(diverges(&verdict(predicted(), &sanitizer("FPE", line.clone()))));
    let lost = SanitizerReport { kind: "SEGV".into(), at: line, wild_jump: true };
    assert!(not_comparable(&verdict(predicted(), &run(NativeEnding::Sanitizer(lost)))));
}

#[test]
fn a_call_of_a_bad_pointer_may_look_like_a_stack_overflow() {
    let predicted = |kind| fault(kind, "call of what is no function");
    for kind in ["SEGV", "stack-overflow"] {
        for place in [None, Some(at("a.c", 6))] {
            let shown = sanitizer(kind, place);
            assert!(not_comparable(&verdict(predicted(FaultKind::BadFunctionPointer), &shown)));
        }
        let shown = sanitizer(kind, Some(at("a.c", 5)));
        assert_eq!(verdict(predicted(FaultKind::BadFunctionPointer), &shown), Verdict::Agrees);
    }
    let shown = sanitizer("stack-overflow", None);
    assert!(diverges(&verdict(predicted(FaultKind::WriteToConstant), &shown)));
}

#[test]
fn a_prediction_without_a_line_needs_none() {
    for place in [None, Some(at("a.c", 0))] {
        let (fault, message) = ("trap".to_string(), String::new());
        let outcome = || OutcomeRecord::Fault {
            fault: fault.clone(),
            id: 1,
            message: message.clone(),
            at: place.clone(),
        };
        assert_eq!(verdict(outcome(), &sanitizer("ILL", Some(at("a.c", 5)))), Verdict::Agrees);
        assert_eq!(verdict(outcome(), &sanitizer("ILL", None)), Verdict::Agrees);
        assert!(diverges(&verdict(outcome(), &run(NativeEnding::Exited(0)))));
    }
}

#[test]
fn an_abort_is_no_assertion() {
    let aborted = sanitizer("ABRT", Some(at("a.c", 5)));
    assert_eq!(verdict(fault(FaultKind::Abort, ""), &aborted), Verdict::Agrees);
    assert!(diverges(&verdict(fault(FaultKind::AssertFailed, ""), &aborted)));
}

#[test]
fn remarks_are_evidence_of_matching_faults_only() {
    let mut ran = run(NativeEnding::Exited(0));
    ran.remarks = vec![Remark { at: at("a.c", 5), what: "index 9 out of bounds for type".into() }];
    assert_eq!(verdict(fault(FaultKind::OutOfBounds, ""), &ran), Verdict::Agrees);
    assert!(diverges(&verdict(fault(FaultKind::UseAfterFree, ""), &ran)));
    assert!(diverges(&verdict(fault(FaultKind::SignedOverflow, ""), &ran)));
    assert_eq!(verdict(OutcomeRecord::Exit { code: 0 }, &ran), Verdict::Agrees);
}

#[test]
fn signals_are_compared_by_number() {
    let predicted = || fault(FaultKind::KilledBySignal, "the program raised signal 11");
    assert_eq!(verdict(predicted(), &run(NativeEnding::Killed(11))), Verdict::Agrees);
    assert!(diverges(&verdict(predicted(), &run(NativeEnding::Killed(15)))));
    assert_eq!(verdict(predicted(), &sanitizer("SEGV", Some(at("a.c", 5)))), Verdict::Agrees);
    assert!(diverges(&verdict(predicted(), &sanitizer("FPE", Some(at("a.c", 5))))));
}

#[test]
fn distances_are_read_from_messages() {
    let heap = "a heap object of 4 bytes";
    assert_eq!(distance(&format!("read of 4 bytes 8 bytes past the end of {heap}")), Some(8));
    assert_eq!(distance(&format!("write of 1 byte 1 byte before {heap}")), Some(1));
    assert_eq!(distance(&format!("read of 8 bytes at offset 4 of {heap}")), None);
    assert_eq!(distance("something before"), None);
    assert_eq!(distance(" before "), None);
}

#[test]
fn unaligned_accesses_are_read_from_messages() {
    assert!(is_unaligned("read of 8 bytes at offset 3 of a heap object of 10 bytes"));
    assert!(!is_unaligned("read of 8 bytes at offset 8 of a heap object of 10 bytes"));
    assert!(!is_unaligned("read of 8 bytes at offset 10 of a heap object of 10 bytes"));
    assert!(!is_unaligned("read of 1 byte at offset 3 of a heap object of 10 bytes"));
    assert!(!is_unaligned("read of 4 bytes 8 bytes past the end of a heap object of 10 bytes"));
    assert!(!is_unaligned("of 8 at offset of"));
}

#[test]
fn files_may_be_known_by_other_paths() {
    let same = |a: &str, b: &str| same_file(Path::new(a), Path::new(b));
    assert!(same("/src/x/a.c", "x/a.c"));
    assert!(same("a.c", "/src/a.c"));
    assert!(same("./a.c", "/gone/a.c"), "neither is there");
    assert!(!same("/src/a.c", "/src/b.c"));
    assert!(!same("/etc/hosts", "/etc/passwd"));
}

#[test]
fn only_input_that_no_native_run_reproduces_excuses() {
    use byway_testcase::symbolic::{FailingCall, StreamType};
    let wrong = || verdict(OutcomeRecord::Exit { code: 1 }, &run(NativeEnding::Exited(2)));
    let plain = ProgramInput { stdin: Some(b"x".to_vec()), ..ProgramInput::default() };
    assert!(diverges(&wrong().excused_by(&plain)));
    let failures =
        vec![FailingCall { call: "read", nth: 2 }, FailingCall { call: "close", nth: 1 }];
    let failing = ProgramInput { failures, ..ProgramInput::default() };
    let why = "calls that fail in this test succeed natively: call 2 of read, call 1 of close";
    let excused = Verdict::NotComparable { predicted: "exit code 1".into(), why: why.into() };
    assert_eq!(wrong().excused_by(&failing), excused);
    let right = verdict(OutcomeRecord::Exit { code: 2 }, &run(NativeEnding::Exited(2)));
    assert_eq!(right.excused_by(&failing), Verdict::Agrees);
    let streams = [StreamType::Terminal, StreamType::Pipe, StreamType::File];
    let other = ProgramInput { streams, ..ProgramInput::default() };
    let why = "standard input is a terminal, standard error is a file; natively the streams are \
               pipes";
    let excused = Verdict::NotComparable { predicted: "exit code 1".into(), why: why.into() };
    assert_eq!(wrong().excused_by(&other), excused);
}

#[test]
fn calls_that_fail_in_the_model_alone_excuse() {
    let wrong = || verdict(OutcomeRecord::Exit { code: 1 }, &run(NativeEnding::Exited(2)));
    assert!(diverges(&wrong().excused_by_model(&[])));
    let why = "not modelled faithfully: system call fork, system call socket";
    let calls = ["system call fork".to_string(), "system call socket".to_string()];
    let excused = Verdict::NotComparable { predicted: "exit code 1".into(), why: why.into() };
    assert_eq!(wrong().excused_by_model(&calls), excused);
    let right = verdict(OutcomeRecord::Exit { code: 2 }, &run(NativeEnding::Exited(2)));
    assert_eq!(right.excused_by_model(&calls), Verdict::Agrees);
}

#[test]
fn a_difference_elsewhere_is_no_divergence_unless_a_sanitizer_finds_it() {
    let words = |text: &str| text.to_string();
    let diverges =
        |happened: &str| Verdict::Diverges { predicted: words("p"), happened: words(happened) };
    let found = SanitizerReport { kind: words("SEGV"), at: None, wild_jump: false };
    let (exit, sanitizer) = (NativeEnding::Exited(1), NativeEnding::Sanitizer(found));
    let elsewhere = Verdict::AgreesExactly { predicted: words("p"), elsewhere: words("other") };
    assert_eq!(combine(Verdict::Agrees, Verdict::Agrees, &exit), Verdict::Agrees);
    assert_eq!(combine(Verdict::Agrees, diverges("other"), &exit), elsewhere);
    assert_eq!(combine(Verdict::Agrees, diverges("other"), &sanitizer), diverges("other"));
    assert_eq!(combine(diverges("exact"), Verdict::Agrees, &exit), diverges("exact"));
    assert_eq!(combine(diverges("exact"), diverges("other"), &exit), diverges("exact"));
}
