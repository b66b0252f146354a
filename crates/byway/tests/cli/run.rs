//! `byway run` on small programs: its findings, its output and its limits.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::setup::{Run, TestDir};

/// Ten paths, two of them faults.
const BUGS: &str = r#"
#include <byway.h>
static int table[4] = {1, 2, 3, 4};
int main(void)
{
    char word[4];
    int index;
    byway_make_symbolic(word, sizeof word, "word");
    byway_make_symbolic(&index, sizeof index, "index");
    if (word[0] == 'k' && word[1] == 'e' && word[2] == 'y') {
        if (index >= 0)
            return table[index];
        return 7 / (word[3] - 1);
    }
    if (index == 42)
        return 2;
    return 0;
}
"#;

/// Three paths, none of them bad.
const FINE: &str = r#"
#include <byway.h>
int main(int argc, char **argv)
{
    int x;
    byway_make_symbolic(&x, sizeof x, "x");
    if (x > 100 * argc)
        return 1;
    if (x < -5)
        return 2;
    return 0;
}
"#;

/// Two to the 24th paths.
pub const MANY: &str = r#"
#include <byway.h>
int main(void)
{
    unsigned char b[24];
    byway_make_symbolic(b, sizeof b, "b");
    for (int i = 0; i < 24; i++)
        if (b[i] > 100)
            b[0]++;
    return 0;
}
"#;

/// A lab in which `byway run` with these words has been.
fn explored(source: &str, words: &[&str]) -> (TestDir, Run) {
    let lab = TestDir::new();
    lab.file("a.c", source);
    let run = lab.byway(&[&["run", "--output-dir", "out", "a.c"], words].concat());
    (lab, run)
}

/// The records of a file of lines.
pub fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a file of lines");
    text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
}

/// The record in a file.
pub fn record(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("a file");
    serde_json::from_str(&text).expect("a record")
}

fn tests(lab: &TestDir) -> usize {
    fs::read_dir(lab.path("out/tests")).expect("tests").count()
}

#[test]
fn faults_are_found_told_and_written() {
    let (lab, run) = explored(BUGS, &[]);
    run.code(1).stdout("");
    run.says("error[out-of-bounds]: ").says(" --> a.c:12:20\n").says("return table[index];");
    run.says("error[division-by-zero]: ").says(" --> a.c:13:18\n");
    run.says("input: word = 0x6b 65 79 ").says("\ntest: out/tests/0000");
    run.says("byway: explored completely after ").says("paths         10: 8 exit, 2 fault\n");
    run.says("tests         10 in out/tests\n").says("faults        2\n");
    assert_eq!(tests(&lab), 10);
    let faults = lines(&lab.path("out/faults.jsonl"));
    let kinds: BTreeSet<_> = faults.iter().filter_map(|fault| fault["kind"].as_str()).collect();
    assert_eq!(kinds, BTreeSet::from(["division-by-zero", "out-of-bounds"]));
    assert!(faults.iter().all(|fault| fault["stack"][0]["function"] == "main"), "{faults:?}");
    let summary = record(&lab.path("out/summary.json"));
    assert_eq!(summary["complete"], true);
    assert_eq!(summary["totals"]["paths"]["fault"], 2);
}

#[test]
fn a_sound_program_gives_no_fault() {
    let (lab, run) = explored(FINE, &["--", "x", "y"]);
    run.code(0).says("byway: explored completely after ").says("paths         3: 3 exit\n");
    assert!(!run.stderr.contains("error"), "{run:?}");
    // A short run shows no progress.
    assert_eq!(run.stderr.matches("byway: ").count(), 1, "{run:?}");
    let manifest = record(&lab.path("out/manifest.json"));
    assert_eq!(manifest["program"]["args"], serde_json::json!(["a.c", "x", "y"]));
    assert_eq!(manifest["program"]["files"][0]["given"], "a.c");
    let coverage = record(&lab.path("out/coverage.json"));
    let file = lab.path("a.c").display().to_string();
    let covered = coverage["files"][file].as_array().expect("its lines");
    assert!(covered.iter().all(|line| line["first_path"].is_u64()), "{covered:?}");
}

