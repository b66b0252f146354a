//! The example of subpath guided search's paper (Li and others, OOPSLA 2013) as a C
//! program: how many tests it takes until every statement is covered. The searcher
//! alone is held to the paper's tables in `crates/search/tests/subpaths.rs`.

use serde_json::Value;

use crate::run::{lines, record};
use crate::setup::TestDir;

/// The example: seven paths, and the statements that the paper's tables name. What stands
/// for LOOP is run at the end of those that go by `s10`.
const EXAMPLE: &str = r#"
#include <byway.h>
static unsigned char a, b, c, d, e;
static volatile int at;
int main(void)
{
    byway_make_symbolic(&a, 1, "a");
    byway_make_symbolic(&b, 1, "b");
    byway_make_symbolic(&c, 1, "c");
    byway_make_symbolic(&d, 1, "d");
    byway_make_symbolic(&e, 1, "e");
    at = 0;
    if (a > 10) {
        at = 5;
        if (b > 10) {
            at = 6;
            return 6;
        }
        at = 7;
    }
    at = 8;
    if (c > 10) {
        at = 9;
        if (d > 10) {
            at = 10;
            LOOP
            return 10;
        }
    }
    at = 4;
    return 4;
}
"#;

/// The paths that the example ends by, in order, and how many of them cover every line.
fn explored(end: &str, words: &[&str]) -> (Vec<u64>, u64) {
    let lab = TestDir::new();
    lab.file("a.c", EXAMPLE.replace("LOOP", end));
    lab.byway(&[&["run", "--output-dir", "out", "a.c"], words].concat()).code(0);
    let exits = lines(&lab.path("out/paths.jsonl")).iter().map(code).collect();
    let coverage = record(&lab.path("out/coverage.json"));
    let files = coverage["files"].as_object().expect("files");
    let all = files.values().flat_map(|lines| lines.as_array().expect("lines"));
    let firsts = all.map(|line| line["first_path"].as_u64().expect("every line is covered"));
    (exits, firsts.max().expect("a line"))
}

fn code(path: &Value) -> u64 {
    path["outcome"]["code"].as_u64().expect("it exits")
}

#[test]
fn paths_come_in_the_order_of_the_tables() {
    for feasibility in ["eager", "lazy"] {
        let explored = |search| {
            explored("", &["--search", search, "--ties", "latest", "--feasibility", feasibility])
        };
        // By the number of the statement that a path ends with.
        assert_eq!(explored("sgs:1"), (vec![4, 4, 10, 6, 4, 4, 10], 5));
        assert_eq!(explored("sgs:2"), (vec![4, 4, 10, 4, 6, 4, 10], 5));
    }
    let (exits, needed) = explored("", &["--search", "dfs"]);
    assert_eq!((exits, needed), (vec![4, 4, 10, 4, 4, 10, 6], 7));
}

#[test]
fn a_loop_that_forks_does_not_starve_the_others() {
    let first_six = |search: &[&str]| {
        let (exits, _) = explored("while (e < 200) e++;", search);
        // The loop is left with another number of rounds behind it on each path.
        assert_eq!(exits.len(), 5 + 2 * 201);
        1 + exits.iter().position(|&exit| exit == 6).expect("it is come to")
    };
    assert!(first_six(&["--search", "dfs"]) > 400);
    assert!(first_six(&["--search", "sgs:1", "--ties", "latest"]) < 40);
    assert!(first_six(&["--search", "sgs:1"]) < 40);
}

#[test]
fn ties_need_an_sgs() {
    let lab = TestDir::new();
    lab.file("a.c", "int main(void) { return 0; }");
    let run = lab.byway(&["run", "--search", "dfs", "--ties", "latest", "a.c"]);
    run.code(2).says("invalid searcher `dfs`: --ties needs an `sgs` searcher");
    lab.byway(&["run", "--ties", "latest", "a.c"]).code(0);
    let run = lab.byway(&["run", "--search", "sgs:2", "--ties", "lastest", "a.c"]);
    run.code(2).says("not `lastest` (did you mean `latest`?)");
}

#[test]
fn stats_tell_how_searchers_shared_the_work() {
    for words in [&[][..], &["--search", "sgs:adaptive"], &["--search", "sgs:combined", "-j", "2"]]
    {
        let lab = TestDir::new();
        lab.file("a.c", EXAMPLE.replace("LOOP", "while (e < 200) e++;"));
        lab.byway(&[&["run", "--output-dir", "out", "a.c"], words].concat()).code(0);
        let summary = record(&lab.path("out/summary.json"));
        let shares = summary["shares"][0].as_object().expect("shares");
        let members = shares["members"].as_array().expect("members").len();
        let sum = |what: &str| -> u64 {
            let slices = shares["slices"].as_array().expect("slices").iter();
            let numbers = slices.flat_map(|slice| {
                assert_eq!(slice[what].as_array().expect("numbers").len(), members);
                slice[what].as_array().expect("numbers")
            });
            numbers.map(|number| number.as_u64().expect("a number")).sum()
        };
        // All that was explored, but for what ran before the first fork.
        let work = summary["totals"]["work"].as_u64().expect("work");
        assert!(sum("work") <= work && sum("work") > work / 2, "{} of {work}", sum("work"));
        assert!(sum("gained") > 0);
        let stats = lab.byway(&["stats", "out"]);
        stats.code(0);
        for part in ["  searchers ", "    work ", "    from 0 ", " % +"] {
            assert!(stats.stdout.contains(part), "{}", stats.stdout);
        }
        // Who has just run it did not ask.
        assert!(!lab.byway(&["run", "a.c"]).stderr.contains("searchers"));
    }
}
