//! Faults as the user reads them. Each test checks the kind, the place and the
//! exit code; one compares the whole text.

use crate::setup::{Run, TestDir};

/// Runs a source that is expected to break, with these options.
fn broken(source: &str, options: &[&str]) -> Run {
    let lab = TestDir::new();
    lab.file("a.c", source);
    let words: Vec<&str> = ["exec"].iter().chain(options).chain(&["a.c"]).copied().collect();
    lab.byway(&words)
}

/// Asserts that the program breaks this rule at this line and column.
#[track_caller]
fn fault(source: &str, options: &[&str], kind: &str, place: &str) -> Run {
    let run = broken(source, options);
    run.code(1).says(&format!("error[{kind}]: ")).says(&format!(" --> a.c:{place}\n"));
    assert_eq!(run.stderr.matches("error[").count(), 1, "{run:#?}");
    run
}

#[test]
fn the_whole_text() {
    let source = "\
static void fill(int *squares, int count) {
    for (int i = 0; i <= count; i++)
        squares[i] = i * i;
}

int main(void) {
    int squares[10];
    fill(squares, 10);
    return squares[9];
}
";
    let run = broken(source, &[]);
    run.code(1).stdout("");
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert!(
        lines[0].starts_with("error[out-of-bounds]: write of 4 bytes at offset 40 "),
        "{run:#?}"
    );
    assert_eq!(
        lines[1..5],
        [" --> a.c:3:20", "  |", "3 |         squares[i] = i * i;", "  |                    ^",]
    );
    let stack: Vec<&str> = lines.iter().copied().skip_while(|l| *l != "call stack:").collect();
    assert_eq!(stack[..3], ["call stack:", "  0: fill at a.c:3:20", "  1: main at a.c:8:5"]);
}

#[test]
fn a_fault_in_the_library_is_blamed_on_the_users_call() {
    let source = "\
#include <string.h>
static char name[4];
int main(int argc, char **argv) {
    strcpy(name, \"too long\");
    return 0;
}
";
    let run = fault(source, &[], "out-of-bounds", "4:5");
    run.says("4 |     strcpy(name, \"too long\");").says("  |     ^^^^^^\n");
    run.says("(library)").says(": main at a.c:4:5");
}

#[test]
fn memory_faults() {
    let heap = "\
#include <stdlib.h>
int main(void) {
    int *p = malloc(8);
    p[1] = 1;
    free(p);
    return p[1];
}
";
    fault(heap, &[], "use-after-free", "6:12").says("5 |     free(p);");
    let double = "\
#include <stdlib.h>
int main(void) {
    void *p = malloc(8);
    free(p);
    free(p);
    return 0;
}
";
    fault(double, &[], "double-free", "5:5");
    let null = "int main(int argc, char **argv) {\n    int *p = argc > 5 ? &argc : 0;\n    return *p;\n}\n";
    fault(null, &[], "null-dereference", "3:12");
    let constant =
        "int main(void) {\n    char *s = \"constant\";\n    s[0] = 'K';\n    return 0;\n}\n";
    fault(constant, &[], "write-to-constant", "3:10");
    let local = "\
static int *leak(void) {
    int local = 3;
    int *p = &local;
    return p;
}
int main(void) {
    return *leak();
}
";
    fault(local, &[], "use-after-return", "7:12");
}

#[test]
fn other_faults() {
    let division = "int main(int argc, char **argv) {\n    return 7 / (argc - 1);\n}\n";
    fault(division, &[], "division-by-zero", "2:14");
    let assertion = "\
#include <assert.h>
int main(int argc, char **argv) {
    assert(argc == 5);
    return 0;
}
";
    fault(assertion, &[], "assert", "3:5").says("argc == 5");
    let abort = "#include <stdlib.h>\nint main(void) {\n    abort();\n}\n";
    fault(abort, &[], "abort", "3:5");
    let call = "int main(void) {\n    void (*f)(void) = (void (*)(void))12345;\n    f();\n    return 0;\n}\n";
    fault(call, &[], "bad-function-pointer", "3:5");
}

#[test]
fn a_stack_without_end_is_cut() {
    let source =
        "int f(int x) {\n    return f(x + 1) + 1;\n}\nint main(void) {\n    return f(0);\n}\n";
    let run = fault(source, &["--max-depth", "5000"], "stack-exhausted", "2:12");
    run.says(" more calls ...").says(": main at a.c:5:12");
    assert!(run.stderr.lines().count() < 40, "{run:#?}");
}

#[test]
fn optional_checks() {
    let overflow = "int main(int argc, char **argv) {\n    int x = 0x7fffffff;\n    return (x + argc) == 5;\n}\n";
    broken(overflow, &[]).code(0);
    fault(overflow, &["--check", "signed-overflow"], "signed-overflow", "3:15");
    let shift = "int main(int argc, char **argv) {\n    return (1u << (argc + 31)) == 5;\n}\n";
    assert_ne!(broken(shift, &[]).code, Some(3));
    fault(shift, &["--check", "shift"], "invalid-shift", "2:16");
    let uninitialised =
        "#include <stdlib.h>\nint main(void) {\n    int *p = malloc(4);\n    return *p == 7;\n}\n";
    broken(uninitialised, &["--check", "no-uninitialised"]).code(0);
    fault(uninitialised, &[], "uninitialised-read", "4:5");
    let alignment = "\
static char buffer[16];
int main(void) {
    char *p = buffer + 1;
    return *(int *)p;
}
";
    broken(alignment, &[]).code(0);
    fault(alignment, &["--check", "all"], "misaligned", "4:12");
}

#[test]
fn colours_only_when_wanted() {
    let source = "#include <stdlib.h>\nint main(void) { abort(); }\n";
    assert!(!broken(source, &[]).stderr.contains('\x1b'));
    assert!(broken(source, &["--color", "always"]).stderr.contains("\x1b[1;31merror[abort]"));
}

#[test]
fn output_before_the_fault_is_not_lost() {
    let source = "#include <unistd.h>\n#include <stdlib.h>\nint main(void) {\n\
                  write(1, \"before\\n\", 7); abort(); }\n";
    broken(source, &[]).code(1).stdout("before\n");
}

#[test]
fn without_debug_information_the_function_is_named() {
    let lab = TestDir::new();
    lab.file("a.c", "#include <stdlib.h>\nint main(void) { abort(); }\n");
    lab.clang(&["-emit-llvm", "-c", "a.c", "-o", "a.bc"]);
    lab.byway(&["exec", "a.bc"]).code(1).says("error[abort]: ").says("main");
}

#[test]
fn what_is_not_supported_is_named() {
    let source = "int main(void) {\n    __asm__ volatile(\"rdtsc\" ::: \"eax\", \"edx\");\n    return 0;\n}\n";
    let run = broken(source, &[]);
    run.code(3)
        .says("byway: unsupported: ")
        .says(" --> a.c:2:5\n")
        .says("not a fault of the program");
}

#[test]
fn unmodelled_system_calls_are_counted() {
    let source = "\
#define _DEFAULT_SOURCE
#include <unistd.h>
int main(void) {
    for (int i = 0; i < 3; i++)
        if (acct(\"log\") != -1)
            return 1;
    return 0;
}
";
    broken(source, &[])
        .code(0)
        .says("byway: warning: not modelled faithfully: system call acct (3 times)\n");
}