#[test]
fn two_runs_limited_in_work_are_the_same() {
    let lab = TestDir::new();
    lab.file("a.c", MANY);
    let contents = |out: &str| -> Vec<(PathBuf, Vec<u8>)> {
        let words = ["run", "--max-work", "60k", "--seed", "7", "--output-dir", out, "a.c"];
        let run = lab.byway(&words);
        run.code(0).says("reached the work limit (--max-work)").says("raise --max-work");
        let mut contents = Vec::new();
        for dir in [lab.path(out), lab.path(out).join("tests")] {
            for entry in fs::read_dir(&dir).expect("a directory").flatten() {
                let path = entry.path();
                let name = path.strip_prefix(lab.path(out)).expect("below it").to_path_buf();
                if path.is_file() && name != Path::new("clock.jsonl") {
                    contents.push((name, fs::read(path).expect("a file")));
                }
            }
        }
        contents.sort();
        contents
    };
    let (one, two) = (contents("one"), contents("two"));
    assert!(one.len() > 20, "hardly anything was explored: {}", one.len());
    let differ: Vec<_> = one.iter().zip(&two).filter(|(a, b)| a != b).map(|(a, _)| &a.0).collect();
    assert!(one.len() == two.len() && differ.is_empty(), "{differ:?}");
}

#[test]
fn whoever_searches_the_paths_are_the_same() {
    let paths = |words: &[&str]| -> BTreeSet<(String, String)> {
        let (lab, run) = explored(BUGS, words);
        run.code(1);
        let paths = lines(&lab.path("out/paths.jsonl"));
        assert_eq!(paths.len(), 10, "{words:?}");
        let identity =
            |path: &Value| (path["digest"].to_string(), path["outcome"]["kind"].to_string());
        paths.iter().map(identity).collect()
    };
    let expected = paths(&[]);
    assert_eq!(expected.len(), 10);
    for search in ["dfs", "bfs", "random-state", "batch:3(dfs)", "dart", "generational", "cgs:2"] {
        assert_eq!(paths(&["--search", search]), expected, "{search}");
    }
    assert_eq!(paths(&["--feasibility", "lazy", "--search", "dfs", "--search", "bfs"]), expected);
}

#[test]
fn limits_on_tests_and_faults() {
    let (lab, run) = explored(MANY, &["--search", "dfs", "--max-tests", "5"]);
    run.code(0).says("wrote the requested number of tests (--max-tests)");
    assert_eq!(tests(&lab), 5);
    let (_, run) = explored(BUGS, &["--max-faults", "1"]);
    run.code(1)
        .says("found the requested number of faults (--max-faults)")
        .says("faults        1\n");
}

#[test]
fn fewer_tests_if_so_wished() {
    let (lab, run) = explored(BUGS, &["--only-covering-new"]);
    run.code(1);
    let written = tests(&lab);
    assert!((3..10).contains(&written), "{written}");
    let faults = lines(&lab.path("out/faults.jsonl"));
    assert!(faults.iter().all(|fault| fault["test"].is_string()), "{faults:?}");
    let (lab, run) = explored(BUGS, &["--no-tests"]);
    run.code(1).says("input: word = ").says("tests         0 in ");
    assert_eq!(tests(&lab), 0);
    assert_eq!(lines(&lab.path("out/paths.jsonl")).len(), 10);
}

#[test]
fn a_limit_on_time_is_kept() {
    let start = std::time::Instant::now();
    let (lab, run) = explored(MANY, &["--search", "dfs", "--max-time", "1s"]);
    run.code(0).says("reached the time limit (--max-time)").says("unexplored: raise");
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
    assert_eq!(record(&lab.path("out/summary.json"))["ended"], "max-time");
    assert!(lines(&lab.path("out/clock.jsonl")).len() >= 2);
}

#[test]
fn a_limit_on_time_is_kept_when_nothing_ends() {
    let start = std::time::Instant::now();
    let words = ["--search", "bfs", "--max-time", "500ms", "--no-tests"];
    let (_, run) = explored(MANY, &words);
    run.code(0).says("reached the time limit (--max-time)");
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// Otherwise neither a limit nor Ctrl-C would be seen for hours.
#[test]
fn large_operations_on_memory_count_for_what_they_take() {
    let source = r#"
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char *p = malloc(1 << 26);
    for (;;)
        memset(p, 1, 1 << 26);
}
"#;
    let (_, run) = explored(source, &["--path-instructions", "1M"]);
    run.code(0).says("1 out-of-budget");
}

#[test]
fn a_file_that_was_forgotten_is_told() {
    let source = "void push(int);\nint main(void) { push(1); }\n";
    let (_, run) = explored(source, &[]);
    run.code(3).says("function 'push', which none of the given files defines");
}

