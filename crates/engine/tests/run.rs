//! Small programs in the IR's text form, run to their end: how each ends, what it
//! takes, and that what C programs without prototypes do is tolerated.

use byway_base::{FaultKind, Outcome, UnsupportedFeature};
use byway_engine::{Checks, ClockKind, Config, Env, Invocation, RunResult, run};

#[derive(Default)]
struct World {
    written: Vec<u8>,
    input: Vec<u8>,
}

impl Env for World {
    fn write(&mut self, _fd: i32, bytes: &[u8]) -> Result<usize, i32> {
        self.written.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, i32> {
        let n = buffer.len().min(self.input.len());
        buffer[..n].copy_from_slice(&self.input[..n]);
        self.input.drain(..n);
        Ok(n)
    }

    fn now(&mut self, _clock: ClockKind) -> (i64, i64) {
        (5, 7)
    }
}

fn run_with(text: &str, config: &Config, world: &mut World) -> RunResult {
    let module = byway_ir::text::parse(&format!("bwir 1\nmodule \"test\"\n{text}"))
        .unwrap_or_else(|e| panic!("{e}\n{text}"));
    byway_ir::verify(&module).unwrap_or_else(|e| panic!("{e:?}"));
    let call = Invocation {
        args: vec![b"prog".to_vec(), b"x".to_vec()],
        env: vec![b"A=b".into()],
        options: vec![b"--sym-stat".to_vec()],
    };
    run(&module, config, &call, world)
}

fn outcome(text: &str) -> Outcome {
    run_with(text, &Config::default(), &mut World::default()).outcome
}

/// The body of a `main` that needs nothing else.
fn main_body(body: &str) -> Outcome {
    outcome(&format!("func user @main() -> i32 {{\nb0:\n{body}\n}}\n"))
}

fn fault_of(outcome: Outcome) -> FaultKind {
    match outcome {
        Outcome::Fault(fault) => fault.kind,
        other => panic!("no fault but {other:?}"),
    }
}

#[test]
fn a_loop_is_counted_to_the_instruction() {
    let text = "func user @main() -> i32 {
b0:
  jump b1(0:i32, 0:i32)
b1(v0:i32, v1:i32):
  v2:i32 = add v1, v0
  v3:i32 = add nsw v0, 1:i32
  v4:i1 = icmp ult v3, 10:i32
  br v4, b1(v3, v2), b2
b2:
  ret v2
}
";
    let finished = run_with(text, &Config::default(), &mut World::default());
    assert_eq!(finished.outcome, Outcome::Exit(45));
    assert_eq!(finished.stats.instructions, 1 + 10 * 4 + 1);
}

#[test]
fn swapped_block_arguments_move_at_once() {
    let text = "func user @main() -> i32 {
b0:
  jump b1(1:i32, 2:i32, 0:i32)
b1(v0:i32, v1:i32, v2:i32):
  v3:i32 = add v2, 1:i32
  v4:i1 = icmp eq v3, 4:i32
  br v4, b2, b1(v1, v0, v3)
b2:
  v5:i32 = mul v0, 10:i32
  v6:i32 = add v5, v1
  ret v6
}
";
    assert_eq!(outcome(text), Outcome::Exit(21));
}

#[test]
fn a_use_may_stand_before_its_definition_in_the_text() {
    let text = "global user @g size 16 align 8 = {
  at 8 width 8: @g + 3
}
func user @main() -> i32 {
b0:
  jump b2
b1:
  v0:ptr = load v2, align 8
  v3:i64 = ptrtoint v0
  v4:i64 = ptrtoint @g
  v5:i64 = sub v3, v4
  v6:i32 = trunc v5
  br v1, b3, b3
b2:
  v1:i1 = icmp eq @g, @g
  v2:ptr = ptradd @g, 8
  jump b1
b3:
  ret v6
}
";
    assert_eq!(outcome(text), Outcome::Exit(3));
}

