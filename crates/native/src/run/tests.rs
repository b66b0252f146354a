//! Programs with every kind of ending, and the replay library.

use std::fs;
use std::process::Command;
use std::sync::{Arc, Mutex, Weak};

use byway_base::{Input, TestCase};

use super::*;
use crate::{BuildSpec, ProgramSource, SourceKind};
use byway_testcase::ktest;
use tempfile::TempDir;

fn clang() -> std::ffi::OsString {
    std::env::var_os("BYWAY_CLANG").unwrap_or_else(|| "clang-22".into())
}

fn build_spec(dir: &Path, files: &[(&str, SourceKind)]) -> BuildSpec {
    let source = |&(name, kind): &(&str, SourceKind)| ProgramSource { path: name.into(), kind };
    BuildSpec {
        sources: files.iter().map(source).collect(),
        directory: dir.to_path_buf(),
        clang: clang(),
        optimise: "0".into(),
        options: Vec::new(),
        sanitizers: Vec::new(),
        time_limit: Duration::from_secs(120),
    }
}

/// A job without arguments, files or standard input.
fn job_of(test: &[u8]) -> NativeJob<'_> {
    let time_limit = Duration::from_secs(60);
    NativeJob { test, consumed_inputs: 0, args: &[], env: &[], stdin: &[], files: &[], time_limit }
}

struct Program {
    executable: Executable,
    _dir: TempDir,
}

impl Program {
    fn new(source: &str) -> Self {
        let dir = TempDir::new().expect("a directory");
        fs::write(dir.path().join("a.c"), source).expect("a source");
        Program::build(&build_spec(dir.path(), &[("a.c", SourceKind::C)]), dir)
    }

    fn build(build_spec: &BuildSpec, dir: TempDir) -> Self {
        let executable = Executable::build(build_spec, dir.path(), &mut || true);
        match executable {
            Ok(executable) => Program { executable, _dir: dir },
            Err(error) => panic!("{error}\n{}", error.tool_output()),
        }
    }

    fn run(&self, inputs: &[(&str, &[u8])]) -> NativeRun {
        self.run_with(inputs, &["a.c"], &[])
    }

    fn run_with(&self, inputs: &[(&str, &[u8])], args: &[&str], env: &[&str]) -> NativeRun {
        let input = |&(name, bytes): &(&str, &[u8])| Input {
            name: name.to_string(),
            bytes: bytes.to_vec(),
        };
        let inputs = inputs.iter().map(input).collect();
        let test = ktest::encode(&TestCase { args: vec![], inputs }).expect("a test");
        self.run_bytes(&test, args, env)
    }

    fn sandbox(&self) -> Sandbox {
        Sandbox::new(self.executable.sandbox_spec(&[], SandboxLayout::Standard))
            .expect("namespaces")
    }

    fn run_bytes(&self, test: &[u8], args: &[&str], env: &[&str]) -> NativeRun {
        let words = |words: &[&str]| -> Vec<Vec<u8>> {
            words.iter().map(|word| word.as_bytes().to_vec()).collect()
        };
        let (args, env) = (words(args), words(env));
        let job = NativeJob { args: &args, env: &env, ..job_of(test) };
        self.executable.run(&job, &mut self.sandbox(), &mut || true).expect("it runs")
    }
}

const FAULTS: &str = r#"
#include <assert.h>
#include <byway.h>
#include <klee/klee.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const int constant = 3;
struct two { int inner[2]; int other; };

static int *local(void) {
    int here = 1;
    int *escaped = &here;
    return escaped;
}

static int recurse(volatile int n) {
    volatile char space[64] = {0};
    return n == 0 ? space[0] : recurse(n - 1) + space[1];
}

