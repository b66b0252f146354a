//! What searchers and pruners have learnt is kept: for the next sitting of a run, and for a run of
//! another version of the program with `--learn-from`.

use std::fs;

use crate::run::{lines, record};
use crate::setup::TestDir;

const PROGRAM: &str = r#"
#include <byway.h>
int main(void)
{
    char word[7];
    int score = 0;
    byway_make_symbolic(word, sizeof word, "word");
    for (int i = 0; i < 7; i++)
        switch (word[i]) {
        case 'a': score += 1; break;
        case 'b': score += 2; break;
        case 'c': score *= 3; break;
        }
    if (score == 12)
        return 1;
    return 0;
}
"#;

/// The sum of the first numbers of the rows of a table.
fn sum(lab: &TestDir, run: &str, name: &str) -> u64 {
    let tables = lines(&lab.path(run).join("learnt.jsonl"));
    let table = tables.iter().find(|table| table["name"] == name).expect("the table");
    let rows = table["rows"].as_array().expect("rows").iter();
    rows.map(|row| row[0].as_u64().expect("a number")).sum()
}

#[test]
fn a_searcher_goes_on_with_its_counts() {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM);
    let first = ["run", "--search", "sgs:1", "--max-work", "50k", "--output-dir", "r", "a.c"];
    lab.byway(&first);
    let once = sum(&lab, "r", "sgs:1");
    lab.byway(&["run", "--resume", "r"]);
    let twice = sum(&lab, "r", "sgs:1");
    assert!(once > 20 && twice > once + 20, "{once} picks, then {twice}");
    // Two workers share what one has learnt, and add to it.
    lab.byway(&["run", "--resume", "r", "-j2"]);
    let jobs: Vec<_> =
        lines(&lab.path("r/learnt.jsonl")).iter().map(|table| table["job"].as_u64()).collect();
    assert!(jobs.contains(&Some(0)), "{jobs:?}");
    assert!(sum(&lab, "r", "sgs:1") > twice);
    // Another searcher has learnt nothing yet.
    lab.byway(&["run", "--resume", "r", "--search", "cgs:3"]).says("going on with ");
    assert!(sum(&lab, "r", "cgs:3") > 0);
}

#[test]
fn damaged_knowledge_does_not_keep_a_run_from_going_on() {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM);
    let first = ["run", "--search", "sgs:1", "--max-work", "50k", "--output-dir", "r", "a.c"];
    lab.byway(&first);
    fs::write(lab.path("r/learnt.jsonl"), "nothing\n").expect("writable");
    let ran = lab.byway(&["run", "--resume", "r", "--max-work", "50k"]);
    ran.code(0).says("what the searchers have learnt is damaged; going on without");
    assert!(sum(&lab, "r", "sgs:1") > 0);
}

#[test]
fn homi_prunes_the_next_version_from_the_beginning() {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM);
    lab.file("b.c", PROGRAM.replace("score == 12", "score > 40"));
    let run = |limit: &str, learnt: &[&str], dir: &str, program: &str| {
        let prune = "homi:interval=5k,run=100k,lengths=1,explore=2";
        let words = ["run", "--search", "random-path", "--prune", prune, "--max-work", limit];
        lab.byway(&[&words[..], learnt, &["--output-dir", dir, program]].concat())
    };
    let dropped = |dir: &str| {
        let summary = record(&lab.path(dir).join("summary.json"));
        assert!(summary["totals"]["campaign"]["restarts"].as_u64().unwrap_or(0) == 0);
        summary["totals"]["lost"]["dropped"]["pruned"].as_u64().unwrap_or(0)
    };
    run("1M", &[], "old", "a.c");
    run("60k", &[], "new", "b.c").code(0);
    assert_eq!(dropped("new"), 0, "the first run drops nothing");
    let ran = run("60k", &["--learn-from", "old"], "taught", "b.c");
    ran.code(0)
        .says("learning from 'old', a run of another version of the program: its tests; homi");
    assert!(dropped("taught") > 0);
    let summary = record(&lab.path("taught/summary.json"));
    assert!(summary["seeds"]["taken"].as_u64() > Some(0), "its tests are seeds");
    run("60k", &["--learn-from", "old"], "same", "a.c")
        .says("learning from 'old', a run of the same build: ");
    assert!(dropped("same") > 0);
}

#[test]
fn a_run_that_is_none_is_refused() {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM);
    for (run, why) in [("none", "none"), ("a.c", "is not a run directory")] {
        lab.byway(&["run", "--learn-from", run, "a.c"]).code(2).says(why);
    }
    lab.byway(&["run", "--max-work", "20k", "--output-dir", "r", "a.c"]);
    fs::write(lab.path("r/learnt.jsonl"), "nothing\n").expect("writable");
    lab.byway(&["run", "--learn-from", "r", "a.c"]).code(2).says("learnt.jsonl");
    assert!(!lab.path("byway-out-1").exists());
}