#[test]
fn values_that_are_computed_where_they_are_used_keep_what_they_are_made_of() {
    // The comparison v5 and the address v3 have no slots of their own. What they are made of,
    // v1, v2 and v0, is named for the last time long before they are used, and between lie
    // enough other values to take its place.
    let text = "func user @main() -> i32 {
b0:
  v0:ptr = alloca 1 x 16:i64, align 8
  v1:i32 = add 3:i32, 4:i32
  v2:i32 = add v1, 1:i32
  v3:ptr = ptradd v0, 8
  v4:i64 = zext v2
  v5:i1 = icmp ult v1, v2
  v6:i32 = add 10:i32, 20:i32
  jump b1(0:i32, v6)
b1(v7:i32, v8:i32):
  v9:i32 = add v7, 1:i32
  v10:i32 = add v8, v9
  v11:i32 = mul v10, 2:i32
  store v3, v11, align 4
  br v5, b2, b4
b2:
  v12:i1 = icmp eq v9, 3:i32
  br v12, b3, b1(v9, v10)
b3:
  v13:i32 = load v3, align 4
  v14:i32 = trunc v4
  v15:i32 = add v13, v14
  ret v15
b4:
  ret 1:i32
}
";
    assert_eq!(outcome(text), Outcome::Exit((30 + 1 + 2 + 3) * 2 + 8));
}

#[test]
fn values_of_two_words_share_slots_with_others() {
    // Sums of products of 128 bits, with values of one word between that leave odd holes.
    let text = "func user @main() -> i32 {
b0:
  jump b1(1:i64, 0:i128)
b1(v0:i64, v1:i128):
  v2:i64 = mul v0, 3:i64
  v3:i128 = zext v0
  v4:i128 = shl v3, 64:i128
  v5:i64 = add v2, v0
  v6:i128 = zext v5
  v7:i128 = or v4, v6
  v8:i128 = add v1, v7
  v9:i64 = add v0, 1:i64
  v10:i1 = icmp eq v9, 5:i64
  br v10, b2, b1(v9, v8)
b2:
  v11:i128 = lshr v8, 64:i128
  v12:i64 = trunc v11
  v13:i64 = trunc v8
  v14:i64 = add v12, v13
  v15:i32 = trunc v14
  ret v15
}
";
    assert_eq!(outcome(text), Outcome::Exit(10 + 40));
}

#[test]
fn a_result_that_nobody_gives_is_zero() {
    // The caller takes the function for one with a result. The slot of that held v0 before.
    let text = "func user @nothing() {
b0:
  ret
}
func user @main() -> i32 {
b0:
  v0:i32 = add 3:i32, 4:i32
  v1:ptr = select 1:i1, @nothing, @nothing
  v2:i32 = mul v0, 0:i32
  v3:i32 = add v2, 5:i32
  v4:i32 = call CALLEE()
  v5:i32 = add v3, v4
  ret v5
}
";
    assert_eq!(outcome(&text.replace("CALLEE", "@nothing")), Outcome::Exit(5));
    // Through a pointer, it is a defect.
    let end = outcome(&text.replace("CALLEE", "*v1"));
    assert_eq!(fault_of(end), FaultKind::BadFunctionPointer);
}

#[test]
fn division_faults() {
    let kind = |body: &str| fault_of(main_body(body));
    assert_eq!(kind("  v0:i32 = sdiv 5:i32, 0:i32\n  ret v0"), FaultKind::DivisionByZero);
    assert_eq!(kind("  v0:i8 = urem 5:i8, 0:i8\n  ret 0:i32"), FaultKind::DivisionByZero);
    assert_eq!(kind("  v0:i7 = sdiv -64:i7, -1:i7\n  ret 0:i32"), FaultKind::DivisionOverflow);
    assert_eq!(kind("  v0:i128 = srem 1:i128, 0:i128\n  ret 0:i32"), FaultKind::DivisionByZero);
    assert_eq!(
        main_body("  v0:i8 = sdiv -128:i8, 2:i8\n  v1:i32 = sext v0\n  ret v1"),
        Outcome::Exit(-64)
    );
}

#[test]
fn ends_of_many_kinds() {
    assert_eq!(fault_of(main_body("  unreachable")), FaultKind::Unreachable);
    assert_eq!(fault_of(main_body("  trap\n  ret 0:i32")), FaultKind::Trap);
    let call = "  v0:ptr = inttoptr 99:i64\n  call *v0()\n  ret 0:i32";
    assert_eq!(fault_of(main_body(call)), FaultKind::BadFunctionPointer);
    let missing = outcome(
        "func user @gone()\nfunc user @main() -> i32 {\nb0:\n  call @gone()\n  ret 0:i32\n}\n",
    );
    assert!(
        matches!(missing, Outcome::Unsupported(u) if u.feature == UnsupportedFeature::Function("gone".into()))
    );
    let endless = "func user @main() -> i32 {\nb0:\n  v0:i32 = call @main()\n  ret v0\n}\n";
    assert_eq!(fault_of(outcome(endless)), FaultKind::StackExhausted);
}