int main(int argc, char **argv) {
    int which = klee_int("which");
    volatile int zero = 0, one = 1, lowest = -2147483647 - 1;
    int array[4] = {1, 2, 3, 4};
    struct two two = {{0}, 5};
    char *heap = malloc(4);
    switch (which) {
    case 0: return 3;
    case 1: return array[zero + 4]; // line of 1
    case 2: return heap[zero + 4]; // line of 2
    case 3: free(heap); return heap[0]; // line of 3
    case 4: return *local(); // line of 4
    case 5: free(heap); free(heap); return 0; // line of 5
    case 6: free(array + zero); return 0; // line of 6
    case 7: return *(int *)(long)zero; // line of 7
    case 8: *(int *)&constant = one; return 0; // line of 8
    case 9: return 5 / zero; // line of 9
    case 10: return lowest / -one; // line of 10
    case 11: assert(zero == 1); return 0; // line of 11
    case 12: abort(); // line of 12
    case 13: __builtin_trap(); // line of 13
    case 14: __builtin_unreachable(); // line of 14
    case 15: raise(SIGTERM); return 0;
    case 16: return ((int (*)(void))(long)zero)(); // line of 16
    case 17: klee_report_error("given.c", 77, "a message", "suf"); // line of 17
    case 18: byway_report("another"); // line of 18
    case 19: return recurse(100000); // ends well: Byway allows as many calls
    case 20: return recurse(-1); // line of 20
    case 21: memcpy(heap, argv, 5); return 0; // line of 21
    case 22: return two.inner[2 + zero]; // remark, no fault
    case 23: return lowest - one != 0; // remark, no fault
    case 24: return one << (32 + zero) != 7; // remark, no fault
    case 25: klee_check_memory_access(heap, 5); return 0; // line of 25
    case 26: byway_exclude();
    case 27: byway_unsupported("a thing");
    case 28: for (;;) one++;
    case 29: klee_abort(); // line of 29
    case 30: return malloc(1ul << 50) == 0;
    case 31: return klee_get_obj_size(heap) * 10 + klee_get_obj_size(array);
    case 32: klee_define_fixed_object((void *)0x10000000, 16);
             klee_define_fixed_object((void *)0x10000010, 16);
             return *(int *)0x10000010;
    case 33: return ((int (*)(void))(void *)array)();
    case 35: __builtin_debugtrap(); // line of 35
    case 34: { int *p; { int inner = 4; p = &inner; } return *p; } // line of 34
    }
    return 0;
}
"#;

/// A program that concurrent tests share; it is removed with the last of them.
fn shared(slot: &Mutex<Weak<Program>>, source: &str) -> Arc<Program> {
    let mut place = slot.lock().unwrap_or_else(|error| error.into_inner());
    place.upgrade().unwrap_or_else(|| {
        let program = Arc::new(Program::new(source));
        *place = Arc::downgrade(&program);
        program
    })
}

fn faults() -> Arc<Program> {
    static PROGRAM: Mutex<Weak<Program>> = Mutex::new(Weak::new());
    shared(&PROGRAM, FAULTS)
}

fn fault(which: i32) -> NativeRun {
    faults().run(&[("which", &which.to_le_bytes())])
}

fn line_of(mark: &str) -> u32 {
    let index = FAULTS.lines().position(|line| line.ends_with(mark)).expect("the mark is there");
    index as u32 + 1
}

#[track_caller]
fn assert_sanitizer(which: i32, kind: &str) {
    let run = fault(which);
    let NativeEnding::Sanitizer(report) = &run.ending else { panic!("{run:?}") };
    assert_eq!(report.kind, kind, "{run:?}");
    let at = report.at.as_ref().expect("a location");
    assert!(at.file.ends_with("a.c"), "{at}");
    assert_eq!(at.line, line_of(&format!("line of {which}")), "{run:?}");
}

#[test]
fn memory_faults_have_a_kind_and_a_line() {
    let _keep = faults();
    assert_sanitizer(1, "stack-buffer-overflow");
    assert_sanitizer(2, "heap-buffer-overflow");
    assert_sanitizer(3, "heap-use-after-free");
    assert_sanitizer(34, "stack-use-after-scope");
    assert_sanitizer(4, "stack-use-after-return");
    assert_sanitizer(5, "double-free");
    assert_sanitizer(6, "bad-free");
    assert_sanitizer(7, "SEGV");
    assert_sanitizer(8, "SEGV");
    assert_sanitizer(21, "heap-buffer-overflow");
    assert_sanitizer(25, "heap-buffer-overflow");
}

