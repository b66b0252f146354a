//! States that need expensive queries: they still reach new code early, and a resumed state gets no
//! larger share of the picks than before.

use crate::run::{lines, record};
use crate::setup::TestDir;

/// The start of both programs: twenty bytes and two floats, of which a product and a sum
/// together cost the solver more than a path may from the beginning.
const START: &str = r#"
#include <byway.h>
static volatile int sink;
int main(void)
{
    unsigned char b[20], c[20];
    float x, y;
    int i, n = 0;
    byway_make_symbolic(b, sizeof b, "b");
    byway_make_symbolic(c, sizeof c, "c");
    byway_make_symbolic(&x, sizeof x, "x");
    byway_make_symbolic(&y, sizeof y, "y");
"#;

/// The exit code of every path that exits and the work after which it ended.
fn explored(rest: &str, words: &[&str]) -> Vec<(u64, u64)> {
    let lab = TestDir::new();
    lab.file("a.c", format!("{START}{rest}"));
    lab.byway(&[&["run", "--no-tests", "--output-dir", "out", "a.c"], words].concat());
    let paths = lines(&lab.path("out/paths.jsonl"));
    // Those that were under way at the end have no code.
    let exit = |path: &serde_json::Value| path["outcome"]["code"].as_u64();
    let exits = paths.iter().filter_map(|path| Some((exit(path)?, path["work"].as_u64()?)));
    exits.collect()
}

/// Beside a loop of a thousand cheap paths.
#[test]
fn new_code_behind_an_expensive_query_precedes_cheap_paths() {
    let program = r#"
    if (b[11] == 'z') {
        if (x * y == 3.5f) {
            if (x + y == 4.5f) {
                if (b[0] == 'a') sink = 1; else sink = 2;
                if (b[1] == 'a') sink = 3; else sink = 4;
                if (b[2] == 'a') sink = 5; else sink = 6;
                if (b[3] == 'a') sink = 7; else sink = 8;
                return 77;
            }
        }
        return 3;
    }
    for (i = 0; i < 10; i++)
        if (b[i] & 1) n++;
    return 0;
}
"#;
    for search in ["auto", "cost-limited(uncovered-first(random-path))"] {
        let paths = explored(program, &["--search", search]);
        assert_eq!(paths.len(), 1_042, "{search}");
        let behind = paths.iter().position(|&(code, _)| code == 77).expect("it is come to");
        assert!(behind < 50, "{search}: {behind} paths ended before");
    }
}

/// A subtree six forks deep has a small part of a random path's picks; that it had to wait
/// gives it no larger one.
#[test]
fn a_resumed_state_gets_no_larger_share() {
    let program = r#"
    if (b[0] == 'a' && b[1] == 'b' && b[2] == 'c' && b[3] == 'd' && b[4] == 'e' && b[5] == 'f') {
        if (x * y == 3.5f && x + y == 4.5f) {
            for (i = 0; i < 16; i++)
                if (c[i] & 1) n++;
            return 77;
        }
        return 3;
    }
    for (i = 0; i < 16; i++)
        if (c[i] & 1) n++;
    return 0;
}
"#;
    let words = ["--search", "cost-limited(random-path)", "--max-work", "1200k"];
    let paths = explored(program, &words);
    let late =
        |wanted| paths.iter().filter(|&&(code, work)| code == wanted && work > 900_000).count();
    let (dear, cheap) = (late(77), late(0));
    assert!(cheap > 500 && dear * 10 < cheap, "{dear} and {cheap}");
}

/// A loop of hard queries that never fork does not keep the state running: the others end
/// their paths first.
#[test]
fn a_state_whose_queries_are_hard_does_not_stop_the_others() {
    let program = r#"
    if (b[19] == 7) {
        unsigned h, hash;
        byway_make_symbolic(&h, sizeof h, "h");
        hash = h;
        for (i = 0; i < 1000; i++) {
            hash = hash * (hash | 1) + 2 * i;
            if ((hash & 3) + 4 * (hash % 1000003) == 4000013) n++; // infeasible
        }
        return 1;
    }
    for (i = 0; i < 16; i++)
        if (c[i] & 1) n++;
    return 0;
}
"#;
    let lab = TestDir::new();
    lab.file("a.c", format!("{START}{program}"));
    lab.byway(&["run", "--max-tests", "100", "--output-dir", "out", "a.c"]);
    let summary = record(&lab.path("out/summary.json"));
    let unsat = summary["totals"]["solver"]["unsat"].as_u64().expect("it is counted");
    // Without the limit it asks 420 before another path ends.
    assert!((1..100).contains(&unsat), "{unsat} queries");
}