#[test]
fn a_path_may_be_too_long() {
    let source = r#"
#include <byway.h>
int main(void)
{
    char c;
    byway_make_symbolic(&c, 1, "c");
    if (c == 'x')
        for (;;)
            c++;
    return 0;
}
"#;
    let (_, run) = explored(source, &["--path-instructions", "100k"]);
    run.code(0)
        .says("1 exit, 1 out-of-budget")
        .says("1 path cut off at the instruction limit: raise");
}

#[test]
fn optional_checks_are_explored_too() {
    let source = r#"
#include <byway.h>
int main(void)
{
    int x;
    byway_make_symbolic(&x, sizeof x, "x");
    return x + 1 > 0;
}
"#;
    let (_, run) = explored(source, &[]);
    run.code(0);
    let (_, run) = explored(source, &["--checks", "signed-overflow"]);
    run.code(1).says("error[signed-overflow]").says("(2147483647)");
}

#[test]
fn the_solver_can_be_watched() {
    let (lab, run) = explored(BUGS, &["--solver-check", "--log-queries", "queries"]);
    run.code(1);
    let queries = fs::read_dir(lab.path("queries")).expect("queries").count();
    let summary = record(&lab.path("out/summary.json"));
    assert_eq!(summary["totals"]["solver"]["queries"], queries);
    assert_eq!(summary["totals"]["solver"]["disagreements"], 0);
    assert_eq!(summary["totals"]["solver"]["confirmed"], queries);
}

#[test]
fn what_the_solver_cannot_decide_is_told() {
    let source = r#"
#include <byway.h>
int main(void)
{
    unsigned long a, b;
    byway_make_symbolic(&a, sizeof a, "a");
    byway_make_symbolic(&b, sizeof b, "b");
    if (a > 1 && b > 1 && a < 1ul << 32 && b < 1ul << 32 && a * b == 18446743979220271189ul)
        return 1;
    return 0;
}
"#;
    let (lab, run) = explored(source, &["--solver-effort", "1"]);
    run.code(0).says("the exploration is incomplete").says("raise --max-solver-effort");
    let summary = record(&lab.path("out/summary.json"));
    assert_eq!(summary["complete"], false);
}

#[test]
fn the_place_is_beside_the_program_and_new_each_time() {
    let lab = TestDir::new();
    lab.file("sub/a.c", FINE);
    for number in 1..=2 {
        let run = lab.byway(&["run", "sub/a.c"]);
        run.code(0).says(&format!("in sub/byway-out-{number}/tests\n"));
        let last = fs::read_link(lab.path("sub/byway-last")).expect("a link");
        assert_eq!(last, Path::new(&format!("byway-out-{number}")));
    }
}

#[test]
fn a_searcher_with_a_typo_is_put_right() {
    let lab = TestDir::new();
    lab.file("a.c", FINE);
    let run = lab.byway(&["run", "--search", "randm-path", "a.c"]);
    run.code(2).says("did you mean `random-path`?").says("interleave(S, ...)");
    assert!(!lab.path("byway-out-1").exists());
}

#[test]
fn concolic_searchers_tell_what_following_costs_and_that_forks_are_decided_late() {
    let (lab, run) = explored(BUGS, &["--search", "dart", "--feasibility", "eager"]);
    run.code(1).says("ignoring `--feasibility eager`").says("replayed an input up to its branch");
    let manifest = record(&lab.path("out/manifest.json"));
    assert_eq!(manifest["config"]["feasibility"], "lazy");
    let totals = &record(&lab.path("out/summary.json"))["totals"];
    assert!(totals["followed"].as_u64() > Some(0) && totals["lost"]["diverged"] == 0, "{totals}");
    let (_, quiet) = explored(BUGS, &["--search", "dart"]);
    assert!(!quiet.stderr.contains("ignoring"), "{quiet:#?}");
}

/// An input other than the value it had is never other than the value it has.
const DIVERGES: &str = r#"
#include <klee/klee.h>
int main(void)
{
    int n = klee_int("n");
    if (n != klee_get_value_i32(n))
        return 1;
    return 0;
}
"#;

#[test]
fn a_divergence_is_told_and_counted() {
    let (lab, run) = explored(DIVERGES, &["--search", "generational"]);
    run.code(0)
        .says("took another path")
        .says("1 input diverged")
        .says("the exploration is incomplete");
    let summary = record(&lab.path("out/summary.json"));
    assert_eq!(summary["totals"]["lost"]["diverged"], 1);
    assert_eq!(summary["complete"], false);
    assert_eq!(lines(&lab.path("out/paths.jsonl")).len(), 1);
}