#[test]
fn other_faults_have_a_kind_and_a_line() {
    let _keep = faults();
    assert_sanitizer(9, "FPE");
    assert_sanitizer(10, "FPE");
    assert_sanitizer(12, "ABRT");
    assert_sanitizer(13, "ILL");
    assert_sanitizer(14, "unreachable");
    assert_sanitizer(16, "SEGV");
    assert_sanitizer(29, "ABRT");
    assert_sanitizer(35, "TRAP");
}

#[test]
fn a_failed_assertion_has_its_line() {
    let _keep = faults();
    assert_sanitizer(11, "ABRT");
    let assertion = fault(11).assertion.expect("it was reported");
    assert_eq!(assertion.at.line, line_of("line of 11"));
    assert_eq!((assertion.at.file.as_str(), assertion.expression.as_str()), ("a.c", "zero == 1"));
    assert_eq!(fault(12).assertion, None);
}

#[test]
fn exits_and_signals_are_reported() {
    let _keep = faults();
    assert_eq!(fault(0).ending, NativeEnding::Exited(3));
    assert_eq!(fault(15).ending, NativeEnding::Killed(libc::SIGTERM));
    assert_eq!(fault(26).ending, NativeEnding::Excluded);
    assert_eq!(fault(27).ending, NativeEnding::Unsupported("a thing".into()));
}

#[test]
fn reports_have_both_locations() {
    let _keep = faults();
    let NativeEnding::Reported { message, given, at } = fault(17).ending else {
        panic!("reported")
    };
    assert_eq!(message, "a message");
    assert_eq!(given.expect("a location").to_string(), "given.c:77");
    assert_eq!(at.expect("a location").line, line_of("line of 17"));
    let NativeEnding::Reported { given, at, .. } = fault(18).ending else { panic!("reported") };
    assert_eq!(given, None);
    assert_eq!(at.expect("a location").line, line_of("line of 18"));
}

#[test]
fn findings_that_are_no_faults_to_byway_do_not_end_a_run() {
    let _keep = faults();
    assert_eq!(fault(19).ending, NativeEnding::Exited(0));
    for (which, code, what) in
        [(22, 5, "out of bounds"), (23, 1, "signed integer overflow"), (24, 1, "shift")]
    {
        let run = fault(which);
        assert_eq!(run.ending, NativeEnding::Exited(code), "{run:?}");
        assert!(run.remarks.iter().any(|remark| remark.what.contains(what)), "{run:?}");
    }
    assert_eq!(fault(30).ending, NativeEnding::Exited(1), "an allocation that is too large");
}

#[test]
fn the_stack_is_large_but_limited() {
    let run = fault(20);
    let NativeEnding::Sanitizer(report) = &run.ending else { panic!("{run:?}") };
    assert_eq!(report.kind, "stack-overflow");
}

#[test]
fn a_jump_into_data_has_no_line() {
    let run = fault(33);
    let NativeEnding::Sanitizer(report) = &run.ending else { panic!("{run:?}") };
    assert_eq!(report.kind, "SEGV");
}

#[test]
fn objects_have_sizes_and_locations() {
    let _keep = faults();
    assert_eq!(fault(31).ending, NativeEnding::Exited(56));
    assert_eq!(fault(32).ending, NativeEnding::Exited(0));
}

#[test]
fn the_time_limit_and_the_watcher_stop_a_run() {
    let program = faults();
    let input = Input { name: "which".into(), bytes: 28i32.to_le_bytes().to_vec() };
    let test = ktest::encode(&TestCase { args: vec![], inputs: vec![input] }).expect("a test");
    let job = NativeJob { time_limit: Duration::from_millis(300), ..job_of(&test) };
    let mut sandbox = program.sandbox();
    let run = program.executable.run(&job, &mut sandbox, &mut || true).expect("it runs");
    assert_eq!(run.ending, NativeEnding::TimedOut);
    let run = program.executable.run(&job, &mut sandbox, &mut || false).expect("it runs");
    assert_eq!(run.ending, NativeEnding::Stopped);
}

