//! A lab from its experiment to its report, on results made by hand.

use std::fs;

use tempfile::TempDir;

use super::*;
use crate::fixture::{EXPERIMENT, LINES, experiment, outcome};

/// A host that runs nothing.
fn with_host<T>(act: impl FnOnce(&LabHost<'_>) -> T) -> T {
    act(&LabHost {
        executable: Path::new("/nonexistent/byway"),
        version: "0.0.0",
        check: &|words| match words.iter().any(|word| word == "refused") {
            true => Err("there is no searcher `refused`".into()),
            false => Ok(()),
        },
        reads: &|words| match words.iter().position(|word| word == "--seed-dir") {
            Some(at) => Ok(vec![PathBuf::from(&words[at + 1])]),
            None => Ok(Vec::new()),
        },
        build: &|| Ok("a build".into()),
        enter: &|_| Ok(()),
        // Not a good digest, but one that tells these few apart.
        digest: &|bytes| {
            let mix =
                |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            format!("{:016x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix))
        },
        interrupted: &|| false,
        say: &|_| {},
        terminal: false,
    })
}

/// A directory with the experiment and the results of those runs that `there` names.
fn directory(there: impl Fn(&Cell) -> bool) -> TempDir {
    let dir = TempDir::new().expect("a directory");
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).expect("a file");
    write("hand.toml", EXPERIMENT);
    write("one.c", "int main(void) { return 1; }");
    write("two.c", "int main(void) { return 2; }");
    let store = ResultStore::new(dir.path().join("hand-results"));
    store.create().expect("a store");
    let experiment = experiment();
    let matrix = Matrix { experiment: &experiment, name: "hand.toml", dir: dir.path() };
    let cells = with_host(|host| matrix.cells(store.dir(), host)).expect("cells");
    for cell in cells.iter().filter(|cell| there(cell)) {
        let covered = LINES[cell.program][cell.strategy][cell.seed as usize - 1];
        let faults: &[u64] = if cell.strategy == 2 { &[7] } else { &[] };
        store.keep(&cell.key, &outcome(covered, faults)).expect("kept");
    }
    dir
}

fn options(dir: &TempDir) -> LabOptions {
    let experiment = dir.path().join("hand.toml");
    LabOptions { experiment, report_only: true, ..LabOptions::default() }
}

fn report(dir: &TempDir, name: &str) -> String {
    fs::read_to_string(dir.path().join("hand-results").join(name)).expect("a report")
}

/// The tags of a page, each closed in its turn; panics if not.
fn assert_well_formed(page: &str) {
    let mut open = Vec::new();
    let mut rest = page.strip_prefix("<!DOCTYPE html>\n").expect("a doctype");
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains('>'), "a stray > in {:?}", &rest[..at]);
        let end = rest[at..].find('>').expect("a tag ends") + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        let name = tag.trim_matches('/').split(' ').next().unwrap_or_default();
        assert!(tag.matches('"').count().is_multiple_of(2), "a quote is open in <{tag}>");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{name}>");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        if name == "style" && !tag.starts_with('/') {
            rest = &rest[rest.find("</style>").expect("the style ends")..];
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

#[test]
fn the_report_has_the_figures() {
    let dir = directory(|_| true);
    let done = with_host(|host| run(&options(&dir), host)).expect("a report");
    assert!(!done.stopped && done.failed == 0 && done.files.len() == 2);
    let markdown = report(&dir, "report.md");
    for row in [
        "# by \\<hand>\n",
        "| dfs | 67.5 [65.0, 70.0] | 67.5 [65.0, 70.0] | 0 | 0 | 1 | 0 | 0 | 1 |",
        "| a\\|b & c | **89.5 [",
        "| bfs | 1 | 0 | 1 | +1.0 | 2 (2) | 1.000 | 1.000 | 0 | 0 |",
        "| one | 100 | 55.0 (50.0–60.0) | 71.0 (70.0–72.0) | **95.0 (91.0–95.0)** |",
        "| two | 100 | 80.0 | 66.0 (65.0–67.0) | **84.0 (80.0–85.0)** |",
        "| one | 1.00 (p 0.100) | 1.00 (p 0.100) |",
        "| one |  |  | **1, 1** |",
        "| one | trap | src/a.c:7:1 | a\\|b & c 3/3 |",
    ] {
        assert!(markdown.contains(row), "no {row:?} in\n{markdown}");
    }
    assert!(!markdown.contains("\n> "), "nothing is missing:\n{markdown}");
    assert!(done.summary.contains("dfs       67.5 [65.0, 70.0]"), "{}", done.summary);
}

#[test]
fn the_page_is_well_formed_and_has_the_figures_of_the_tables() {
    let dir = directory(|_| true);
    with_host(|host| run(&options(&dir), host)).expect("a report");
    let (page, markdown) = (report(&dir, "report.html"), report(&dir, "report.md"));
    assert_well_formed(&page);
    let rows = markdown.lines().filter(|line| line.starts_with("| ") && !line.starts_with("|--"));
    let mut figures = 0;
    for cell in rows.flat_map(|row| row.split(" | ")) {
        let text = cell.trim_matches(['|', ' ', '*']);
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            figures += 1;
            assert!(page.contains(text), "no {text:?} in the page");
        }
    }
    assert!(figures > 50, "only {figures} figures in\n{markdown}");
    assert!(page.contains("<h1>by &lt;hand&gt;</h1>") && page.contains("a|b &amp; c"));
    // Three plots of all programs, one of each program, and nothing that must be fetched.
    assert_eq!(page.matches("<figure>").count(), 5);
    assert!(!page.contains("<script") && !page.contains("http"));
    // Every curve: three strategies in five plots, and in two legends.
    assert_eq!(page.matches("class=\"line k").count(), 3 * 5 + 3 * 2);
    assert_eq!(page.matches("class=\"band k").count(), 3 * 5);
}

