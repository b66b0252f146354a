//! `byway run --campaign`: several runs in one directory, with one account of paths and coverage.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::run::{lines, record};
use crate::setup::TestDir;

/// Switches and a fault: 4^5 paths.
const PROGRAM: &str = r#"
#include <byway.h>
int main(void)
{
    unsigned char word[5];
    int score = 0;
    byway_make_symbolic(word, sizeof word, "word");
    for (int i = 0; i < 5; i++)
        switch (word[i]) {
        case 'a': score += 1; break;
        case 'b': score += 2; break;
        case 'c': score += 5; break;
        }
    if (score == 25)
        byway_report("rich");
    return score;
}
"#;

const TWO_RUNS: &str = r#"
[[run]]
search = "dfs"

[[run]]
search = ["random-path", "bfs"]
"#;

/// The paths of a run, each once: digest, outcome, whether it has a test.
fn paths(lab: &TestDir, run: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for path in lines(&lab.path(run).join("paths.jsonl")) {
        let text =
            format!("{} {} {}", path["digest"], path["outcome"]["kind"], path["test"].is_null());
        assert!(all.insert(text), "twice: {path}");
    }
    all
}

/// The tests, by name.
fn tests(lab: &TestDir, run: &str) -> BTreeMap<String, Vec<u8>> {
    lab.byway(&["export", run]).code(0);
    let entries = fs::read_dir(lab.path(run).join("tests")).expect("tests").flatten();
    let read = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().expect("a name");
        (name, fs::read(entry.path()).expect("a test"))
    };
    entries.map(read).collect()
}

fn summary(lab: &TestDir, run: &str) -> Value {
    record(&lab.path(run).join("summary.json"))
}

/// The run of each sitting after the first.
fn sittings(lab: &TestDir, run: &str) -> Vec<u64> {
    let sittings = lines(&lab.path(run).join("sittings.jsonl"));
    sittings.iter().map(|sitting| sitting["run"].as_u64().expect("a number")).collect()
}

#[test]
fn the_runs_of_a_campaign_find_each_path_once() {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM);
    lab.file("c.toml", TWO_RUNS);
    lab.byway(&["run", "--output-dir", "whole", "a.c"]).code(1);
    let words = ["run", "--campaign", "c.toml", "--unfinished-tests", "none", "--max-work"];
    let ran = lab.byway(&[&words[..], &["340k", "--output-dir", "c", "a.c"]].concat());
    ran.code(1).says("byway: run 1 of 2 (--search dfs): ").says("byway: explored completely");
    // The budget of the first run suffices, so there is no second.
    let expected = paths(&lab, "whole");
    assert!(expected.len() == 1024 && paths(&lab, "c") == expected);
    assert!(!lab.path("c/sittings.jsonl").exists());

    lab.file("c.toml", TWO_RUNS.replacen("[[run]]", "[[run]]\nmax-work = \"60k\"", 1));
    let small = lab.byway(&[&words[..], &["250k", "--output-dir", "d", "a.c"]].concat());
    small.code(1).says("byway: run 2 of 2 (--search random-path --search bfs): ");
    assert_eq!(small.stderr.matches("[reported]: rich").count(), 1, "{small:#?}");
    assert!(paths(&lab, "d") == expected);
    assert_eq!(tests(&lab, "d").len(), expected.len());
    let (one, many) = (summary(&lab, "whole"), summary(&lab, "d"));
    assert_eq!(one["totals"]["coverage"], many["totals"]["coverage"]);
    assert_eq!(one["totals"]["paths"], many["totals"]["paths"]);
    assert_eq!(
        (&many["complete"], &many["totals"]["campaign"]["sittings"]),
        (&true.into(), &2.into())
    );
    assert!(many["totals"]["campaign"]["repeated"].as_u64() > Some(100));
    assert_eq!(many["faults"][0]["count"], 1);
    assert_eq!(sittings(&lab, "d"), [2]);
    let stats = lab.byway(&["stats", "d"]);
    stats.code(0);
    assert!(stats.stdout.contains("campaign      c.toml; 2 of 2 runs begun\n"), "{stats:#?}");
    assert!(stats.stdout.contains("\n    1 (--search dfs --max-work 60k): "), "{stats:#?}");
}

