//! `byway run --search greedy`: random tests, natively and on the engine, beside the solver.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::run::record;
use crate::setup::TestDir;

/// One input in 64 passes the hash, and none the number by chance.
const BOTH: &str = r#"
#include <byway.h>
#include <stdint.h>
static uint32_t mixed(uint32_t x)
{
    for (int i = 0; i < 6; i++) {
        x ^= x >> 16;
        x *= 0x85ebca6bu;
        x ^= x >> 13;
        x *= 0xc2b2ae35u;
    }
    return x;
}
int main(void)
{
    uint32_t key, x;
    byway_make_symbolic(&key, sizeof key, "key");
    byway_make_symbolic(&x, sizeof x, "x");
    if ((key ^ key << 7) != 0x12345678)
        return 1;
    if (mixed(x) % 64 == 5)
        byway_report("found");
    return 0;
}
"#;

/// Explores a program into a directory. Returns the messages and the summary.
fn explore(lab: &TestDir, source: &str, options: &[&str], out: &str) -> (String, Value) {
    lab.file("greedy.c", source);
    let words = ["run", "--search", "greedy", "--output-dir", out];
    let ran = lab.byway(&[&words[..], options, &["greedy.c"]].concat());
    (ran.stderr.clone(), record(&lab.path(out).join("summary.json")))
}

#[test]
fn chance_and_the_solver_find_what_neither_finds_alone() {
    let lab = TestDir::new();
    for (out, options) in [
        ("native", &[][..]),
        ("interpreted", &["--interpret-inputs"]),
        ("two", &["-j", "2", "--interpret-inputs"]),
    ] {
        // Two workers share the work in an order of their own.
        let work = if out == "two" { "60M" } else { "3M" };
        let options = [options, &["--max-work", work]].concat();
        let (text, summary) = explore(&lab, BOTH, &options, out);
        assert_eq!(summary["faults"].as_array().map(Vec::len), Some(1), "{out}: {text}");
        let random = &summary["totals"]["random"];
        assert!(random["drawn"].as_u64() > Some(50) && random["diverged"] == 0, "{summary}");
        assert!(!text.contains("diverged"), "{text}");
    }
}

#[test]
fn equal_budgets_give_equal_results() {
    let lab = TestDir::new();
    let options = ["--interpret-inputs", "--max-work", "300k", "--seed", "3"];
    let tests = |out: &str| {
        explore(&lab, BOTH, &options, out);
        files(&lab.path(out).join("tests"))
    };
    let first = tests("first");
    assert!(first.len() >= 2);
    assert!(first == tests("second"));
}

/// The names and contents of the files in a folder.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let mut files: Vec<_> = entries
        .map(|entry| {
            let bytes = fs::read(entry.path()).expect("a file");
            (entry.file_name().to_string_lossy().into_owned(), bytes)
        })
        .collect();
    files.sort();
    files
}

#[test]
fn stats_show_the_blocks_that_promise_most() {
    let lab = TestDir::new();
    let (text, _) = explore(&lab, BOTH, &["--interpret-inputs", "--max-tests", "1"], "out");
    let table = lab.byway(&["stats", "--markov", "out"]);
    table.code(0);
    let table = &table.stdout;
    assert!(table.contains("The program as a Markov chain: "), "{table}{text}");
    assert!(table.contains("main b"), "{table}");
    lab.byway(&["run", "--output-dir", "other", "greedy.c"]);
    lab.byway(&["stats", "--markov", "other"]).code(2).says("--search greedy");
}

/// Programs that misbehave natively: the run says where inputs run, or goes on.
#[test]
fn programs_that_cannot_run_natively_run_on_the_engine() {
    let lab = TestDir::new();
    let crashes = "int main(void) { return *(volatile int *)8; }";
    let (text, summary) = explore(&lab, crashes, &[], "crash");
    assert_eq!(summary["faults"].as_array().map(Vec::len), Some(1), "{text}");
    let hangs = r#"
#include <byway.h>
#include <unistd.h>
int main(void)
{
    unsigned char b;
    byway_make_symbolic(&b, 1, "b");
    if (b == 1) for (;;) {}
    if (b == 2) { volatile int *p = 0; *p = 1; }
    if (b == 3) fork();
    return b & 1;
}
"#;
    let options = ["--max-path-instructions", "100k", "--max-time", "20s"];
    let (text, summary) = explore(&lab, hangs, &options, "hang");
    assert_eq!(summary["faults"].as_array().map(Vec::len), Some(1), "{text}");
    assert_eq!(summary["totals"]["random"]["diverged"], 0, "{text}");
    let function = "int half(int x) { return x > 1000 ? 1 : x & 1 ? 2 : 3; }";
    let (text, _) = explore(&lab, function, &["--entry", "half"], "entry");
    assert!(text.contains("random inputs run on the engine: "), "{text}");
}

/// A linker may merge equal literals of two files; the engine does not.
#[test]
fn literals_of_two_files_stay_apart_natively() {
    let lab = TestDir::new();
    lab.file("other.c", "const char *other(void) { return \"equal text\"; }\n");
    let main = r#"
#include <byway.h>
extern const char *other(void);
int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    if (x % 2 && other() == (const char *)"equal text")
        return 2;
    return 0;
}
"#;
    let (text, summary) = explore(&lab, main, &["--max-work", "1M", "other.c"], "out");
    let random = &summary["totals"]["random"];
    assert!(random["drawn"].as_u64() > Some(0) && random["diverged"] == 0, "{text}\n{summary}");
}