const INPUTS: &str = r#"
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    char a, b, c;
    klee_make_symbolic(&a, 1, "x");
    klee_assume(a > 0);
    klee_make_symbolic(&b, 1, "x");
    klee_make_symbolic(&c, 1, "x_1");
    int none = klee_range(5, 6, "range");
    int some = klee_range(5, 9, "range");
    int chosen = klee_choose(3);
    if (getenv("BYWAY_TEST") || getenv("ASAN_OPTIONS")) return 99;
    if (argc > 2) printf("%s %s %s", argv[0], argv[2], getenv("NAME"));
    return a + b + c + none + some + chosen;
}
"#;

fn inputs() -> Arc<Program> {
    static PROGRAM: Mutex<Weak<Program>> = Mutex::new(Weak::new());
    shared(&PROGRAM, INPUTS)
}

const GOOD: [(&str, &[u8]); 5] = [
    ("x", &[1]),
    ("x_1", &[2]),
    ("x_1_1", &[3]),
    ("range", &[7, 0, 0, 0]),
    ("klee_choose", &[2, 0, 0, 0, 0, 0, 0, 0]),
];

#[test]
fn inputs_are_read_in_order_by_name() {
    let run = inputs().run(&GOOD);
    assert_eq!((run.ending, run.unread_inputs), (NativeEnding::Exited(20), 0));
}

#[test]
fn arguments_and_environment_are_passed() {
    let run = inputs().run_with(&GOOD, &["my name", "x", "second"], &["NAME=a=b", "=nothing"]);
    assert_eq!(run.ending, NativeEnding::Exited(20));
    assert_eq!(String::from_utf8_lossy(&run.stdout), "my name second a=b");
}

#[track_caller]
fn assert_diverges(test: &[(&str, &[u8])], why: &str) {
    let run = inputs().run(test);
    let NativeEnding::Diverged(consumed_inputs) = &run.ending else { panic!("{run:?}") };
    assert_eq!(consumed_inputs, why);
    assert!(String::from_utf8_lossy(&run.stderr).contains(why), "the user sees it too");
}

#[test]
fn a_program_off_its_path_diverges() {
    let _keep = inputs();
    assert_diverges(&GOOD[..2], "the program asks for 'x_1', but the test holds no more inputs");
    let change = |at: usize, input: (&'static str, &'static [u8])| {
        let mut test = GOOD;
        test[at] = input;
        test
    };
    let asks = |name: &str, next: &str| {
        format!("the program asks for '{name}', but the next input of the test is '{next}'")
    };
    assert_diverges(&change(0, ("y", &[1])), &asks("x", "y"));
    // KLEE repeats the name; then the third has no number either.
    assert_diverges(&change(1, ("x", &[1])), &asks("x_1", "x_1_1"));
    assert_diverges(&change(1, ("x_2", &[1])), &asks("x", "x_2"));
    assert_diverges(&change(1, ("x_", &[1])), &asks("x", "x_"));
    assert_diverges(&change(2, ("x_2", &[1])), &asks("x_1", "x_2"));
    assert_diverges(
        &change(0, ("x", &[1, 2])),
        "the program asks for 1 bytes for 'x', but the test has 2",
    );
    assert_diverges(&change(0, ("x", &[0])), "the test breaks an assumption");
    let range = change(3, ("range", &[9, 0, 0, 0]));
    assert_diverges(&range, "the test breaks the range it was made for");
    let choice = change(4, ("klee_choose", &[3, 0, 0, 0, 0, 0, 0, 0]));
    assert_diverges(&choice, "the test breaks a choice between fewer");
}

#[test]
fn unread_inputs_are_counted() {
    let _keep = inputs();
    let mut test = GOOD.to_vec();
    test.push(("more", &[1]));
    test.push(("model_version", &[1, 0, 0, 0]));
    let run = inputs().run(&test);
    assert_eq!((run.ending, run.unread_inputs), (NativeEnding::Exited(20), 1));
    // KLEE's object for its model of files stands first in its tests.
    test.rotate_right(1);
    assert_eq!(inputs().run(&test).ending, NativeEnding::Exited(20));
}