#[test]
fn locals_end_with_their_call() {
    let text = "func user @f() -> ptr {
b0:
  v0:ptr = alloca 4 x 1:i64, align 4, \"x\"
  store v0, 1:i32, align 4
  ret v0
}
func user @main() -> i32 {
b0:
  v0:ptr = call @f()
  v1:i32 = load v0, align 4
  ret v1
}
";
    assert_eq!(fault_of(outcome(text)), FaultKind::UseAfterReturn);
}

#[test]
fn calls_without_prototypes_are_adapted() {
    let text = "func user @f(v0:i64, v1:i8, v2:i128) -> i64 {
b0:
  v3:i64 = zext v1
  v4:i64 = add v0, v3
  v5:i64 = trunc v2
  v6:i64 = add v4, v5
  ret v6
}
func user @main() -> i32 {
b0:
  v0:i32 = call @f(5:i32, 258:i32)
  ret v0
}
";
    assert_eq!(outcome(text), Outcome::Exit(7));
}

#[test]
fn the_optional_checks_only_speak_when_asked() {
    let cases = [
        ("  v0:i32 = add nsw 2147483647:i32, 1:i32", "signed-overflow"),
        ("  v0:i32 = shl 1:i32, 40:i32", "invalid-shift"),
        (
            "  v0:ptr = alloca 8 x 1:i64, align 8, \"\"\n  v1:ptr = ptradd v0, 1\n  store v1, 1:i32, align 4",
            "misaligned",
        ),
        (
            "  v0:ptr = alloca 8 x 1:i64, align 8, \"\"\n  v1:i32 = load v0, align 4
  v2:i32 = udiv 1:i32, v1",
            "uninitialised-read",
        ),
        ("  v0:i32 = undefined \"x\"\n  v1:i32 = udiv 1:i32, v0", "uninitialised-read"),
    ];
    let strict = Checks {
        alignment: true,
        uninitialised: true,
        signed_overflow: true,
        shift: true,
        leak: true,
    };
    let lax = Checks { uninitialised: false, ..Checks::default() };
    for (body, name) in cases {
        let text = format!("func user @main() -> i32 {{\nb0:\n{body}\n  ret 0:i32\n}}\n");
        let config = Config { checks: lax, ..Config::default() };
        let end = run_with(&text, &config, &mut World::default()).outcome;
        match body.contains("udiv") {
            // Without the check, what was never set is zero.
            true => assert_eq!(fault_of(end), FaultKind::DivisionByZero),
            false => assert_eq!(end, Outcome::Exit(0), "{body}"),
        }
        let config = Config { checks: strict, ..Config::default() };
        let end = run_with(&text, &config, &mut World::default()).outcome;
        assert_eq!(fault_of(end).name(), name);
    }
}

#[test]
fn a_budget_ends_the_run() {
    let text = "func user @main() -> i32 {\nb0:\n  jump b1\nb1:\n  jump b1\n}\n";
    let config = Config { max_instructions: Some(1000), ..Config::default() };
    let finished = run_with(text, &config, &mut World::default());
    assert_eq!(finished.outcome, Outcome::OutOfBudget);
    assert!((1000..1010).contains(&finished.stats.instructions));
}

#[test]
fn the_doors_to_the_world() {
    let text = "func runtime @__byway_write(v0:i32, v1:ptr, v2:i64) -> i64
func runtime @__byway_read(v0:ptr, v1:i64) -> i64
func runtime @__byway_exit(v0:i32)
func user @main(v0:i32, v1:ptr, v2:ptr) -> i32 {
b0:
  v3:ptr = alloca 16 x 1:i64, align 1, \"buf\"
  v4:i64 = call @__byway_read(v3, 16:i64)
  v5:i64 = call @__byway_write(1:i32, v3, v4)
  v6:ptr = ptradd v1, 8
  v7:ptr = load v6, align 8
  v8:i64 = call @__byway_write(1:i32, v7, 1:i64)
  v9:ptr = load v2, align 8
  v10:i64 = call @__byway_write(1:i32, v9, 3:i64)
  v11:ptr = ptradd v2, 40
  v12:ptr = load v11, align 8
  v13:ptr = load v12, align 8
  v14:i64 = call @__byway_write(1:i32, v13, 10:i64)
  call @__byway_exit(v0)
  unreachable
}
";
    let mut world = World { input: b"hello ".to_vec(), ..World::default() };
    let finished = run_with(text, &Config::default(), &mut world);
    assert_eq!(finished.outcome, Outcome::Exit(2));
    assert_eq!(world.written, b"hello xA=b--sym-stat");
}