#[test]
fn the_same_results_give_the_same_report() {
    let dir = directory(|_| true);
    let pages: Vec<String> = (0..2)
        .map(|_| {
            with_host(|host| run(&options(&dir), host)).expect("a report");
            report(&dir, "report.html")
        })
        .collect();
    assert_eq!(pages[0], pages[1]);
}

#[test]
fn missing_results_are_reported() {
    let dir = directory(|cell| cell.program == 0 && cell.seed == 1);
    let done = with_host(|host| run(&options(&dir), host)).expect("a report");
    let said = "3 of 18 runs have a result. Strategies are compared on the 1 of 2 programs";
    assert!(done.summary.contains(said), "{}", done.summary);
    assert!(report(&dir, "report.md").contains(said));
    assert_well_formed(&report(&dir, "report.html"));
}

#[test]
fn without_results_there_is_no_report() {
    let dir = directory(|_| false);
    let elsewhere = dir.path().join("elsewhere");
    let options = LabOptions { output: Some(elsewhere.clone()), ..options(&dir) };
    let why = with_host(|host| run(&options, host)).expect_err("an error").to_string();
    assert!(why.contains("there are no results of this experiment in '"), "{why}");
    assert!(!elsewhere.exists());
}

#[test]
fn unused_variables_are_reported() {
    let dir = directory(|_| true);
    let set = BTreeMap::from([("NOBODY".to_string(), "x".to_string())]);
    let said = std::cell::RefCell::new(String::new());
    let say = |text: &str| said.borrow_mut().push_str(text);
    with_host(|host| run(&LabOptions { set, ..options(&dir) }, &LabHost { say: &say, ..*host }))
        .expect("a report");
    assert!(said.borrow().contains("--set NOBODY: '"), "{}", said.borrow());
}

#[test]
fn the_key_of_a_run_covers_its_inputs() {
    let dir = directory(|_| false);
    let (seeds, store) = (dir.path().join("seeds"), dir.path().join("seeds/results"));
    fs::create_dir_all(&store).expect("a directory");
    let options = format!("seeds = 3\noptions = \"--seed-dir {}\"", seeds.display());
    let text = EXPERIMENT.replacen("seeds = 3", &options, 1);
    let experiment =
        experiment::read("hand.toml", &text, &mut Variables::default()).expect("an experiment");
    let matrix = Matrix { experiment: &experiment, name: "hand.toml", dir: dir.path() };
    let keys = || {
        let cells = with_host(|host| matrix.cells(&store, host)).expect("cells");
        cells.into_iter().map(|cell| cell.key).collect::<BTreeSet<String>>()
    };
    let empty = keys();
    assert_eq!(empty.len(), 18);
    fs::write(store.join("result"), "x").expect("a file");
    assert_eq!(keys(), empty, "results are nothing they depend on");
    fs::write(seeds.join("a"), "x").expect("a file");
    let one = keys();
    assert!(one.is_disjoint(&empty));
    fs::write(seeds.join("a"), "y").expect("a file");
    assert!(keys().is_disjoint(&one));
    fs::rename(seeds.join("a"), seeds.join("b")).expect("movable");
    fs::write(seeds.join("b"), "x").expect("a file");
    assert!(keys().is_disjoint(&one));
}

#[test]
fn a_kept_run_records_its_byway() {
    let dir = directory(|_| false);
    let store = ResultStore::new(dir.path().join("hand-results"));
    let run = dir.path().join("run");
    fs::create_dir(&run).expect("a directory");
    assert_eq!(store.build_of("key").build, "unknown");
    let build = BywayBuild { byway: "1.2.3".into(), build: "earlier".into() };
    store.keep_run("key", &run, &build).expect("kept");
    assert_eq!(store.build_of("key"), build);
    assert!(store.run("key").is_dir() && !run.exists());
}

