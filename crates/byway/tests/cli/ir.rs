//! `byway ir`: its output can be parsed again and gives the same program.

use std::fs;
use std::io::Read;
use std::process::Stdio;

use crate::setup::TestDir;

const SOURCE: &str = "#include <stdio.h>\nstatic int twice(int x) { return 2 * x; }\n\
                      int main(void) { printf(\"%d\\n\", twice(21)); return 0; }\n";

#[test]
fn a_function_alone() {
    let lab = TestDir::new();
    lab.file("a.c", SOURCE);
    let run = lab.byway(&["ir", "--function", "twice", "a.c"]);
    run.code(0).quiet();
    assert!(run.stdout.contains("twice") && !run.stdout.contains("@main"), "{}", run.stdout);
    let multiply = run.stdout.lines().find(|line| line.contains(" = mul ")).unwrap_or_default();
    assert!(multiply.ends_with(" ; a.c:2:36"), "{}", run.stdout);
    let run = lab.byway(&["ir", "--function", "thrice", "a.c"]);
    run.code(2).stdout("").says("the program has no function 'thrice'");
    let run = lab.byway(&["ir", "--function", "twise", "a.c"]);
    run.code(2).stdout("").says("did you mean 'twice'?");
}

#[test]
fn what_pointers_point_to() {
    let lab = TestDir::new();
    lab.file(
        "p.c",
        "#include <stdlib.h>\nstruct pair { int *a, *b; };\nint x, y;\n\
         int sum(struct pair *p) { return *p->a + *p->b; }\n\
         int main(void) { struct pair *p = malloc(sizeof *p); p->a = &x; p->b = &y;\n\
         return sum(p); }\n",
    );
    let run = lab.byway(&["ir", "--points-to", "sum", "p.c"]);
    run.code(0).quiet();
    for line in ["reads 4 bytes of @x  ; p.c:4:34", "reads 4 bytes of @y  ; p.c:4:42"] {
        assert!(run.stdout.contains(line), "{}", run.stdout);
    }
    assert!(run.stdout.contains("v0 -> heap of @main (p.c:5:35)"), "{}", run.stdout);
    let run = lab.byway(&["ir", "--points-to", "none", "p.c"]);
    run.code(2).stdout("").says("the program has no function 'none'");
    lab.byway(&["exec", "--check-points-to", "p.c"]).code(0).says(" 0 missed");
}

/// The analysis takes the index of pointer arithmetic for a number: the check must notice where
/// it is not.
#[test]
fn an_access_that_the_points_to_analysis_misses_is_reported() {
    let lab = TestDir::new();
    lab.file(
        "q.c",
        "int a[2], b[2];\nint main(int argc, char **argv) {\n\
         volatile long d = (char *)a - (char *)b;\nreturn *(int *)((char *)b + d); }\n",
    );
    let run = lab.byway(&["exec", "--check-points-to", "q.c"]);
    run.code(101).says("accesses @a+0").says(" 1 missed");
}

