//! `byway run --reduce dgse`: the programs of its paper, and the options that it refuses.

use serde_json::Value;

use crate::run::record;
use crate::setup::TestDir;

/// A folder with a program of the repository.
fn folder_of(program: &str) -> TestDir {
    let lab = TestDir::new();
    let path = format!("{}/../../{program}.c", env!("CARGO_MANIFEST_DIR"));
    lab.file("program.c", std::fs::read_to_string(path).expect("the program"));
    lab
}

/// What a run of a program found.
struct Found {
    paths: u64,
    /// Kinds and places, sorted.
    faults: Vec<String>,
    summary: Value,
}

/// Runs the program of a folder; `name` is that of the run.
fn explore(lab: &TestDir, name: &str, options: &[&str]) -> Found {
    lab.byway(&[&["run", "--output-dir", name][..], options, &["program.c"]].concat());
    let summary = record(&lab.path(&format!("{name}/summary.json")));
    let paths = summary["totals"]["paths"].as_object().expect("paths");
    let paths = paths.values().filter_map(Value::as_u64).sum();
    let faults = summary["faults"].as_array().expect("faults").iter();
    let mut faults: Vec<String> = faults.map(|it| format!("{} {}", it["kind"], it["at"])).collect();
    faults.sort_unstable();
    Found { paths, faults, summary }
}

/// The paths of a program in `tests/dgse`, exhaustively and reduced, and the faults of both.
fn paths(figure: &str, options: &[&str]) -> ((u64, u64), (Vec<String>, Vec<String>)) {
    let lab = folder_of(&format!("tests/dgse/{figure}"));
    let run = |name: &str, more: &[&str]| {
        explore(&lab, name, &[&["--no-tests"][..], options, more].concat())
    };
    let (all, reduced) = (run("all", &[]), run("reduced", &["--reduce", "dgse"]));
    ((all.paths, reduced.paths), (all.faults, reduced.faults))
}

#[test]
fn figure_2_has_six_of_eight_paths_and_both_errors() {
    let (paths, faults) = paths("figure2", &[]);
    assert_eq!(paths, (8, 6));
    assert_eq!(faults.0.len(), 2);
    assert_eq!(faults.0, faults.1);
}

#[test]
fn figure_4_has_one_path_more_than_branches() {
    assert_eq!(paths("figure4", &[]).0, (16, 5));
    assert_eq!(paths("figure4", &["-DN=12"]).0, (4096, 13));
}

/// The paper runs three; the values of the third are on these two.
#[test]
fn figure_5_needs_two_paths() {
    assert_eq!(paths("figure5", &[]).0, (3, 2));
}

/// Table 13: line 3 of the paper is line 12 of the program.
#[test]
fn figure_9_needs_ten_of_24_paths_and_eight_for_a_change_of_line_3() {
    assert_eq!(paths("figure9", &[]).0, (24, 10));
    let lab = folder_of("tests/dgse/figure9");
    let changed = explore(&lab, "changed", &["--changed", "program.c:12"]);
    assert_eq!(changed.paths, 8);
    assert_eq!(changed.summary["totals"]["reduction"]["infeasible"], 1);
    // Two workers may run a few more paths.
    let several = explore(&lab, "several", &["--changed", "program.c:12", "-j", "2"]);
    assert!((8..=12).contains(&several.paths), "{}", several.paths);
}

/// Each record has four behaviours, and no combination of them is a path of its own. If an
/// untaken branch of one could write to the other, all 16 would be.
#[test]
fn untaken_code_writes_where_its_pointers_point() {
    let ((all, reduced), _) = paths("records", &[]);
    assert_eq!(all, 16);
    assert!((4..=7).contains(&reduced), "{reduced}");
}

