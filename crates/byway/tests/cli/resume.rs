//! `byway run --resume`: a run in several sittings finds what one sitting finds, each path once,
//! however the sittings end.

use std::collections::BTreeSet;
use std::fs;
use std::process::Stdio;
use std::time::Duration;

use crate::run::{lines, record};
use crate::setup::TestDir;

/// Switches, a choice among objects, an assumption, and two faults: some thousand paths.
const PROGRAM: &str = r#"
#include <byway.h>
static int first[2], second[3], third;
int main(void)
{
    unsigned char word[6], place;
    int score = 0, *table[3] = {first, second, &third};
    byway_make_symbolic(word, sizeof word, "word");
    byway_make_symbolic(&place, sizeof place, "place");
    byway_assume(place < 5);
    for (int i = 0; i < 6; i++)
        switch (word[i]) {
        case 'a': score += 1; break;
        case 'b': score += 2; break;
        case 'c': score += 5; break;
        }
    if (score == 30)
        byway_report("rich");
    if (score == 7)
        table[place / 2][place] = 1;
    return score;
}
"#;

/// The paths of a run: digest, outcome, whether it has a test. Each once.
fn paths(lab: &TestDir, run: &str) -> BTreeSet<String> {
    // The later ones are in the pack.
    lab.byway(&["export", run]).code(0);
    let records = lines(&lab.path(run).join("paths.jsonl"));
    let mut tests = BTreeSet::new();
    let mut all = BTreeSet::new();
    for path in records {
        if let Some(test) = path["test"].as_str() {
            assert!(lab.path(run).join("tests").join(test).is_file(), "{test} is missing");
            assert!(tests.insert(test.to_string()), "{test} is named twice");
        }
        let text =
            format!("{} {} {}", path["digest"], path["outcome"]["kind"], path["test"].is_null());
        assert!(all.insert(text), "twice: {path}");
    }
    assert_eq!(fs::read_dir(lab.path(run).join("tests")).expect("tests").count(), tests.len());
    all
}

/// Explores the program in one sitting.
fn whole(lab: &TestDir, options: &[&str]) -> BTreeSet<String> {
    lab.file("a.c", PROGRAM);
    lab.byway(&[&["run", "--output-dir", "whole"][..], options, &["a.c"]].concat()).code(1);
    paths(lab, "whole")
}