#[test]
fn longjmp_returns_twice_and_knows_its_limits() {
    let text = "func libc @setjmp(v0:ptr) -> i32
func libc @longjmp(v0:ptr, v1:i32)
global user @buffer size 64 align 8 = {
}
func user @deep(v0:i32) {
b0:
  call @longjmp(@buffer, v0)
  unreachable
}
func user @main() -> i32 {
b0:
  v0:i32 = call @setjmp(@buffer)
  v1:i1 = icmp eq v0, 0:i32
  br v1, b1, b2
b1:
  call @deep(42:i32)
  unreachable
b2:
  ret v0
}
";
    assert_eq!(outcome(text), Outcome::Exit(42));
    let stray = text.replace("call @setjmp(@buffer)", "add 0:i32, 0:i32");
    assert_eq!(fault_of(outcome(&stray)), FaultKind::BadJump);
}

#[test]
fn what_a_second_return_needs_is_still_there() {
    let text = "func libc @setjmp(v0:ptr) -> i32
func libc @longjmp(v0:ptr, v1:i32)
global user @buffer size 64 align 8 = {
}
func user @main() -> i32 {
b0:
  v0:i32 = add 40:i32, 1:i32
  v1:i32 = call @setjmp(@buffer)
  v2:i1 = icmp eq v1, 0:i32
  br v2, b1, b2
b1:
  v3:i32 = add 1:i32, 2:i32
  v4:i32 = mul v3, 5:i32
  v5:i32 = add v3, v4
  call @longjmp(@buffer, v5)
  unreachable
b2:
  v6:i32 = add v0, v1
  ret v6
}
";
    assert_eq!(outcome(text), Outcome::Exit(41 + 18));
}

#[test]
fn reading_more_variadic_arguments_than_passed_is_a_fault() {
    let text = "func user @f(v0:i32, ...) -> i32 {
b0:
  v1:ptr = alloca 24 x 1:i64, align 8, \"list\"
  vastart v1, general 1, vector 0, stack 0
  v2:ptr = ptradd v1, 16
  v3:ptr = load v2, align 8
  v8:i32 = load v1, align 4
  v9:ptr = ptradd v3, 0, v8 * 1
  v4:i32 = load v9, align 8
  v5:ptr = ptradd v9, 8
  v6:i32 = load v5, align 8
  v7:i32 = add v4, v6
  ret v7
}
func user @main() -> i32 {
b0:
  v0:i32 = call @f(2:i32, 30:i32, 4:i32) ...[at 8, at 16]
  ret v0
}
";
    let passed = outcome(text);
    assert_eq!(passed, Outcome::Exit(34));
    let short = text.replace("30:i32, 4:i32) ...[at 8, at 16]", "30:i32) ...[at 8]");
    assert_eq!(fault_of(outcome(&short)), FaultKind::OutOfBounds);
}

#[test]
fn a_program_without_entry_is_refused() {
    let missing = outcome("");
    assert!(matches!(missing, Outcome::Unsupported(u) if u.feature == UnsupportedFeature::NoMain));
}

#[test]
fn a_tail_call_takes_its_callers_place() {
    let text = "func user @count(v0:i32) -> i32 {
b0:
  v1:i1 = icmp eq v0, 0:i32
  br v1, b1, b2
b1:
  ret 7:i32
b2:
  v2:i32 = sub v0, 1:i32
  v3:i32 = call tail @count(v2)
  ret v3
}
func user @main() -> i32 {
b0:
  v0:i32 = call @count(1000000:i32)
  ret v0
}
";
    assert_eq!(outcome(text), Outcome::Exit(7));
    assert_eq!(fault_of(outcome(&text.replace("tail ", ""))), FaultKind::StackExhausted);
}