#[test]
fn a_damaged_test_is_reported() {
    let _keep = inputs();
    let inputs_of =
        |&(name, bytes): &(&str, &[u8])| Input { name: name.to_string(), bytes: bytes.to_vec() };
    let test = TestCase { args: vec![b"a".to_vec()], inputs: GOOD.iter().map(inputs_of).collect() };
    let bytes = ktest::encode(&test).expect("small");
    for cut in [0, 4, 8, 12, 20, 30, bytes.len() - 1] {
        let run = inputs().run_bytes(&bytes[..cut], &["a.c"], &[]);
        assert!(matches!(run.ending, NativeEnding::Unable(_)), "cut at {cut}: {run:?}");
    }
}

#[test]
fn competition_programs_run() {
    let program = Program::new(
        r#"
        extern int __VERIFIER_nondet_int(void);
        extern unsigned char __VERIFIER_nondet_uchar(void);
        extern _Bool __VERIFIER_nondet_bool(void);
        extern double __VERIFIER_nondet_double(void);
        extern void __VERIFIER_assume(int);
        extern void __assert_fail(const char *, const char *, unsigned, const char *);
        void reach_error(void) { __assert_fail("0", "orig.c", 3, "reach_error"); }
        void __VERIFIER_assert(int holds) { if (!holds) { reach_error(); } }
        int main(void) {
            int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
            __VERIFIER_assume(a < b);
            __VERIFIER_assert(__VERIFIER_nondet_uchar() != 7);
            return b - a + __VERIFIER_nondet_bool() + (__VERIFIER_nondet_double() == 1.5);
        }
        "#,
    );
    let double = 1.5f64.to_le_bytes();
    let test =
        |byte: &'static [u8]| -> [(&str, &[u8]); 2] { [("int", &[2, 0, 0, 0]), ("uchar", byte)] };
    let [a, seven] = test(&[7]);
    let run = program.run(&[a, ("int_1", &[5, 0, 0, 0]), seven]);
    let NativeEnding::Sanitizer(report) = &run.ending else { panic!("{run:?}") };
    assert_eq!((report.kind.as_str(), report.at.as_ref().map(|at| at.line)), ("ABRT", Some(8)));
    assert_eq!(run.assertion.expect("an assertion").at.to_string(), "orig.c:3");
    let [a, eight] = test(&[8]);
    let run =
        program.run(&[a, ("int_1", &[5, 0, 0, 0]), eight, ("bool", &[1]), ("double", &double)]);
    assert_eq!(run.ending, NativeEnding::Exited(5));
}

#[test]
fn a_library_error_function_reports() {
    let program = Program::new("void reach_error(void);\nint main(void) { reach_error(); }\n");
    let NativeEnding::Reported { message, at, .. } = program.run(&[]).ending else {
        panic!("reported")
    };
    assert_eq!(message, "reach_error was called");
    assert_eq!(at.expect("a location").line, 2);
}

#[test]
fn bitcode_runs_with_the_address_sanitizer() {
    let dir = TempDir::new().expect("a directory");
    let path = |name: &str| dir.path().join(name);
    let library = "char get(char *p, int n) {\n    return p[n];\n}\n";
    fs::write(path("lib.c"), library).expect("a source");
    let main = "#include <stdlib.h>\nint klee_int(const char *);\nchar get(char *, int);\n\
                int main(void) { return get(calloc(4, 1), klee_int(\"n\")); }\n";
    fs::write(path("main.c"), main).expect("a source");
    for (from, to) in [("lib.c", "lib.bc"), ("main.c", "main.o")] {
        let mut command = Command::new(clang());
        command.current_dir(dir.path()).args(["-g", "-O1", "-emit-llvm", "-c", from, "-o", to]);
        assert!(command.status().expect("clang starts").success());
    }
    let files = [("lib.bc", SourceKind::Bitcode), ("main.o", SourceKind::Bitcode)];
    let program =
        Program::build(&build_spec(dir.path(), &files), TempDir::new().expect("a directory"));
    assert!(program.executable.is_sanitised());
    assert_eq!(program.run(&[("n", &[3, 0, 0, 0])]).ending, NativeEnding::Exited(0));
    let run = program.run(&[("n", &[4, 0, 0, 0])]);
    let NativeEnding::Sanitizer(report) = &run.ending else { panic!("{run:?}") };
    let at = report.at.as_ref().expect("a location");
    assert!(at.file.ends_with("lib.c") && at.line == 2, "{at}");
}

