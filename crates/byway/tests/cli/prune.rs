//! `byway run --prune`: dropped states are counted and give tests, and a campaign reports each path
//! once.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::run::record;
use crate::setup::TestDir;

/// Ten bytes, each compared with three constants: 4^10 paths, and a fault on few of them.
const WORDS: &str = r#"
#include <byway.h>
int main(void)
{
    unsigned char word[10];
    int score = 0;
    byway_make_symbolic(word, sizeof word, "word");
    for (int i = 0; i < 10; i++)
        switch (word[i]) {
        case 'a': score += 1; break;
        case 'b': score += 2; break;
        case 'c': score += 5; break;
        }
    if (score == 47)
        byway_report("rich");
    return 0;
}
"#;

fn explore(lab: &TestDir, options: &[&str], out: &str) -> (String, Value) {
    lab.file("words.c", WORDS);
    let words = ["run", "--only-covering-new", "--output-dir", out];
    let ran = lab.byway(&[&words[..], options, &["words.c"]].concat());
    (ran.stderr.clone(), record(&lab.path(out).join("summary.json")))
}

#[test]
fn every_pruner_drops_states_and_the_summary_says_so() {
    let lab = TestDir::new();
    let homi = "homi:interval=20k,run=200k";
    for (out, prune, search, jobs) in [
        ("homi", homi, "bfs", "1"),
        ("auto", homi, "auto", "1"),
        ("concolic", homi, "generational", "1"),
        ("two", homi, "random-path", "2"),
        ("random", "random:0.3,20k", "random-path", "1"),
        ("divide", "divide:100k", "sgs:2", "1"),
    ] {
        let options = ["--prune", prune, "--search", search, "-j", jobs, "--max-work", "1M"];
        let (text, summary) = explore(&lab, &options, out);
        let totals = &summary["totals"];
        assert!(totals["lost"]["dropped"]["pruned"].as_u64() > Some(0), "{out}: {text}");
        assert!(text.contains("dropped by a pruner"), "{out}: {text}");
        let restarts = totals["campaign"]["restarts"].as_u64();
        assert_eq!(restarts > Some(0), out != "random", "{out}: {text}");
        assert_eq!(text.contains("from the start"), out != "random", "{out}: {text}");
        let manifest = record(&lab.path(out).join("manifest.json"));
        assert_eq!(manifest["config"]["prune"], prune);
    }
}

#[test]
fn work_as_a_clock_makes_campaigns_repeatable() {
    let lab = TestDir::new();
    let options = ["--prune", "homi:interval=10k,run=80k", "--max-work", "600k", "--seed", "5"];
    let run = |out: &str| explore(&lab, &options, out).1["totals"].to_string();
    assert_eq!(run("first"), run("second"));
}

#[test]
fn paths_of_several_runs_are_reported_once() {
    let lab = TestDir::new();
    lab.file("words.c", WORDS);
    let options = ["--prune", "divide:200k", "--search", "random-path", "--max-work", "2M"];
    lab.byway(&[&["run", "--output-dir", "all"][..], &options, &["words.c"]].concat());
    let paths = std::fs::read_to_string(lab.path("all/paths.jsonl")).expect("the paths");
    let exits = paths.lines().filter(|line| line.contains("\"exit\""));
    let digests: Vec<String> = exits
        .map(|line| serde_json::from_str::<Value>(line).expect("a record")["digest"].to_string())
        .collect();
    let distinct: BTreeSet<&String> = digests.iter().collect();
    assert!(distinct.len() > 100);
    assert_eq!(distinct.len(), digests.len());
}

#[test]
fn what_cannot_be_pruned_is_refused() {
    let lab = TestDir::new();
    for (options, why) in [
        (&["--prune", "homy"][..], "unknown pruner `homy`"),
        (&["--prune", "homi:pace=3"], "unknown key `pace`"),
        (&["--prune", "random:2"], "is not a fraction between 0 and 1"),
        (&["--prune", "random:0.5", "--search", "random-testing"], "keeps no states"),
        (&["--prune", "homi", "--reduce", "dgse"], "begins again from the start"),
    ] {
        lab.file("words.c", WORDS);
        let ran = lab.byway(&[&["run"][..], options, &["words.c"]].concat());
        assert_eq!(ran.code, Some(2), "{options:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(why), "{options:?}: {}", ran.stderr);
    }
}