/// Table 2 of "Dependence guided symbolic execution": its line n is line n + 14.
#[test]
fn what_lines_depend_on() {
    let lab = TestDir::new();
    lab.file("figure2.c", include_str!("../../../../tests/dgse/figure2.c"));
    let run = lab.byway(&["ir", "--depends", "--function", "test", "figure2.c"]);
    run.code(0).quiet().stdout(
        "@test\n  \
         15: control main:37\n  \
         16T: control main:37; data main:37\n  \
         16F: control main:37; data main:37; interactive 15\n  \
         17: control 16T\n  \
         18T, 18F: control main:37; data main:37; interactive 15, 16F, 17\n  \
         19: control 18T; interactive 15, 16F, 17\n  \
         21: control 18F; interactive 15, 16F, 17\n  \
         22T, 22F: control main:37; data main:37; interactive 15, 16F, 17\n  \
         23: control 22T; interactive 15, 16F, 17\n  \
         25: control 22F; interactive 15, 16F, 17\n  \
         26: control main:37; data 15, 17, 19, 21; potential 16F; interactive 15, 16F, 17, 19, 21\n  \
         27: control main:37; data 15, 17, 19, 21, 26; potential 16F\n  \
         28: control main:37; data 15, 17, 23, 25; potential 16F\n",
    );
    let run = lab.byway(&["ir", "--depends", "--dot", "figure2.c"]);
    run.code(0).quiet();
    for line in [
        "digraph dependences {",
        "    \"test:16F\" [label=\"16F\"];",
        "  \"test:16T\" -> \"test:17\" [color=black];",
        "  \"test:26\" -> \"test:27\" [color=blue];",
        "  \"test:16F\" -> \"test:26\" [color=red, style=dashed];",
        "  \"test:15\" -> \"test:16F\" [color=gray40, style=dotted];",
        "  \"main:37\" -> \"test:15\" [color=black];",
        "  \"test:28\" -> \"main:37\" [color=blue];",
    ] {
        assert!(run.stdout.lines().any(|it| it == line), "{line}: {}", run.stdout);
    }
    // The ends of scopes, which have no line and no dependences.
    assert!(!run.stdout.contains("inst"), "{}", run.stdout);
}

#[test]
fn dependences_of_functions_that_do_not_exist() {
    let lab = TestDir::new();
    lab.file("a.c", SOURCE);
    let run = lab.byway(&["ir", "--depends", "--function", "twcie", "a.c"]);
    run.code(2).stdout("").says("the program has no function 'twcie'").says("'twice'");
    lab.byway(&["ir", "--dot", "a.c"]).code(2).stdout("").says("--depends");
    let run = lab.byway(&["ir", "--depends", "--points-to", "main", "a.c"]);
    run.code(2).stdout("").says("cannot be used with");
    lab.file("lib.c", "int f(int x) { return x + 1; }\n");
    let run = lab.byway(&["ir", "--depends", "lib.c"]);
    run.code(0).stdout("@f: no call reaches it\n");
}

#[test]
fn the_users_functions_alone() {
    let lab = TestDir::new();
    lab.file("a.c", SOURCE);
    let run = lab.byway(&["ir", "--user", "a.c"]);
    run.code(0).quiet();
    assert!(run.stdout.contains("twice") && run.stdout.contains("main"), "{}", run.stdout);
    assert!(run.stdout.lines().count() < 200, "the library is in it: {}", run.stdout);
}

#[test]
fn a_whole_program_survives_being_printed() {
    let lab = TestDir::new();
    lab.file("a.c", SOURCE);
    lab.byway(&["ir", "a.c", "--out", "one.bwir"]).code(0).stdout("").quiet();
    lab.byway(&["ir", "one.bwir", "--out", "two.bwir"]).code(0).quiet();
    let text = |name: &str| fs::read_to_string(lab.path(name)).expect("printed IR");
    assert!(text("one.bwir") == text("two.bwir"), "the second printing differs");
    assert!(text("one.bwir").contains("module \"a.c\""), "it has another name");
    lab.byway(&["exec", "two.bwir"]).code(0).stdout("42\n").quiet();
}

#[test]
fn a_library_can_be_printed() {
    let lab = TestDir::new();
    lab.file("lib.c", "int f(int x) { return x + 1; }\n");
    let run = lab.byway(&["ir", "--function", "f", "lib.c"]);
    run.code(0).quiet();
    assert!(run.stdout.contains('f'));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let lab = TestDir::new();
    lab.file("a.c", SOURCE);
    let mut child = lab
        .command(&["ir", "a.c"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("byway starts");
    let mut stdout = child.stdout.take().expect("a pipe");
    let mut some = [0; 10];
    stdout.read_exact(&mut some).expect("some output");
    drop(stdout);
    let output = child.wait_with_output().expect("byway ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