#[test]
fn coverage_is_that_of_all_runs() {
    let lab = TestDir::new();
    // Breadth first takes all sides at the first switch; depth first is alone in reaching the end.
    lab.file("a.c", PROGRAM.replace("[5]", "[9]").replace("i < 5", "i < 9"));
    lab.file(
        "c.toml",
        "[[run]]\nsearch = \"bfs\"\nunfinished-tests = \"all\"\n[[run]]\nsearch = \"dfs\"\n\
         unfinished-tests = \"none\"\n",
    );
    let run = |words: &[&str], out: &str| {
        let fixed = ["run", "--output-dir", out, "a.c"];
        lab.byway(&[&fixed[..], words].concat());
        let coverage = summary(&lab, out)["totals"]["coverage"].clone();
        (coverage["lines"].as_u64().expect("a count"), coverage["branches"].as_u64())
    };
    let all = run(&["--campaign", "c.toml", "--max-work", "6k"], "c");
    let dfs = ["--search", "dfs", "--max-work", "3k", "--unfinished-tests", "none"];
    let dfs = run(&dfs, "dfs");
    let bfs = run(&["--search", "bfs", "--max-work", "3k", "--unfinished-tests", "all"], "bfs");
    assert!(all.0 >= dfs.0 && all.0 >= bfs.0 && all.1 >= dfs.1 && all.1 >= bfs.1);
    assert!(all.0 > bfs.0 && bfs.0 > 0, "{all:?} {dfs:?} {bfs:?}");
    let covered = record(&lab.path("c/coverage.json"));
    let files = covered["files"].as_object().expect("files").values();
    let lines: usize = files
        .map(|lines| lines.as_array().expect("lines").iter())
        .map(|lines| lines.filter(|line| !line["first_path"].is_null()).count())
        .sum();
    assert_eq!(lines as u64, all.0);
}

#[test]
fn campaigns_under_a_work_limit_are_repeatable() {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM.replace("[5]", "[8]").replace("i < 5", "i < 8"));
    for (campaign, search, runs) in [
        ("sgs:combined", &[][..], &[2, 3, 4][..]),
        ("divide:3", &["--search", "random-path"], &[2, 3]),
    ] {
        let run = |out: &str| {
            let first = ["run", "--campaign", campaign, "--max-work", "200k", "--seed", "5"];
            lab.byway(&[&first[..], search, &["--output-dir", out, "a.c"]].concat());
            let paths = fs::read(lab.path(out).join("paths.jsonl")).expect("paths");
            (tests(&lab, out), paths, summary(&lab, out))
        };
        let (first, second) = (run(&format!("{campaign}-1")), run(&format!("{campaign}-2")));
        assert!(first.0.len() > 10, "{campaign}: {}", first.0.len());
        assert_eq!(first, second, "{campaign}");
        let work = first.2["totals"]["work"].as_u64().expect("work");
        assert!((200_000..210_000).contains(&work), "{campaign}: {work}");
        assert_eq!(first.2["ended"], "max-work");
        assert_eq!(sittings(&lab, &format!("{campaign}-1")), runs);
        let manifest = record(&lab.path(&format!("{campaign}-1")).join("manifest.json"));
        let planned = manifest["campaign"]["runs"].as_array().expect("a list");
        assert_eq!(
            (&manifest["campaign"]["name"], planned.len()),
            (&campaign.into(), runs.len() + 1)
        );
        let option = if search.is_empty() { "--search=sgs:8" } else { "--seed=7" };
        assert_eq!(planned[runs.len()]["options"], serde_json::json!([option]));
    }
}

