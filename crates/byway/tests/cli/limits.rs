//! `byway run` at its limits: large programs, and runs that are stopped.

use std::fs;

use serde_json::Value;

use crate::run::{lines, record};
use crate::setup::{Run, TestDir};

/// Every call makes an input with a name of its own.
const INPUTS: &str = r#"
int __VERIFIER_nondet_int(void);
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 20000; i++)
        sum ^= __VERIFIER_nondet_int();
    return sum == 7;
}
"#;

/// When every name was compared with all others, this took hours.
#[test]
fn thousands_of_inputs_take_no_longer_each_than_a_few() {
    let lab = TestDir::new();
    lab.file("a.c", INPUTS);
    lab.byway(&["run", "--max-time", "60s", "a.c"]).code(0).says("explored completely");
}

/// A program of 64 branches, each with two sides: breadth first, no path ends.
fn branches() -> String {
    let branches: String = (0..64).map(|i| format!("    if (b[{i}] == {i}) n++;\n")).collect();
    format!(
        "#include <byway.h>\nint main(void)\n{{\n    unsigned char b[64];\n    int n = 0;\n    \
         byway_make_symbolic(b, sizeof b, \"b\");\n{branches}    return n;\n}}\n"
    )
}

/// The summary of a run on the branches, and the number of its tests.
fn stopped(words: &[&str]) -> (Run, Value, usize) {
    let lab = TestDir::new();
    lab.file("a.c", branches());
    let run = lab.byway(&[&["run", "--output-dir", "out", "a.c"], words].concat());
    run.code(0);
    lab.byway(&["export", "out"]).code(0);
    let tests = fs::read_dir(lab.path("out/tests")).expect("tests").count();
    let paths = lines(&lab.path("out/paths.jsonl"));
    assert!(paths.iter().all(|path| !path["test"].is_null()));
    assert_eq!(paths.len(), tests);
    (run, record(&lab.path("out/summary.json")), tests)
}

fn count(value: &Value) -> u64 {
    value.as_u64().expect("a count")
}

/// A run with tens of thousands of states wrote a test for each.
#[test]
fn a_run_that_is_out_of_time_writes_what_covers_something_new() {
    for jobs in ["1", "2"] {
        let words = ["--max-time", "2s", "--search", "bfs", "-j", jobs];
        let (run, summary, tests) = stopped(&words);
        run.says("reached the time limit").says("gave no test (--unfinished-tests all writes");
        let (lost, coverage) = (&summary["totals"]["lost"], &summary["totals"]["coverage"]);
        // Each worker chooses alone.
        let sites = 2 * (1 + count(&coverage["branches_total"]));
        assert!(tests > 0 && tests as u64 <= sites, "{tests} tests");
        assert_eq!(count(&lost["unfinished"]), count(&lost["untested"]) + tests as u64);
        assert!(count(&coverage["branches"]) > 2);
    }
}

#[test]
fn unfinished_states_give_the_tests_that_are_asked_for() {
    let words = ["--max-work", "20k", "--search", "bfs", "--unfinished-tests"];
    let of = |which: &'static str| {
        let (_, summary, tests) = stopped(&[&words[..], &[which]].concat());
        let totals = &summary["totals"];
        let lost = &totals["lost"];
        let counts = (count(&lost["unfinished"]), count(&lost["untested"]), tests as u64);
        (counts, count(&totals["coverage"]["branches"]))
    };
    let ((unfinished, untested, tests), covered) = of("all");
    assert!(untested == 0 && tests == unfinished && tests > 100, "{tests}");
    let ((_, untested, few), covered_by_few) = of("covering-new");
    assert!(few > 0 && few < tests / 4 && untested == unfinished - few, "{few}");
    assert_eq!(covered_by_few, covered);
    assert_eq!(of("none"), ((unfinished, unfinished, 0), 0));
}

#[test]
fn an_incomplete_run_has_an_exit_code_of_its_own() {
    let run = |source: &str, words: &[&str]| {
        let lab = TestDir::new();
        lab.file("a.c", source);
        lab.byway(&[&["run", "--require-complete", "a.c"], words].concat())
    };
    run(&branches(), &["--max-work", "20k"])
        .code(5)
        .says("byway: incomplete: reached the work limit (--max-work); ")
        .says(" unexplored: raise --max-work; ");
    run(&branches(), &["--max-states", "4"]).code(5).says("dropped by a limit: raise --max-states");
    let fine = "#include <byway.h>\nint main(void) { return byway_range(0, 3, \"n\") == 1; }\n";
    run(fine, &[]).code(0).says("explored completely");
    let bad = "#include <byway.h>\nint main(void) { return 4 / byway_range(0, 3, \"n\"); }\n";
    run(bad, &[]).code(1);
    run(bad, &["--max-states", "1"]).code(1);
}