/// Checks that a run in sittings ended as the one in a single sitting.
fn same_as_whole(lab: &TestDir, run: &str, expected: &BTreeSet<String>) {
    assert_eq!(&paths(lab, run), expected);
    let (one, many) =
        (record(&lab.path("whole/summary.json")), record(&lab.path(run).join("summary.json")));
    for field in ["ended", "complete", "tests"] {
        assert_eq!(one[field], many[field], "{field}");
    }
    assert_eq!(one["totals"]["coverage"], many["totals"]["coverage"]);
    assert_eq!(one["totals"]["paths"], many["totals"]["paths"]);
    let count = |summary: &serde_json::Value| {
        let faults = summary["faults"].as_array().expect("a list").iter();
        faults
            .map(|it| format!("{} {} {}", it["kind"], it["at"], it["count"]))
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(count(&one), count(&many));
    assert!(!lab.path(run).join("checkpoint").exists());
}

#[test]
fn sittings_find_what_one_run_finds() {
    let lab = TestDir::new();
    let expected = whole(&lab, &[]);
    assert!(expected.len() > 4000, "{}", expected.len());
    for (run, search, jobs) in [
        ("bfs", "bfs", "1"),
        ("dfs", "dfs", "1"),
        ("path", "random-path", "1"),
        ("sage", "generational", "1"),
        ("two", "sgs:2", "2"),
    ] {
        let first = ["run", "--search", search, "-j", jobs, "--unfinished-tests", "none"];
        let limit = ["--max-work", "150k", "--output-dir", run, "a.c"];
        let ran = lab.byway(&[&first[..], &limit].concat());
        ran.says(&format!("'byway run --resume {run}' goes on with the states left"));
        let mut sittings = 1;
        while lab.path(run).join("checkpoint").exists() {
            assert!(sittings < 40, "{search}");
            let ran = lab.byway(&["run", "--resume", run]);
            ran.says("byway: going on with ");
            sittings += 1;
        }
        assert!(sittings > 2, "{search}: {sittings}");
        same_as_whole(&lab, run, &expected);
        assert_eq!(lines(&lab.path(run).join("sittings.jsonl")).len(), sittings - 1);
        lab.byway(&["stats", run]).code(0);
    }
}

#[test]
fn a_killed_run_goes_on_and_nothing_is_lost_or_doubled() {
    let lab = TestDir::new();
    let expected = whole(&lab, &[]);
    let mut words = vec!["run", "--checkpoint-interval", "20ms", "--output-dir", "k", "a.c"];
    for pause in [700, 150, 250, 100, 300, 200] {
        let mut command = lab.command(&words);
        let mut child = command.stderr(Stdio::null()).spawn().expect("byway starts");
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().expect("killed");
        if child.wait().expect("it ends").success() || lab.path("k/summary.json").exists() {
            break;
        }
        match lab.path("k/manifest.json").exists() {
            true => words = vec!["run", "--resume", "k"],
            false => _ = fs::remove_dir_all(lab.path("k")),
        }
    }
    if !lab.path("k/summary.json").exists() {
        lab.byway(&words).code(1);
    }
    same_as_whole(&lab, "k", &expected);
}

#[test]
fn a_damaged_checkpoint_costs_time_and_nothing_else() {
    let lab = TestDir::new();
    let expected = whole(&lab, &[]);
    let first =
        ["run", "--max-work", "100k", "--unfinished-tests", "none", "--output-dir", "d", "a.c"];
    lab.byway(&first);
    lab.byway(&["run", "--resume", "d"]).says("going on with ");
    let log = |number: u32| lab.path(&format!("d/checkpoint/states-{number}.log"));
    let mut bytes = fs::read(log(2)).expect("the second log");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(log(2), bytes).expect("writable");
    let ran = lab.byway(&["run", "--resume", "d"]);
    ran.says("the last checkpoint is damaged; going on from the one before");
    for log in fs::read_dir(lab.path("d/checkpoint")).expect("logs").flatten() {
        fs::write(log.path(), "nothing").expect("writable");
    }
    fs::remove_file(lab.path("d/summary.json")).expect("the summary");
    let ran = lab.byway(&["run", "--resume", "d", "--max-work", "1G"]);
    ran.says("there is no checkpoint: exploring from the program's start");
    same_as_whole(&lab, "d", &expected);
}

#[test]
fn searcher_and_limits_may_change() {
    let lab = TestDir::new();
    let expected = whole(&lab, &[]);
    let first = ["--max-work", "50k", "--search", "bfs", "--unfinished-tests", "none"];
    lab.byway(&[&["run", "--output-dir", "r"][..], &first, &["a.c"]].concat());
    let ran = lab.byway(&["run", "--resume", "r", "--search", "dfs", "--max-work", "150k"]);
    ran.says("going on with ");
    lab.byway(&["run", "--resume=r", "-j2", "--max-memory", "1GiB", "--max-work", "1G"]).code(1);
    same_as_whole(&lab, "r", &expected);
    let sittings = lines(&lab.path("r/sittings.jsonl"));
    assert_eq!(sittings[0]["options"][1], "dfs");
    lab.byway(&["run", "--resume", "r"]).code(2).says("has no states to go on with");
}

/// A checkpoint of so many states is written in parts.
#[test]
fn a_run_with_many_states_goes_on_with_each() {
    let lab = TestDir::new();
    lab.file(
        "a.c",
        "#include <byway.h>\nint main(void)\n{\n    unsigned char b[2];\n    int n = 0;\n    \
         byway_make_symbolic(b, sizeof b, \"b\");\n    for (int i = 0; i < 16; i++)\n        if \
         (b[i / 8] >> i % 8 & 1)\n            n++;\n    return n;\n}\n",
    );
    let first = ["run", "--search", "bfs", "--no-tests"];
    let limit = ["--max-work", "1500k", "--output-dir", "r", "a.c"];
    lab.byway(&[&first[..], &limit].concat());
    let states = lines(&lab.path("r/clock.jsonl")).pop().expect("statistics");
    let left = states["totals"]["lost"]["unfinished"].as_u64();
    assert!(left > Some(50_000), "{left:?} states");
    lab.byway(&["run", "--resume", "r", "--max-work", "1G"]).code(0);
    let found = lines(&lab.path("r/paths.jsonl"));
    let digests: BTreeSet<_> = found.iter().map(|path| path["digest"].to_string()).collect();
    let sittings = lines(&lab.path("r/sittings.jsonl"));
    assert_eq!(sittings[0]["states"].as_u64(), left);
    assert_eq!((found.len(), digests.len()), (1 << 16, 1 << 16));
}

#[test]
fn tests_of_states_that_went_on_do_not_make_a_run_incomplete() {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM);
    let first =
        ["run", "--max-work", "100k", "--unfinished-tests", "all", "--output-dir", "r", "a.c"];
    lab.byway(&first);
    lab.byway(&["run", "--resume", "r", "--max-work", "1G"]).code(1).says("explored completely");
    let summary = record(&lab.path("r/summary.json"));
    assert!(summary["totals"]["paths"]["out-of-budget"].as_u64() > Some(0));
    assert_eq!(summary["complete"], true);
}