#[test]
fn random_inputs_are_counted_and_never_said_to_be_all() {
    let words = ["--search", "random-testing:200", "--seed", "5"];
    let (lab, run) = explored(FINE, &words);
    run.code(0).says(" random; ").says("there may be other paths");
    assert!(!run.stderr.contains("does not stop by itself"), "{run:#?}");
    let summary = record(&lab.path("out/summary.json"));
    let (random, paths) = (&summary["totals"]["random"], lines(&lab.path("out/paths.jsonl")));
    let count = |name: &str| random[name].as_u64().expect("a count");
    assert_eq!(count("drawn"), count("repeated") + paths.len() as u64);
    assert_eq!((&summary["complete"], &summary["ended"]), (&false.into(), &"done".into()));
    let (again, _) = explored(FINE, &words);
    assert_eq!(lines(&again.path("out/paths.jsonl")), paths);
}

#[test]
fn what_random_testing_cannot_do_is_refused_before_anything_runs() {
    let lab = TestDir::new();
    lab.file("a.c", FINE);
    lab.file("seeds/one", "x");
    for (words, message) in [
        (&["-j", "2"][..], "supports only one worker"),
        (&["--seed-dir", "seeds"], "cannot start from seeds"),
        (&["--search", "dfs"], "cannot be combined with other searchers"),
    ] {
        let run = lab.byway(&[&["run", "--search", "random-testing"], words, &["a.c"]].concat());
        run.code(2).says(message);
        assert!(!lab.path("byway-out-1").exists());
    }
}

#[test]
fn help_teaches() {
    let lab = TestDir::new();
    for (command, word) in
        [("run", "random-path\n      A random walk"), ("show", "NUMBER"), ("stats", "--json")]
    {
        let help = lab.byway(&[command, "--help"]);
        help.code(0).quiet();
        assert!(help.stdout.contains("Examples:"), "{}", help.stdout);
        assert!(help.stdout.contains(word), "{}", help.stdout);
    }
    assert!(lab.byway(&["run", "--help"]).stdout.contains("Exit codes:"));
}

#[test]
fn jobs_find_what_one_finds() {
    let lab = TestDir::new();
    lab.file("a.c", BUGS);
    let found = |jobs: &str, feasibility: &str| {
        let out = format!("out-{jobs}-{feasibility}");
        let flags = ["run", "-j", jobs, "--feasibility", feasibility, "--output-dir", &out, "a.c"];
        lab.byway(&flags).code(1);
        let paths = lines(&lab.path(&format!("{out}/paths.jsonl")));
        let digests: BTreeSet<String> = paths
            .iter()
            .map(|path| format!("{} {}", path["digest"], path["outcome"]["kind"]))
            .collect();
        assert_eq!(digests.len(), paths.len(), "no path is there twice");
        assert_eq!(record(&lab.path(&format!("{out}/summary.json")))["complete"], true);
        let tests = fs::read_dir(lab.path(&format!("{out}/tests"))).expect("tests").count();
        assert_eq!(tests, paths.len());
        digests
    };
    let alone = found("1", "eager");
    for (jobs, feasibility) in [("2", "eager"), ("4", "eager"), ("1", "lazy"), ("3", "lazy")] {
        assert_eq!(found(jobs, feasibility), alone, "{jobs} {feasibility}");
    }
    let stats = lab.byway(&["stats", "out-2-eager"]);
    assert!(stats.code(0).stdout.contains("\n  workers       2\n    1: "), "{}", stats.stdout);
    assert!(!lab.byway(&["stats", "out-1-eager"]).stdout.contains("workers"));
    let manifest = record(&lab.path("out-2-eager/manifest.json"));
    assert_eq!(manifest["config"]["jobs"], 2);
    lab.byway(&["run", "-j", "0", "a.c"]).code(2);
}

#[test]
fn limits_end_all_jobs() {
    let lab = TestDir::new();
    lab.file("a.c", MANY);
    let ended = |limit: &[&str], out: &str| {
        let flags = ["run", "--jobs", "2", "--search", "dfs", "--output-dir", out];
        lab.byway(&[&flags[..], limit, &["a.c"]].concat()).code(0);
        record(&lab.path(&format!("{out}/summary.json")))
    };
    let work = ended(&["--max-work", "200k"], "work");
    assert_eq!(work["ended"], "max-work");
    let done = work["totals"]["work"].as_u64().expect("a number");
    assert!((200_000..210_000).contains(&done), "{done}");
    let tests = ended(&["--max-tests", "50"], "tests");
    assert_eq!((&tests["ended"], tests["tests"].as_u64()), (&"max-tests".into(), Some(50)));
}