#[test]
fn work_that_a_run_leaves_is_for_the_later_ones() {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM.replace("[5]", "[12]").replace("i < 5", "i < 12"));
    // The first run loses nearly all states, and ends long before its share.
    let runs = "[[run]]\nshare = 0.5\nmax-states = 1\nunfinished-tests = \"none\"\n\
                [[run]]\nsearch = \"bfs\"\nname = \"the wide one\"\n[[run]]\nsearch = \"dfs\"\n";
    lab.file("c.toml", runs);
    let words = ["run", "--campaign", "c.toml", "--max-work", "100k", "--output-dir", "c", "a.c"];
    lab.byway(&words).says("byway: run 2 of 3 (the wide one): ");
    let work: Vec<u64> = lines(&lab.path("c/clock.jsonl"))
        .iter()
        .filter(|line| line["solver_ms"].is_object())
        .map(|line| line["totals"]["work"].as_u64().expect("work"))
        .collect();
    assert_eq!(work.len(), 3);
    assert!(work[0] < 5_000 && work[2] >= 100_000, "{work:?}");
    let (second, third) = (work[1] - work[0], work[2] - work[1]);
    assert!(second.abs_diff(third) < 3_000, "{work:?}");
}

/// Greedy follows random inputs to what is not covered: they would miss sites that earlier runs
/// covered, which no path records any more.
#[test]
fn searchers_know_what_earlier_runs_covered() {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM.replace("[5]", "[8]").replace("i < 5", "i < 8"));
    let greedy = "[[run]]\nsearch = \"dfs\"\nmax-work = \"60k\"\n\
                  [[run]]\nsearch = \"greedy\"\ninterpret-inputs = true\n";
    lab.file("c.toml", greedy);
    let words = ["run", "--campaign", "c.toml", "--max-work", "150k", "--output-dir", "c", "a.c"];
    lab.byway(&words).says("byway: run 2 of 2 (--search greedy --interpret-inputs): ");
    let totals = summary(&lab, "c")["totals"].clone();
    assert!(totals["random"]["drawn"].as_u64() > Some(0), "{totals}");
    assert_eq!(totals["random"]["diverged"], 0);
}

#[test]
fn limits_on_tests_and_faults_end_the_campaign() {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM);
    lab.file("c.toml", TWO_RUNS);
    for (limit, ended) in [("--max-tests", "max-tests"), ("--max-faults", "max-faults")] {
        let words = ["run", "--campaign", "c.toml", limit, "1", "--output-dir", ended, "a.c"];
        lab.byway(&words);
        assert_eq!(summary(&lab, ended)["ended"], ended);
        assert!(!lab.path(ended).join("sittings.jsonl").exists());
    }
}

#[test]
fn a_campaign_that_reached_its_limit_goes_on_with_its_last_run() {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM);
    lab.byway(&["run", "--output-dir", "whole", "a.c"]).code(1);
    let runs =
        ["bfs", "random-path", "dfs"].map(|searcher| format!("[[run]]\nsearch = \"{searcher}\"\n"));
    lab.file("c.toml", runs.concat());
    let words = ["run", "--campaign", "c.toml", "--max-work", "90k", "--unfinished-tests", "none"];
    let ran = lab.byway(&[&words[..], &["--output-dir", "c", "a.c"]].concat());
    ran.says("byway: 'byway run --resume c' goes on with the states left by run 3\n");
    // The plan is that of the run directory.
    lab.file("c.toml", "nonsense");
    let ran = lab.byway(&["run", "--resume", "c", "--max-work", "1G"]);
    ran.code(1).says("byway: run 3 of 3 (--search dfs): going on with ");
    ran.says("byway: explored completely");
    assert!(paths(&lab, "c") == paths(&lab, "whole"));
    assert_eq!(summary(&lab, "c")["totals"]["campaign"]["sittings"], 4);
    assert_eq!(sittings(&lab, "c"), [2, 3, 3]);
    lab.byway(&["run", "--resume", "c"]).code(2).says("has no states to go on with");
}

/// Paths without end.
const ENDLESS: &str = "#include <byway.h>\nint main(void) {\n\
    for (int i = byway_int(\"i\"); ; i += 2) if (i == 7) byway_report(\"x\"); }\n";

