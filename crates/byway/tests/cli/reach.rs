//! `byway reach`: verdicts on lines, functions and errors, and messages about targets that are
//! none.

use std::fs;

use serde_json::Value;

use crate::setup::TestDir;

const GATE: &str = r#"#include <assert.h>
#include <byway.h>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf back;

static void deep(int x) {
    if (x > 100)
        longjmp(back, 1);
}

static int called(int x) {
    return x + 1;
}

int unused(int x) {
    return x + 2;
}

int main(void) {
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    if (setjmp(back))
        return called(x);
    if (x == 7)
        assert(x != 7);
    deep(x);
    if ((x & 3) == 5)
        abort();
    return 0;
}
"#;

fn verdicts(lab: &TestDir) -> Vec<(String, String)> {
    let text = fs::read_to_string(lab.path("run/targets.json")).expect("targets.json");
    let record: Value = serde_json::from_str(&text).expect("JSON");
    let word = |target: &Value, key: &str| target[key].as_str().expect("a text").to_string();
    let targets = record["targets"].as_array().expect("targets").iter();
    targets.map(|target| (word(target, "name"), word(target, "verdict"))).collect()
}

#[test]
fn every_target_gets_a_verdict() {
    let lab = TestDir::new();
    lab.file("gate.c", GATE);
    let targets = ["called", "unused", "gate.c:10", "errors"];
    let mut words = vec!["reach", "--output-dir", "run", "--max-time", "1m"];
    words.extend(targets.iter().flat_map(|target| ["--target", target]));
    words.push("gate.c");
    let run = lab.byway(&words);
    run.code(0).says("targets");
    let expected = [
        ("called", "reached"),
        ("unused", "unreachable"),
        ("gate.c:10", "reached"),
        ("gate.c:27", "reached"),
        ("gate.c:30", "unreachable"),
    ];
    let expected = expected.map(|(name, verdict)| (name.to_string(), verdict.to_string()));
    assert_eq!(verdicts(&lab), expected);
    let text = fs::read_to_string(lab.path("run/targets.json")).expect("targets.json");
    assert_eq!(text.matches("\"confirmed\": true").count(), 3, "{text}");
}

#[test]
fn a_run_with_targets_writes_their_verdicts() {
    let lab = TestDir::new();
    lab.file("gate.c", GATE);
    for search in ["sdse", "sdse:intra", "random-path", "dart"] {
        let _ = fs::remove_dir_all(lab.path("run"));
        let words = ["run", "--output-dir", "run", "--search", search, "--target", "called"];
        // A path that ends in the failing assertion may come first.
        let run = lab.byway(&[&words[..], &["gate.c"]].concat());
        run.says("all targets reached");
        assert_eq!(verdicts(&lab), [("called".to_string(), "reached".to_string())], "{search}");
    }
}

#[test]
fn a_limit_leaves_a_target_undecided() {
    let lab = TestDir::new();
    lab.file("gate.c", GATE);
    let words = ["reach", "--output-dir", "run", "--max-work", "1", "--target", "gate.c:30"];
    let run = lab.byway(&[&words[..], &["gate.c"]].concat());
    run.code(5);
    assert_eq!(verdicts(&lab), [("gate.c:30".to_string(), "undecided".to_string())]);
}

#[test]
fn targets_that_are_none_get_what_is_close() {
    let lab = TestDir::new();
    lab.file("gate.c", GATE).file("hello.c", "int main(void) { return 0; }\n");
    lab.file("a/same.c", "int one(void) { return 1; }\n");
    lab.file("b/same.c", "int one(void);\nint main(void) { return one(); }\n");
    for (target, program, message) in [
        (
            "gate.c:3",
            &["gate.c"][..],
            "gate.c:3 has no code; the nearest lines that do are gate.c:",
        ),
        ("gat.c:9", &["gate.c"], "did you mean gate.c?"),
        ("calld", &["gate.c"], "did you mean `called`?"),
        ("gate.c:", &["gate.c"], "write FILE:LINE"),
        ("errors", &["hello.c"], "no calls for `errors`"),
        ("same.c:1", &["a/same.c", "b/same.c"], "several files are called same.c: "),
    ] {
        let words = [&["reach", "--output-dir", "none", "--target", target][..], program].concat();
        lab.byway(&words).code(2).says(message);
        assert!(!lab.path("none").exists(), "{target}");
    }
    lab.byway(&["reach", "gate.c"]).code(2).says("no target given");
}