#[test]
fn results_are_found_by_their_dependencies() {
    let dir = directory(|_| true);
    let there = |from: &str, to: &str, partial_tests| {
        let text = EXPERIMENT.replacen(from, to, 1);
        assert!(text != EXPERIMENT || from == to);
        fs::write(dir.path().join("hand.toml"), text).expect("a file");
        let options = LabOptions { partial_tests, ..options(&dir) };
        let Ok(done) = with_host(|host| run(&options, host)) else { return 0 };
        let warning = done.summary.lines().find_map(|line| line.strip_prefix("warning: "));
        let count = warning.and_then(|line| line.split(' ').next()?.parse::<usize>().ok());
        count.unwrap_or(usize::MAX)
    };
    const ALL: usize = usize::MAX;
    assert_eq!(there("", "", None), ALL);
    assert_eq!(there("name = \"a|b & c\"", "name = \"renamed\"", None), ALL);
    assert_eq!(there("seeds = 3", "seeds = [3, 2]", None), ALL);
    assert_eq!(there("seeds = 3", "seeds = 4", None), 18);
    assert_eq!(there("cpu = \"10s\"", "cpu = \"11s\"", None), 0);
    assert_eq!(there("search = \"bfs\"", "search = \"sgs:1\"", None), 12);
    assert_eq!(there("seeds = 3", "seeds = 3\noptions = \"--no-tests\"", None), 0);
    assert_eq!(there("", "", Some(PartialTests::Drop)), 0);
    fs::write(dir.path().join("one.c"), "int main(void) { return 3; }").expect("a file");
    assert_eq!(there("", "", None), 9);
}

#[test]
fn mistakes_are_reported_before_the_first_run() {
    let dir = directory(|_| false);
    let text = EXPERIMENT.replace("search = \"bfs\"", "search = \"refused\"");
    fs::write(dir.path().join("hand.toml"), text).expect("a file");
    let options = LabOptions { report_only: false, ..options(&dir) };
    let why = with_host(|host| run(&options, host)).expect_err("an error").to_string();
    let expected = "hand.toml', line 12: 'search' of strategy 'refused': there is no searcher";
    assert!(why.contains(expected) && why.contains("byway run "), "{why}");
    for (from, to, expected) in [
        ("seeds = 3", "seeds = 3\noptions = \"refused\"", "line 3: 'options': there is"),
        (
            "search = \"bfs\"",
            "search = \"bfs\"\noptions = \"refused\"",
            "line 13: 'options' of strategy 'bfs': there is",
        ),
        (
            "files = \"${name}.c\"",
            "files = \"${name}.c\"\noptions = \"refused\"",
            "line 9: 'options' of program 'one': there is",
        ),
    ] {
        let text = EXPERIMENT.replacen(from, to, 1);
        fs::write(dir.path().join("hand.toml"), text).expect("a file");
        let why = with_host(|host| run(&options, host)).expect_err("an error").to_string();
        assert!(why.contains(expected), "no {expected:?} in {why}");
    }
    fs::remove_file(dir.path().join("two.c")).expect("removable");
    let why = with_host(|host| run(&options, host)).expect_err("an error").to_string();
    let expected = "hand.toml', line 8: 'files' of program 'two': cannot read";
    assert!(why.contains(expected), "{why}");
}

/// A byway that leaves the recorded run, after it has done something else.
fn actor(dir: &TempDir, act: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded");
    // byway run --output-dir DIR ...
    let script = format!("#!/bin/sh\n{act}\ncp -R '{}' \"$3\"\n", recorded.display());
    let path = dir.path().join("actor");
    fs::write(&path, script).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("an executable");
    path
}

#[test]
fn a_program_that_changes_meanwhile_leaves_no_result() {
    let dir = directory(|_| false);
    let text = EXPERIMENT.replacen("seeds = 3", "seeds = 1\ncoverage = \"engine\"", 1);
    fs::write(dir.path().join("hand.toml"), text).expect("a file");
    let working = LabOptions { report_only: false, ..options(&dir) };
    let with = |act: &str| {
        let executable = actor(&dir, act);
        with_host(|host| run(&working, &LabHost { executable: &executable, ..*host }))
            .expect("a lab")
    };
    let results =
        || fs::read_dir(dir.path().join("hand-results/results")).expect("results").count();
    let done = with("echo >> one.c");
    // The three runs of the program that changes; the other's are kept.
    assert_eq!((done.failed, results()), (3, 3), "{}", done.summary);
    assert!(done.summary.contains("one.c' has changed since the lab began"), "{}", done.summary);
    assert!(!done.summary.contains("not all of one program"), "{}", done.summary);
    assert_eq!((with("").failed, results()), (0, 6));
}

#[test]
fn one_lab_at_a_time() {
    let dir = directory(|_| true);
    let store = ResultStore::new(dir.path().join("hand-results"));
    let _lock = store.lock().expect("the first");
    let working = LabOptions { report_only: false, ..options(&dir) };
    let why = with_host(|host| run(&working, host)).expect_err("an error").to_string();
    assert!(why.contains("another lab is running in"), "{why}");
    with_host(|host| run(&options(&dir), host)).expect("a report meanwhile");
}