#[test]
fn a_reduction_that_skips_too_little_is_given_up() {
    let lab = TestDir::new();
    let program = "#include <byway.h>
int main(void) {
    unsigned char x[8], count = 0;
    byway_make_symbolic(x, 8, \"x\");
    for (int i = 0; i < 8; i++)
        if (x[i] > 9)
            count++;
    return count;
}
";
    lab.file("count.c", program);
    let run = lab.byway(&["run", "--reduce", "dgse", "--output-dir", "run", "count.c"]);
    run.code(0).says("too few paths can be skipped, so all are explored");
    let summary = record(&lab.path("run/summary.json"));
    assert_eq!(summary["totals"]["paths"]["exit"], 256);
    assert_eq!(summary["complete"], true);
    assert_eq!(summary["totals"]["reduction"]["is_abandoned"], true);
    let kept = lab.byway(&["run", "--reduce", "dgse-always", "--output-dir", "kept", "count.c"]);
    kept.code(0).says("about 256 paths without it");
}

#[test]
fn the_summary_says_what_was_skipped() {
    let lab = TestDir::new();
    let program = "#include <byway.h>
int out[3];
int main(void) {
    unsigned char x[3];
    byway_make_symbolic(x, 3, \"x\");
    out[0] = x[0] > 9 ? 1 : 2;
    if (x[1] > 9) out[1] = 1;
    if (x[2] > 9) out[2] = 1;
    return 0;
}
";
    lab.file("three.c", program);
    let run = lab.byway(&["run", "--reduce", "dgse", "--output-dir", "run", "three.c"]);
    run.code(0).says("reduction     about 4 paths without it; 2 tasks");
    let summary = record(&lab.path("run/summary.json"));
    assert_eq!(summary["totals"]["reduction"]["missed_goals"], 0);
    assert_eq!(record(&lab.path("run/manifest.json"))["config"]["reduce"], "dgse");
}

/// `longjmp` leaves the order of calls and returns: nothing is skipped then.
#[test]
fn what_is_not_known_is_not_skipped() {
    let lab = TestDir::new();
    let program = "#include <byway.h>
#include <setjmp.h>
static jmp_buf buffer;
int main(void) {
    unsigned char x[2];
    volatile int a = 0, b = 0;
    byway_make_symbolic(x, 2, \"x\");
    if (setjmp(buffer) == 0)
        longjmp(buffer, 1);
    if (x[0] > 9) a = 1;
    if (x[1] > 9) b = 1;
    return 0;
}
";
    lab.file("jumps.c", program);
    let run = lab.byway(&["run", "--reduce", "dgse", "--output-dir", "run", "jumps.c"]);
    run.code(0).says("nothing skipped behind paths with 4 (a jump out of a function)");
    assert_eq!(record(&lab.path("run/summary.json"))["totals"]["paths"]["exit"], 4);
}

/// Workers share what paths showed: the same faults and coverage, no path twice, and about as
/// many paths as with one worker.
#[test]
fn several_workers_find_what_one_finds() {
    for program in [
        "tests/dgse/figure2",
        "tests/dgse/figure9",
        "tests/sym/assumptions",
        "tests/sym/failing_twice",
        "tests/sym/function_table",
        "bench/dgse/rbtree",
        "tests/sym/hash_table",
    ] {
        let lab = folder_of(program);
        let run =
            |jobs: &str| explore(&lab, &format!("run{jobs}"), &["--reduce", "dgse", "-j", jobs]);
        let alone = run("1");
        for jobs in ["2", "4"] {
            let several = run(jobs);
            let what = format!("{program} -j {jobs}");
            assert_eq!(several.faults, alone.faults, "{what}");
            assert_eq!(several.summary["complete"], alone.summary["complete"], "{what}");
            let (totals, expected) = (&several.summary["totals"], &alone.summary["totals"]);
            assert_eq!(totals["coverage"], expected["coverage"], "{what}");
            assert_eq!(totals["lost"], expected["lost"], "{what}");
            let most = alone.paths + alone.paths / 4 + 4;
            assert!(several.paths <= most, "{what}: {} paths, not {}", several.paths, alone.paths);
        }
    }
}

#[test]
fn options_that_do_not_go_together() {
    let lab = TestDir::new();
    lab.file("main.c", "int main(void) { return 0; }\n");
    for (options, why) in [
        (&["--search", "dart"][..], "a searcher that chooses inputs"),
        (&["--search", "random-testing:9"], "a searcher that chooses inputs"),
        (&["--entry", "main"], "an entry with unconstrained input"),
        (&["--checks", "leak"], "the check for leaks"),
    ] {
        let words = [&["run", "--reduce", "dgse"][..], options, &["main.c"]].concat();
        lab.byway(&words).code(2).says(&format!("--reduce does not work with {why}"));
    }
    lab.byway(&["run", "--reduce", "none", "main.c"]).code(2).says("possible values: dgse");
}
