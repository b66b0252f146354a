//! `byway lab` on real runs: resumed after a kill, stopped by Ctrl-C, measured both ways.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::setup::{Run, TestDir};

/// Forks at every byte, and has a fault that takes a while to be found.
const PROGRAM: &str = r#"
#include <byway.h>
int main(void)
{
    unsigned char b[12];
    int n = 0;
    byway_make_symbolic(b, sizeof b, "b");
    for (int i = 0; i < 12; i++)
        if (b[i] > 'm')
            n++;
        else if (b[i] == 'c')
            n += 2;
    if (n == 0)
        return 1;
    if (n == 24)
        __builtin_trap();
    return 0;
}
"#;

fn experiment(keys: &str, budget: &str, strategies: &[&str]) -> String {
    let strategies: String =
        strategies.iter().map(|search| format!("[[strategy]]\nsearch = \"{search}\"\n")).collect();
    format!(
        "name = \"test\"\n{keys}\noptions = \"--only-covering-new\"\n[budget]\n{budget}\n\
         [[program]]\nname = \"a\"\nfiles = \"a.c\"\n{strategies}"
    )
}

/// A lab with the program and an experiment.
fn lab(text: String) -> TestDir {
    let lab = TestDir::new();
    lab.file("a.c", PROGRAM).file("x.toml", text);
    lab
}

/// The results that are there, by name.
fn results(lab: &TestDir) -> BTreeMap<String, String> {
    let entries = fs::read_dir(lab.path("x-results/results")).into_iter().flatten().flatten();
    let named = entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry));
    named
        .filter(|(name, _)| name.ends_with(".json") && !name.starts_with('.'))
        .map(|(name, entry)| (name, fs::read_to_string(entry.path()).expect("a result")))
        .collect()
}