/// Natively, the program continues behind the uninitialised value and the overflow; it ends at the
/// division by zero.
#[test]
fn a_target_behind_a_fault_is_undecided() {
    let lab = TestDir::new();
    let program = "#include <byway.h>
static int unset(int x) {
    int y;
    if (x > 9)
        y = 1;
    if (y)
        return 1;
    return x == 8;
}
static int overflow(int x) {
    if (x + 2147483600 < 0)
        return 1;
    return 0;
}
static int divide(int x) {
    int z = 10 / (x - 7);
    if (x == 7)
        return z;
    return 0;
}
int main(void) {
    unsigned char x[2];
    byway_make_symbolic(x, sizeof x, \"x\");
    return x[0] == 1 ? unset(x[1]) : x[0] == 2 ? overflow(x[1]) : divide(x[1]);
}
";
    lab.file("behind.c", program);
    let words = ["reach", "--output-dir", "run", "--checks", "signed-overflow", "--no-confirm"];
    let targets = ["behind.c:8", "behind.c:12", "behind.c:18"];
    let targets: Vec<&str> = targets.iter().flat_map(|target| ["--target", target]).collect();
    let run = lab.byway(&[&words[..], &targets, &["behind.c"]].concat());
    run.code(5);
    for fault in ["uninitialised-read at behind.c:6:9", "signed-overflow at behind.c:11:11"] {
        let reason = format!("a path ended with a fault before it, {fault}");
        assert!(run.stdout.contains(&reason), "{}", run.stdout);
    }
    let verdicts = verdicts(&lab);
    let expected = ["undecided", "undecided", "unreachable"];
    assert_eq!(verdicts.iter().map(|(_, verdict)| verdict).collect::<Vec<_>>(), expected);
}

/// A pointer made of input may refer to any function; those whose address the program never takes
/// are a fault, not a path that the distances do not know.
#[test]
fn a_function_whose_address_is_never_taken_is_not_called_through_input() {
    let lab = TestDir::new();
    let program = "#include <byway.h>
int reached, hidden;
void callback(void) { reached = 1; }
void never_taken(void) { hidden = 1; }
void (*volatile known)(void) = callback;
int main(void) {
    void (*f)(void);
    byway_make_symbolic(&f, sizeof f, \"f\");
    if (hidden)
        never_taken();
    f();
    return reached;
}
";
    lab.file("wild.c", program);
    let run = lab.byway(&["run", "--output-dir", "run", "wild.c"]);
    run.code(1).says("bad-function-pointer at wild.c:11:5");
    let words = ["reach", "--output-dir", "reach", "--no-confirm", "--target", "wild.c:3"];
    lab.byway(&[&words[..], &["--target", "wild.c:4", "wild.c"]].concat()).code(5);
    let text = fs::read_to_string(lab.path("reach/targets.json")).expect("targets.json");
    let record: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(record["targets"][0]["verdict"], "reached");
    assert_eq!(record["targets"][1]["verdict"], "undecided", "{text}");
}

#[test]
fn workers_agree_on_verdicts() {
    let lab = TestDir::new();
    lab.file("gate.c", GATE);
    for search in ["sdse", "mix-ccbse(sdse)", "random-path"] {
        let _ = fs::remove_dir_all(lab.path("run"));
        let words = ["reach", "-j", "2", "--output-dir", "run", "--no-confirm", "--search", search];
        let targets = ["--target", "called", "--target", "unused", "--target", "errors"];
        lab.byway(&[&words[..], &targets, &["gate.c"]].concat()).code(0);
        let verdicts: Vec<String> = verdicts(&lab).into_iter().map(|it| it.1).collect();
        assert_eq!(verdicts, ["reached", "unreachable", "reached", "unreachable"], "{search}");
    }
}

/// Forty states enter the function before the one whose path is not excluded; the backward search
/// keeps fewer of them.
#[test]
fn a_function_that_many_states_enter_stays_a_target() {
    let lab = TestDir::new();
    let program = "#include <byway.h>
static int entered(int x) { return x + 1; }
int main(void) {
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, \"x\");
    for (int i = 0; i < 40; i++)
        if (x == i) {
            int y = entered(i);
            byway_assume(y > 100);
        }
    if (x == 99)
        return entered(x);
    return 0;
}
";
    lab.file("many.c", program);
    for search in ["ccbse(dfs)", "ccbse(bfs)", "mix-ccbse(bfs)"] {
        let _ = fs::remove_dir_all(lab.path("run"));
        let words = ["reach", "--output-dir", "run", "--no-confirm", "--search", search];
        lab.byway(&[&words[..], &["--target", "entered", "many.c"]].concat()).code(0);
        assert_eq!(verdicts(&lab)[0].1, "reached", "{search}");
    }
}

/// The backward search runs the code before `main` too, and gives it up.
#[test]
fn an_endless_constructor_ends_by_the_limit() {
    let lab = TestDir::new();
    let program = "static volatile int on = 1;
__attribute__((constructor)) static void spin(void) { while (on); }
static int late(int x) { return x - 1; }
int main(int argc, char **argv) { return late(argc); }
";
    lab.file("spin.c", program);
    for search in ["ccbse(dfs)", "mix-ccbse(sdse)"] {
        let _ = fs::remove_dir_all(lab.path("run"));
        let words = ["reach", "--output-dir", "run", "--search", search, "--max-work", "100k"];
        lab.byway(&[&words[..], &["--target", "late", "spin.c"]].concat()).code(5);
        assert_eq!(verdicts(&lab)[0].1, "undecided", "{search}");
    }
}

/// A line that only sets a variable without memory is a target like any other.
#[test]
fn a_line_that_sets_a_variable_is_a_target() {
    let lab = TestDir::new();
    let program = "#include <byway.h>
int main(void) {
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, \"x\");
    int kind = 0;
    switch (x & 3) {
    case 2:
        kind = 5;
        break;
    case 4:
        kind = 6;
        break;
    default:
        kind = 7;
    }
    return kind;
}
";
    lab.file("kinds.c", program);
    let lines = ["kinds.c:8", "kinds.c:11", "kinds.c:14"];
    let targets: Vec<&str> = lines.iter().flat_map(|line| ["--target", line]).collect();
    lab.byway(&[&["reach", "--output-dir", "run"], &targets[..], &["kinds.c"]].concat()).code(0);
    let verdicts: Vec<String> = verdicts(&lab).into_iter().map(|it| it.1).collect();
    assert_eq!(verdicts, ["reached", "unreachable", "reached"]);
}
