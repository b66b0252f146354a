//! `byway run --changed`, `--since` and `--against`.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::run::record;
use crate::setup::{Run, TestDir};

const BEFORE: &str = "\
#include <byway.h>
#include <stdio.h>
int main(void)
{
    unsigned char x[2];
    byway_make_symbolic(x, 2, \"x\");
    int limit = 9;
    if (x[0] > 200)
        limit = 100;
    if (x[1] > limit)
        puts(\"high\");
    return 0;
}
";

/// Another limit, and a line less.
const AFTER: &str = "\
#include <byway.h>
#include <stdio.h>
// A comment.
int main(void)
{
    unsigned char x[2];
    byway_make_symbolic(x, 2, \"x\");
    int limit = 9;
    if (x[1] > limit)
        return 3;
    return 0;
}
";

/// A repository whose working tree differs from its only commit, which is also in `old`.
fn repository() -> TestDir {
    let lab = TestDir::new();
    lab.file("src/a.c", BEFORE).file("notes.txt", "one\n");
    lab.commit();
    lab.git(&["worktree", "add", "--quiet", "old", "HEAD"]);
    lab.file("src/a.c", AFTER).file("notes.txt", "two\n");
    lab.file(".gitignore", "old\nrun*\n*.bc\n");
    lab
}

fn run(lab: &TestDir, name: &str, words: &[&str]) -> Run {
    lab.byway(&[&["run", "--output-dir", name], words].concat())
}

fn config(lab: &TestDir, name: &str) -> Value {
    record(&lab.path(&format!("{name}/manifest.json")))["config"].clone()
}

fn differences(lab: &TestDir, name: &str) -> Value {
    record(&lab.path(&format!("{name}/summary.json")))["differences"].clone()
}

#[test]
fn lines_are_named() {
    let lab = TestDir::new();
    lab.file("a.c", BEFORE);
    run(&lab, "run", &["--changed", "a.c:7-9", "--changed", "a.c:11", "a.c"]).code(0);
    let config = config(&lab, "run");
    assert_eq!(config["reduce"], "dgse");
    let line = |line: u32| format!("{}:{line}", lab.path("a.c").display());
    assert_eq!(config["changed"], Value::from([7, 8, 9, 11].map(line).to_vec()));
    for (lines, why) in [
        ("a.c:1", "--changed a.c:1: a.c:1 has no code; the nearest lines that do are a.c:3,"),
        ("a.c:99", "a.c:99 has no code; the nearest lines that do are"),
        ("b.c:1", "the program has no code of a file b.c; did you mean a.c?"),
        ("a.c", "write FILE:LINE or FILE:FIRST-LAST"),
        ("a.c:9-7", "the last line is before the first"),
    ] {
        run(&lab, "bad", &["--changed", lines, "a.c"]).code(2).says(why);
        assert!(!lab.path("bad").exists(), "{lines}");
    }
}

#[test]
fn a_revision_gives_lines() {
    let lab = repository();
    let ran = run(&lab, "run", &["--since", "HEAD", "src/a.c"]);
    ran.code(0).says("byway: changed lines without code: src/a.c:3\n");
    ran.says("not part of the program: notes.txt");
    let config = config(&lab, "run");
    assert_eq!(config["since"], "HEAD");
    let line = |line: u32| format!("{}:{line}", lab.path("src/a.c").display());
    assert_eq!(config["changed"], Value::from(vec![line(10)]));
    // Two lines were removed before this one.
    assert_eq!(config["after_removed"], Value::from(vec![line(9)]));
    run(&lab, "bad", &["--since", "nowhere", "src/a.c"]).code(2).says("git knows no revision");
}

#[test]
fn a_change_of_comments_explores_nothing() {
    let lab = TestDir::new();
    lab.file("a.c", AFTER);
    lab.commit();
    let since = || run(&lab, "run", &["--since", "HEAD", "a.c"]);
    since().code(0).says("byway: no line with code changed since HEAD\n");
    lab.file("a.c", AFTER.replace("// A", "// Another"));
    let ran = since();
    ran.code(0).says("no line with code changed").says("changed lines without code: a.c:3");
    assert!(!lab.path("run").exists());
}

#[test]
fn bitcode_must_be_that_of_the_sources() {
    let lab = repository();
    let declaration = "void byway_make_symbolic(void *, unsigned long, const char *);";
    let text = AFTER.replace("#include <byway.h>", declaration);
    lab.file("src/a.c", &text);
    let compile = |debug: &str| {
        lab.clang(&["-c", "-emit-llvm", debug, "-o", "a.bc", "src/a.c"]);
    };
    compile("-g");
    let since = |name: &str| run(&lab, name, &["--since", "HEAD", "a.bc"]);
    since("run-1").code(0);
    lab.file("src/a.c", text.replace("9;", "8;"));
    since("bad").code(2).says("compiled from another version").says("hint: compile it again");
    run(&lab, "bad", &["--changed", "a.c:9", "a.bc"]).code(2).says("another version");
    // Without a digest only the times of the files are known.
    lab.file("src/a.c", &text);
    compile("-gdwarf-4");
    std::thread::sleep(Duration::from_millis(20));
    lab.file("src/a.c", &text);
    since("run-2").code(0).says("a.c' is newer than the program");
}

#[test]
fn options_that_do_not_go_together() {
    let lab = TestDir::new();
    lab.file("main.c", "int main(void) { return 0; }\n");
    let refused = |words: &[&str], why: &str| {
        run(&lab, "bad", &[words, &["main.c"]].concat()).code(2).says(why);
    };
    refused(
        &["--changed", "main.c:1", "--checks", "leak"],
        "--changed does not work with the check",
    );
    refused(&["--since", "HEAD", "--search", "dart"], "--since does not work with a searcher");
    refused(&["--against", "main.c", "--no-tests"], "--against does not work with --no-tests");
    refused(&["--against", "main.c", "--entry", "main"], "--against does not work with an entry");
    refused(&["--against", "none.c"], "cannot read 'none.c'");
    lab.file("text.bc", "no bitcode");
    refused(&["--against", "text.bc"], "'text.bc' is not LLVM bitcode");
    assert!(!lab.path("bad").exists());
}

#[test]
fn tests_run_on_both_builds() {
    let lab = repository();
    let ran = run(&lab, "run", &["--against", "old/src/a.c", "src/a.c"]);
    ran.code(1).says("  differences   1 of 2 tests, 1 kind (old build → new build)\n");
    let output = r#"standard output from byte 0 on "high\n" → nothing"#;
    ran.says(&format!("1 exit code 0 → exit code 3; {output}: on 1 test, first run/tests/"));
    let found = differences(&lab, "run");
    assert_eq!((&found["compared"], &found["different"]), (&2.into(), &1.into()));
    let first = found["kinds"][0]["first"].as_str().expect("a test").to_owned();
    let shown = lab.byway(&["show", &format!("run/{first}")]);
    assert!(shown.stdout.contains(&format!("against the old build: {output}")), "{shown:#?}");
    let stats = lab.byway(&["stats", "run"]);
    assert!(stats.stdout.contains("  differences   1 of 2 tests"), "{stats:#?}");
    assert_eq!(config(&lab, "run")["against"][0]["given"], "old/src/a.c");
    let same = run(&lab, "run-same", &["--against", "src/a.c", "-j", "2", "src/a.c"]);
    same.code(0).says("  differences   none on 2 tests\n");
    let few = run(&lab, "run-few", &["--against", "old/src/a.c", "--max-tests", "1", "src/a.c"]);
    few.says(" 1 test");
}

/// A read out of bounds that a native run survives.
#[test]
fn faults_of_one_build_are_differences() {
    let lab = TestDir::new();
    let program = |size: &str| {
        format!(
            "#include <byway.h>
int main(void) {{
    unsigned char x;
    byway_make_symbolic(&x, 1, \"x\");
    char text[{size}] = {{0}};
    return x < 4 ? text[x] : 0;
}}
"
        )
    };
    lab.file("old.c", program("4")).file("new.c", program("3"));
    let ran = run(&lab, "run", &["--against", "old.c", "new.c"]);
    ran.code(1).says("1 exit code 0 → out-of-bounds at new.c:6:20: on 1 test, first run/tests/");
    ran.says("      input: x = 0x03 (3)\n");
}

#[test]
fn removed_code_is_explored_in_the_old_build() {
    let lab = repository();
    let words = ["--since", "HEAD", "--against", "old/src/a.c", "src/a.c"];
    let ran = run(&lab, "run", &words);
    ran.code(1).says("exploring the old build, for code that the change removed or replaced");
    let old = config(&lab, "run/against");
    let line = |line: u32| format!("{}:{line}", lab.path("old/src/a.c").display());
    assert_eq!(old["changed"], Value::from([8, 9, 11].map(line).to_vec()));
    assert_eq!(record(&lab.path("run/against/summary.json"))["complete"], true);
    let lines = fs::read_to_string(lab.path("run/differences.jsonl")).expect("differences");
    assert!(lines.contains("\"test\":\"against/tests/"), "{lines}");
    assert!(lines.contains("\"test\":\"tests/"), "{lines}");
}

/// A repository with another version of a program in its working tree; the committed one is also
/// in `old`.
fn changed_program(before: &str, after: &str) -> TestDir {
    let lab = TestDir::new();
    lab.file("a.c", before);
    lab.commit();
    lab.git(&["worktree", "add", "--quiet", "old", "HEAD"]);
    lab.file("a.c", after).file(".gitignore", "old\nrun*\n");
    lab
}

const SINCE: [&str; 5] = ["--since", "HEAD", "--against", "old/a.c", "a.c"];

/// The exit code of each version depends on an input of its own, so no path of either has both
/// values that one of the differences needs.
#[test]
fn endings_of_both_builds_are_combined() {
    let program = |condition: &str, code: u32| {
        format!(
            "#include <byway.h>
int main(void) {{
    unsigned char x, y;
    byway_make_symbolic(&x, 1, \"x\");
    byway_make_symbolic(&y, 1, \"y\");
    if ({condition})
        return {code};
    return {code} + 1;
}}
"
        )
    };
    let lab = changed_program(&program("x > 10", 1), &program("y > 10", 3));
    let ran = run(&lab, "run", &SINCE);
    ran.code(1).says("byway: combining how the old and the new build end\n");
    ran.says("combinations of endings: 1 for two endings at once; ");
    let found = differences(&lab, "run");
    let kinds = found["kinds"].as_array().expect("kinds");
    assert_eq!(kinds.len(), 4, "{kinds:#?}");
    let firsts = kinds.iter().filter_map(|kind| kind["first"].as_str());
    let combined: Vec<&str> = firsts.filter(|it| it.starts_with("combinations/")).collect();
    assert_eq!(combined, ["combinations/000001.ktest"]);
    assert_eq!(found["combinations"]["combined"], 1);
    let shown = lab.byway(&["show", "run/combinations/000001.ktest"]);
    assert!(
        shown.stdout.contains("against the old build: exit code 1 → exit code 3"),
        "{shown:#?}"
    );
    let parallel = run(&lab, "run-2", &[&["-j", "2"], &SINCE[..]].concat());
    parallel.code(1).says(", 4 kinds (old build → new build)\n");
    let few = run(&lab, "run-few", &[&["--max-work", "1"], &SINCE[..]].concat());
    few.says("not all combinations decided: the limit on work\n");
}

/// A fault ends a build before it asks for an input, of which the other one assumes something.
#[test]
fn an_input_that_one_build_lacks_is_added() {
    let program = |check: &str| {
        format!(
            "#include <assert.h>
#include <byway.h>
int main(void) {{
    unsigned char x, y;
    byway_make_symbolic(&x, 1, \"x\");
    {check}
    byway_make_symbolic(&y, 1, \"y\");
    byway_assume(y > 5 && y < 8);
    return x > 10;
}}
"
        )
    };
    let lab = changed_program(&program(""), &program("assert(x < 20);"));
    let ran = run(&lab, "run", &SINCE);
    ran.code(1).says("1 exit code 1 → assert at a.c:6:5: on ").says("input: y = 0x0");
    let found = differences(&lab, "run");
    assert_eq!(found["not_comparable"], Value::Null);
    assert_eq!(found["kinds"].as_array().map(Vec::len), Some(1), "{found:#}");
    assert_eq!(found["combinations"]["extended"], 1);
    // Nothing is known about the change, so the input is zeros, which are excluded.
    let ran = run(&lab, "run-all", &["--against", "old/a.c", "a.c"]);
    ran.says("the old build asks for input 'y' of 1 byte, which the test does not have");
    let lab = changed_program(&program("").replace("y > 5", "y >= 0"), &program("assert(x < 20);"));
    let ran = run(&lab, "run-all", &["--against", "old/a.c", "a.c"]);
    ran.code(1).says("1 exit code 1 → assert at a.c:6:5: on 1 test");
}

#[test]
fn other_inputs_are_not_comparable() {
    let lab = TestDir::new();
    let program = |size: &str, name: &str, more: &str| {
        format!(
            "#include <byway.h>
int main(void) {{
    unsigned char x[8];
    {more}
    byway_make_symbolic(x, {size}, \"{name}\");
    return x[0] > 9;
}}
"
        )
    };
    lab.file("new.c", program("1", "x", ""));
    for (old, why) in [
        (program("2", "x", ""), "input 'x' has 2 bytes in the old build, not 1 byte"),
        (program("1", "y", ""), "the old build asks for input 'y' of 1 byte, which the test"),
        (program("1", "x", "byway_assume(0);"), "the old build excludes the input"),
    ] {
        lab.file("old.c", old);
        let ran = lab.byway(&["run", "--against", "old.c", "new.c"]);
        ran.code(0)
            .says("differences   none on 0 tests")
            .says(&format!("1 test not comparable: {why}"));
    }
}

/// After Ctrl-C, the tests so far are compared.
#[test]
fn an_interrupted_run_is_compared() {
    let lab = TestDir::new();
    let program = |code: u32| {
        format!(
            "#include <byway.h>
int main(void) {{
    unsigned n, i;
    byway_make_symbolic(&n, sizeof n, \"n\");
    for (i = 0; i < n; i++) ;
    return {code};
}}
"
        )
    };
    lab.file("old.c", program(0)).file("new.c", program(1));
    let mut command = lab.command(&[
        "run",
        "--search",
        "bfs",
        "--output-dir",
        "run",
        "--against",
        "old.c",
        "new.c",
    ]);
    let child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().expect("byway starts");
    let paths = lab.path("run/paths.jsonl");
    for _ in 0..600 {
        if fs::read(&paths).is_ok_and(|text| !text.is_empty()) {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    // SAFETY: the process is our child and has not been waited for.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
    let ended = child.wait_with_output().expect("byway ends");
    let words = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(130), "{words}");
    assert!(words.contains("exit code 0 → exit code 1: on"), "{words}");
}