#[test]
fn a_compile_error_has_the_output_of_clang() {
    let dir = TempDir::new().expect("a directory");
    fs::write(dir.path().join("a.c"), "int main(void) { return nothing; }").expect("a source");
    let c = [("a.c", SourceKind::C)];
    let build =
        |build_spec: &BuildSpec| match Executable::build(build_spec, dir.path(), &mut || true) {
            Err(error) => (error.to_string(), error.tool_output().to_string()),
            _ => panic!("it cannot be built"),
        };
    let (message, words) = build(&build_spec(dir.path(), &c));
    assert_eq!(message, "'a.c' does not compile natively");
    assert!(words.contains("use of undeclared identifier 'nothing'"), "{words}");
    fs::write(dir.path().join("a.c"), "int f(void);\nint main(void) { return f(); }")
        .expect("a source");
    let (message, words) = build(&build_spec(dir.path(), &c));
    assert_eq!(message, "the program does not link natively");
    assert!(words.contains("undefined reference to `f'"), "{words}");
    let (message, _) =
        build(&BuildSpec { clang: "no-such-clang".into(), ..build_spec(dir.path(), &c) });
    assert!(message.starts_with("cannot run 'no-such-clang'"), "{message}");
}

#[test]
fn assertions_are_found_in_other_output() {
    let find = |text: &str| assertion(text.as_bytes()).map(|found| found.at.to_string());
    let glibc = "words\na.c: /b/c d.c:15: int main(int, char **): Assertion `x == 1' failed.\nmore";
    assert_eq!(find(glibc).as_deref(), Some("/b/c d.c:15"));
    let cpp = "p: x.cc:7: void A::b(int): Assertion `a::b' failed.\n";
    assert_eq!(find(cpp).as_deref(), Some("x.cc:7"));
    for other in ["", "Assertion `x' failed.", "a: Assertion `x' failed.", "a.c:3: no"] {
        assert_eq!(find(other), None, "{other}");
    }
}

#[test]
fn a_program_gets_files_input_and_environment() {
    let program = Program::new(
        r#"
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char file[8] = "", input[8] = "";
    struct stat status;
    FILE *a = fopen("A", "r");
    if (!a || fread(file, 1, 8, a) != 3 || memcmp(file, "a\0b", 3)) return 1;
    if (stat("A", &status) || (status.st_mode & 07777) != 0644) return 2;
    if (read(0, input, 8) != 4 || memcmp(input, "in\n", 4)) return 3;
    if (fstat(0, &status) || !S_ISFIFO(status.st_mode)) return 4;
    if (strcmp(getenv("TWICE"), "first") || getenv("BYWAY_TEST_SKIP")) return 5;
    return klee_int("arg00") == 7 ? 0 : 6;
}
"#,
    );
    let input =
        |name: &str, value: i32| Input { name: name.into(), bytes: value.to_le_bytes().to_vec() };
    // The program's own input has the name of one that an option stands for.
    let inputs = vec![input("arg00", 1), input("arg00_1", 7)];
    let test = ktest::encode(&TestCase { args: vec![], inputs }).expect("a test");
    let files = [InputFile { name: "A".into(), bytes: b"a\0b".to_vec() }];
    let env = [b"TWICE=first".to_vec(), b"TWICE=second".to_vec()];
    let job = NativeJob {
        consumed_inputs: 1,
        files: &files,
        stdin: b"in\n\0",
        env: &env,
        ..job_of(&test)
    };
    let run = program.executable.run(&job, &mut program.sandbox(), &mut || true).expect("it runs");
    assert_eq!((&run.ending, run.unread_inputs), (&NativeEnding::Exited(0), 0), "{run:?}");
}
