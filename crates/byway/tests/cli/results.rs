//! `byway show` and `byway stats` on run directories.

use std::fs;

use serde_json::Value;

use crate::setup::TestDir;

const PROGRAM: &str = r#"
#include <byway.h>
int main(void)
{
    short n;
    double d;
    byway_make_symbolic(&n, sizeof n, "n");
    byway_assume(n == -2);
    byway_make_symbolic(&d, sizeof d, "d");
    if (d == 2.25)
        __builtin_trap();
    return 3;
}
"#;

/// A lab with a run in `out`: one path traps, the other exits.
fn lab() -> TestDir {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM);
    lab.byway(&["run", "--output-dir", "out", "a.c", "--", "-x"]).code(1);
    lab
}

/// The number of the path that trapped.
fn trapped(lab: &TestDir) -> u64 {
    let faults = fs::read_to_string(lab.path("out/faults.jsonl")).expect("faults");
    let fault: Value = serde_json::from_str(faults.trim_end()).expect("one fault");
    fault["path"].as_u64().expect("a number")
}

#[test]
fn a_test_is_shown_with_its_end() {
    let lab = lab();
    let number = trapped(&lab);
    let by_number = lab.byway(&["show", "out", &number.to_string()]);
    by_number.code(0).quiet();
    let text = &by_number.stdout;
    for part in [
        "arguments \"a.c\" \"-x\"\n",
        "object 1 n, 2 bytes\n  00  fe ff  \"\\xfe\\xff\"\n  as an integer: -2, unsigned 65534",
        "object 2 d, 8 bytes\n",
        "as a double: 2.25\n",
        "ends with fault 1 of the run\nerror[trap]: ",
        "11 |         __builtin_trap();",
        "0: main at a.c:11:9\n",
    ] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    for name in [format!("out/{number}"), format!("out/{number:06}")] {
        assert_eq!(lab.byway(&["show", &name]).code(0).stdout, *text);
    }
    let file = format!("out/tests/{number:06}.ktest");
    assert_eq!(lab.byway(&["show", &file]).code(0).stdout, *text);
    // Elsewhere it is a test like any other.
    fs::copy(lab.path(&file), lab.path("alone.ktest")).expect("a copy");
    let alone = lab.byway(&["show", "alone.ktest"]);
    alone.code(0).quiet();
    assert!(alone.stdout.contains("as a double: 2.25") && !alone.stdout.contains("ends"));
    let other = lab.byway(&["show", "out", &(3 - number).to_string()]);
    assert!(other.code(0).stdout.ends_with("ends with exit code 3\n"), "{other:?}");
}

#[test]
fn what_cannot_be_shown_is_told_why() {
    let lab = lab();
    lab.byway(&["show", "out"]).code(2).says("is a directory").says("byway show out 1");
    lab.byway(&["show", "out", "77"]).code(2).says("has no path 77: the last is 2");
    lab.byway(&["show", "missing.ktest"]).code(2).says("cannot read 'missing.ktest'");
    let whole = fs::read(lab.path("out/tests/000001.ktest")).expect("a test");
    lab.file("cut.ktest", &whole[..whole.len() - 3]);
    lab.byway(&["show", "cut.ktest"]).code(2).says("cannot read 'cut.ktest': cut short: ");
    lab.file("other.ktest", "something else");
    lab.byway(&["show", "other.ktest"]).code(2).says("not a test");
}

#[test]
fn statistics_are_those_of_the_run() {
    let lab = lab();
    let run = lab.byway(&["stats", "out"]);
    run.code(0).quiet();
    for part in [
        "byway: explored completely after ",
        "  program       a.c -- -x\n",
        "  paths         2: 1 exit, 1 fault\n",
        "    1 trap at a.c:11:9: on 1 path, first in 0000",
        "  queries       ",
        "  coverage      ",
    ] {
        assert!(run.stdout.contains(part), "no {part:?} in {}", run.stdout);
    }
    let json = lab.byway(&["stats", "--json", "out"]);
    let all: Value = serde_json::from_str(&json.code(0).stdout).expect("JSON");
    assert_eq!(all["summary"]["totals"]["paths"]["fault"], 1);
    assert_eq!(all["manifest"]["schema"], 1);
    assert_eq!(all["faults"][0]["kind"], "trap");
    assert!(all["clock"]["last"]["elapsed_ms"].is_u64());
}

#[test]
fn damage_is_named_with_file_and_line() {
    let lab = lab();
    let faults = fs::read_to_string(lab.path("out/faults.jsonl")).expect("faults");
    lab.file("out/faults.jsonl", format!("{faults}{{\"id\": 2}}\n"));
    lab.byway(&["stats", "out"]).code(2).says("'out/faults.jsonl' is damaged: line 2, column ");
    lab.file("out/manifest.json", "{\n\"schema\": 1,");
    lab.byway(&["stats", "out"]).code(2).says("'out/manifest.json' is damaged: ").says("line 2");
    lab.byway(&["stats", "."]).code(2).says("'.' is not a run directory");
    lab.byway(&["stats", "nowhere"]).code(2).says("cannot read 'nowhere': No such file");
}