/// Starts a lab in the background and waits for its first results.
fn begin(lab: &TestDir, least: usize) -> Child {
    let mut command = lab.command(&["lab", "x.toml"]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("byway starts");
    let started = Instant::now();
    while results(lab).len() < least {
        assert!(started.elapsed() < Duration::from_secs(300), "no result in five minutes");
        thread::sleep(Duration::from_millis(20));
    }
    child
}

/// Processes that work on a draft of this lab.
fn at_work(lab: &TestDir) -> usize {
    let drafts = lab.path("x-results/drafts");
    let drafts = drafts.as_os_str().as_encoded_bytes();
    let mentions = |dir: &Path| {
        let words = fs::read(dir.join("cmdline")).unwrap_or_default();
        words.windows(drafts.len()).any(|window| window == drafts)
    };
    let processes = fs::read_dir("/proc").expect("/proc").flatten();
    processes.filter(|entry| mentions(&entry.path())).count()
}

/// Runs and their child processes do not outlive the lab; the kernel may need a moment.
fn await_rest(lab: &TestDir) {
    let dying = Instant::now();
    while at_work(lab) > 0 {
        assert!(dying.elapsed() < Duration::from_secs(60), "a run goes on alone");
        thread::sleep(Duration::from_millis(20));
    }
}

fn figures(run: &Run) -> &str {
    run.stdout.split_once("\n\n").expect("a table").1
}

#[test]
fn a_lab_that_is_killed_goes_on_where_it_was() {
    let text = experiment("seeds = 6\ncoverage = \"engine\"", "work = 150000", &["dfs", "sgs:1"]);
    let killed = lab(text.clone());
    let mut child = begin(&killed, 2);
    child.kill().expect("killed");
    child.wait().expect("gone");
    await_rest(&killed);
    let before = results(&killed);
    assert!((2..12).contains(&before.len()), "{}", before.len());
    let run = killed.byway(&["lab", "x.toml"]);
    run.code(0).says(&format!("lab: {} of 12 runs have a result already\n", before.len()));
    run.says("lab: 12 of 12 runs, a sgs:1 seed 6, in ");
    let after = results(&killed);
    assert_eq!(after.len(), 12);
    assert!(before.iter().all(|(name, text)| after.get(name) == Some(text)), "made again");
    assert!(!killed.path("x-results/drafts").exists());
    // Its results equal those of a lab that was never killed.
    let whole = lab(text);
    let other = whole.byway(&["lab", "x.toml"]);
    assert_eq!(
        figures(other.code(0)).lines().take(3).collect::<Vec<_>>(),
        figures(&run).lines().take(3).collect::<Vec<_>>()
    );
    // And nothing is left to do.
    let again = killed.byway(&["lab", "x.toml"]);
    assert_eq!(again.code(0).stderr, "lab: 12 of 12 runs have a result already\n");
    assert_eq!(results(&killed), after);
}

#[test]
fn ctrl_c_stops_a_lab_and_reports_what_is_there() {
    let text = experiment("seeds = 50\ncoverage = \"engine\"", "work = 150000", &["dfs"]);
    let lab = lab(text);
    let child = begin(&lab, 1);
    // SAFETY: kill takes two numbers.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
    let mut child = child;
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    await_rest(&lab);
    assert!(!lab.path("x-results/drafts").exists());
    let there = results(&lab).len();
    assert!(there < 50);
    let report = fs::read_to_string(lab.path("x-results/report.md")).expect("a report");
    assert!(report.contains(&format!("{there} of 50 runs have a result")), "{report}");
    let run = lab.byway(&["lab", "--report-only", "x.toml"]);
    run.code(0).quiet();
    assert!(run.stdout.contains(&format!("{there} of 50 runs have a result")), "{run:?}");
}

#[test]
fn coverage_is_measured_natively_and_by_the_engine() {
    let text = experiment("seeds = 1\npartial-tests = \"drop\"", "work = 20000", &["dfs", "bfs"]);
    let lab = lab(text.clone());
    let native = lab.byway(&["lab", "--jobs", "2", "x.toml"]);
    native.code(0);
    assert!(native.stdout.contains("measured natively by byway cover (gcc -O0 --coverage)"));
    let all: Vec<Value> =
        results(&lab).values().map(|text| serde_json::from_str(text).expect("JSON")).collect();
    assert_eq!(all.len(), 2);
    for result in &all {
        assert_eq!(result["run"]["ended"], "max-work");
        let credit = result["coverage"]["credit"].as_array().expect("credit");
        let sum: u64 = credit.iter().filter_map(|test| test["lines"].as_u64()).sum();
        assert_eq!(result["coverage"]["lines"]["covered"], sum);
        assert!(result["coverage"]["lines"]["total"].as_u64() > Some(sum));
        assert!(credit.iter().all(|test| test["at"]["work"].as_f64() <= Some(20_100.0)));
    }
    // Breadth first no path has ended so soon.
    let covered = |search: &str| {
        let word = Value::from(search);
        let of = |it: &&Value| it["command"].as_array().is_some_and(|it| it.contains(&word));
        all.iter().find(of).expect("a result")["coverage"]["lines"]["covered"].as_u64()
    };
    assert!(covered("bfs") == Some(0) && covered("dfs") > Some(3), "{all:?}");
    // Tests of truncated paths: measured on the existing runs, none executed again.
    let manifests = |lab: &TestDir| {
        let runs = fs::read_dir(lab.path("x-results/runs")).expect("runs").flatten();
        let stamp = |dir: std::path::PathBuf| fs::metadata(dir.join("manifest.json"))?.modified();
        runs.map(|entry| stamp(entry.path()).expect("a manifest")).collect::<Vec<_>>()
    };
    let made = manifests(&lab);
    let kept = lab.byway(&["lab", "--partial-tests", "keep", "x.toml"]);
    assert!(kept.code(0).stdout.contains("tests of truncated paths count, too"));
    assert_eq!(manifests(&lab), made);
    assert!(figures(&kept).lines().nth(2) != figures(&native).lines().nth(2), "{kept:?}");
    lab.file("x.toml", text.replace("seeds = 1", "seeds = 1\ncoverage = \"engine\""));
    let own = lab.byway(&["lab", "x.toml"]);
    assert!(own.code(0).stdout.contains("measured by the engine itself"), "{own:?}");
    assert_eq!(manifests(&lab), made);
}

#[test]
fn what_is_wrong_is_told_before_anything_runs() {
    let text = experiment("", "work = 1000", &["dfs", "sgs:none"]);
    let lab = lab(text.clone());
    let wrong = |text: String| {
        lab.file("x.toml", text);
        let run = lab.byway(&["lab", "x.toml"]);
        assert!(!lab.path("x-results").exists(), "something was begun");
        run
    };
    wrong(text.clone())
        .code(2)
        .says("'x.toml', line 12: 'search' of strategy 'sgs:none': ")
        .says("`sgs` takes a subpath length");
    wrong(text.replace("sgs:none", "bfss")).code(2).says("did you mean `bfs`?");
    let flag = text.replace("sgs:none", "bfs").replace("--only-covering-new", "--only-covering");
    wrong(flag).code(2).says("line 3: 'options': unexpected argument '--only-covering'");
    let untested = text.replace("sgs:none", "bfs").replace("--only-covering-new", "--no-tests");
    wrong(untested).code(2).says("line 3: 'options': --no-tests leaves nothing to measure");
    wrong(text.replace("search", "serach"))
        .code(2)
        .says("line 9: [[strategy]] needs 'name' or 'search'");
    wrong(text.replace("work = 1000", "work = 1000\nworks = 1"))
        .code(2)
        .says("'x.toml', line 6: [budget] has no key 'works'")
        .says("     6 | works = 1")
        .says("hint: did you mean 'work'?");
    wrong(text.replace("a.c", "${PLACE}/a.c")).code(2).says("the variable 'PLACE' is not set");
    lab.byway(&["lab", "missing.toml"]).code(2).says("cannot read 'missing.toml'");
    lab.byway(&["lab"]).code(2).says("<EXPERIMENT>");
}

#[test]
fn a_run_that_fails_is_told_and_tried_again() {
    let text = experiment("coverage = \"engine\"", "work = 5000", &["dfs"]);
    let lab = lab(text);
    lab.file("a.c", "int main(void) { return x; }");
    let run = lab.byway(&["lab", "x.toml"]);
    run.code(2).says("1 of 1 runs, a dfs seed 1, failed: 'byway run' failed").says("1 run failed");
    let report = fs::read_to_string(lab.path("x-results/report.md")).expect("a report");
    assert!(report.contains("undeclared identifier"), "{report}");
    lab.file("a.c", PROGRAM);
    lab.byway(&["lab", "x.toml"]).code(0);
}

#[test]
fn the_example_is_an_experiment() {
    let lab = TestDir::new();
    let example = lab.byway(&["lab", "--example"]);
    example.code(0).quiet();
    lab.file("lab.toml", &example.stdout);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let set = format!("EXAMPLES={}", examples.canonicalize().expect("the examples").display());
    let run = lab.byway(&["lab", "--report-only", "--set", &set, "lab.toml"]);
    // All is understood; there is nothing to report.
    run.code(2).says("there are no results of this experiment in '");
    assert!(!lab.path("lab-results").exists());
}

#[test]
fn the_experiments_of_the_bench_can_be_read() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/experiments");
    let mut count = 0;
    for entry in fs::read_dir(dir).expect("experiments").flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|ext| ext != "toml") {
            continue;
        }
        count += 1;
        let lab = TestDir::new();
        let path = path.to_string_lossy().into_owned();
        let run = lab.byway(&["lab", "--set", "COREUTILS=none", "--output-dir", "out", &path]);
        // All is understood; the programs are not there.
        run.code(2).says("program 'cut': cannot read '").says("/none/bitcode/cut.bc'");
    }
    assert!(count >= 2);
}