#[test]
fn a_killed_campaign_makes_the_runs_that_were_left() {
    let lab = TestDir::new();
    lab.file("a.c", ENDLESS);
    lab.file("c.toml", "[[run]]\nmax-work = \"20k\"\n[[run]]\nsearch = \"dfs\"\n[[run]]\n");
    let words = ["run", "--campaign", "c.toml", "--max-time", "60s", "--checkpoint-interval"];
    let words = [&words[..], &["10ms", "--output-dir", "c", "a.c"]].concat();
    for signal in [libc::SIGKILL, libc::SIGINT] {
        let mut child = lab.command(&words).stderr(Stdio::null()).spawn().expect("byway starts");
        let is_second =
            || lab.path("c/sittings.jsonl").exists() && lab.path("c/checkpoint").exists();
        for _ in 0..600 {
            std::thread::sleep(Duration::from_millis(20));
            if is_second() {
                break;
            }
        }
        // SAFETY: the child has not been waited for, so its number is its own.
        unsafe { libc::kill(child.id() as i32, signal) };
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), (signal == libc::SIGINT).then_some(130));
        let ran = lab.byway(&["run", "--resume", "c", "--max-time", "1s"]);
        ran.says("byway: run 2 of 3 (--search dfs): going on with ");
        ran.says("byway: run 3 of 3: ").says("reached the time limit");
        assert_eq!(sittings(&lab, "c"), [2, 2, 3], "{ran:#?}");
        fs::remove_dir_all(lab.path("c")).expect("removed");
    }
}

#[test]
fn what_cannot_be_a_campaign_is_refused() {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM);
    lab.file("c.toml", TWO_RUNS);
    let file = |name: &str, text: &str| lab.file(name, text);
    file("key.toml", "[[run]]\nsym-stdin = 3\n");
    file("random.toml", "[[run]]\n[[run]]\nsearch = \"random-testing\"\n");
    file("target.toml", "[[run]]\nsearch = \"ccbse(dfs)\"\n");
    file("ties.toml", "[[run]]\nsearch = \"sgs:1\"\nties = \"nonsense\"\n");
    for (words, why) in [
        (&["--campaign", "none.toml"][..], "cannot read 'none.toml': No such file"),
        (&["--campaign", "."], "cannot read '.': Is a directory"),
        (&["--campaign", "key.toml"], "'key.toml', line 2: [[run]] has no key 'sym-stdin'"),
        (&["--campaign", "key.toml"], "hint: there are name, share, repeat, seed, search, "),
        (&["--campaign", "sgs-combined"], "unknown campaign 'sgs-combined'"),
        (&["--campaign", "sgs:combined"], "needs a limit to share"),
        (&["--campaign", "divide:0", "--max-work", "1M"], "N is a number from 1 to 1000"),
        (
            &["--campaign", "random.toml"],
            "run 2 of 2 (--search random-testing): --campaign does not",
        ),
        (&["--campaign", "target.toml"], "search backward from a target"),
        (&["--campaign", "ties.toml"], "run 1 of 1 (--search sgs:1 --ties nonsense): "),
        (&["--campaign", "c.toml", "--search", "dfs"], "--search has no effect: every run of"),
        (&["--campaign", "c.toml", "--target", "main"], "--campaign does not work with --target"),
        (&["--campaign", "c.toml", "--reduce", "dgse"], "--campaign does not work with --reduce"),
        (
            &["--campaign", "c.toml", "--changed", "a.c:3"],
            "--campaign does not work with --since and",
        ),
        (&["--campaign", "c.toml", "--against", "a.c"], "--campaign does not work with --against"),
        (&["--campaign", "c.toml", "--resume", "r"], "No such file or directory"),
    ] {
        lab.byway(&[&["run"][..], words, &["a.c"]].concat()).code(2).says(why);
        assert!(!lab.path("byway-out-1").exists(), "{words:?}");
    }
    lab.byway(&["run", "--campaign", "c.toml", "--max-work", "40k", "--output-dir", "r", "a.c"]);
    let ran = lab.byway(&["run", "--resume", "r", "--campaign", "c.toml"]);
    ran.code(2).says("cannot be used with");
    let ran = lab.byway(&["run", "--resume", "r", "--sym-stdin", "3"]);
    ran.code(2).says("its options have changed");
}