#[test]
fn what_cannot_go_on_is_refused_and_left_alone() {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM);
    let first = ["run", "--max-work", "100k", "--output-dir", "r", "a.c", "--", "x"];
    lab.byway(&first);
    let files = || {
        let mut names: Vec<_> = walk(&lab.path("r"));
        names.sort();
        names
    };
    let before = files();
    for (words, why) in [
        (&["--resume", "none"][..], "cannot read '"),
        (&["--resume", "r", "--", "y"], "--resume takes no arguments for the program"),
        (&["--resume", "r", "b.c"], "cannot read 'b.c'"),
        (&["--resume", "r", "--sym-stdin", "3"], "its options have changed"),
        (&["--resume", "r", "--search", "random-testing"], "--resume does not work with random"),
        (&["--resume", "r", "--reduce", "dgse"], "--resume does not work with --reduce"),
        (&["--resume", "r", "--output-dir", "s"], "cannot be used with"),
        (&["--resume", "r", "--search", "nonsense"], "nonsense"),
        (&["--resume", "a.c"], "is not a run directory"),
        (&["--resume"], "a value is required"),
    ] {
        let ran = lab.byway(&[&["run"][..], words].concat());
        ran.code(2).says(why);
        assert_eq!(files(), before, "{words:?}");
    }
    lab.file("a.c", PROGRAM.replace("30", "29"));
    lab.byway(&["run", "--resume", "r"]).code(2).says("its program has changed");
    assert_eq!(files(), before);
}

#[test]
fn a_run_that_is_going_on_cannot_go_on_twice() {
    let lab = TestDir::new();
    lab.file("a.c", "#include <byway.h>\nint main(void) { for (int i = byway_int(\"i\"); ; i += 2) if (i == 7) byway_report(\"x\"); }\n");
    let words = ["run", "--checkpoint-interval", "10ms", "--output-dir", "r", "a.c"];
    let mut child = lab.command(&words).stderr(Stdio::null()).spawn().expect("byway starts");
    for _ in 0..600 {
        std::thread::sleep(Duration::from_millis(50));
        if lab.path("r/checkpoint").exists() {
            break;
        }
    }
    let ran = lab.byway(&["run", "--resume", "r", "--max-time", "1s"]);
    child.kill().expect("killed");
    child.wait().expect("it ends");
    ran.code(2).says("is still going on");
    lab.byway(&["run", "--resume", "r", "--max-time", "1s"]).says("going on with ");
}

fn walk(dir: &std::path::Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(dir).expect("a directory").flatten() {
        let length = entry.metadata().map_or(0, |it| it.len());
        names.push(format!("{} {length}", entry.path().display()));
        if entry.path().is_dir() {
            names.extend(walk(&entry.path()));
        }
    }
    names
}