#[test]
fn strategies_with_the_same_options_share_their_runs() {
    let keys = "jobs = 2\nseeds = 2\ncoverage = \"engine\"";
    let text = experiment(keys, "work = 20000", &["dfs"])
        + "[[strategy]]\nname = \"again\"\nsearch = \"dfs\"\n";
    let lab = lab(text);
    let run = lab.byway(&["lab", "x.toml"]);
    run.code(0).says("lab: 2 of 2 runs");
    assert_eq!(results(&lab).len(), 2);
    let row = |name: &str| {
        let line = figures(&run).lines().find(|line| line.trim_start().starts_with(name));
        line.map(|line| line.trim_start().trim_start_matches(name).trim_start().to_string())
    };
    assert!(row("dfs").is_some_and(|figures| row("again") == Some(figures)), "{}", run.stdout);
}

#[test]
fn a_header_that_changes_makes_runs_anew() {
    let lab = lab(experiment("coverage = \"engine\"", "work = 20000", &["dfs"]));
    lab.file("a.c", format!("#include \"inc/h.h\"\n{PROGRAM}"));
    fs::create_dir(lab.path("inc")).expect("a directory");
    lab.file("inc/h.h", "enum { ONE = 1 };\n");
    lab.byway(&["lab", "x.toml"]).code(0);
    let again = lab.byway(&["lab", "x.toml"]);
    assert_eq!(again.code(0).stderr, "lab: 1 of 1 runs have a result already\n");
    lab.file("inc/h.h", "enum { ONE = 2 };\n");
    lab.byway(&["lab", "x.toml"]).code(0).says("lab: 1 of 1 runs, a dfs seed 1");
    assert_eq!(results(&lab).len(), 2);
}
