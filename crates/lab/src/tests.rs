//! A lab from its experiment to its report, on results made by hand.

use std::fs;

use byway_testcase::tempdir::TempDir;

use super::*;
use crate::fixture::{EXPERIMENT, LINES, experiment, outcome};

/// A host that runs nothing.
fn with_host<T>(act: impl FnOnce(&Host<'_>) -> T) -> T {
    act(&Host {
        executable: Path::new("/nonexistent/byway"),
        version: "0.0.0",
        check: &|words| match words.iter().any(|word| word == "refused") {
            true => Err("there is no searcher `refused`".into()),
            false => Ok(()),
        },
        // Not a good digest, but one that tells these few apart.
        digest: &|bytes| {
            let mix =
                |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            format!("{:016x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix))
        },
        interrupted: &|| false,
        say: &|_| {},
        terminal: None,
    })
}

/// A directory with the experiment and the results of those runs that `there` names.
fn directory(there: impl Fn(&Cell) -> bool) -> TempDir {
    let dir = TempDir::new().expect("a directory");
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).expect("a file");
    write("hand.toml", EXPERIMENT);
    write("one.c", "int main(void) { return 1; }");
    write("two.c", "int main(void) { return 2; }");
    let store = Store::new(dir.path().join("hand-results"));
    store.make().expect("a store");
    let cells = with_host(|host| plan::cells(&experiment(), dir.path(), host)).expect("cells");
    for cell in cells.iter().filter(|cell| there(cell)) {
        let covered = LINES[cell.program][cell.strategy][cell.seed as usize - 1];
        let faults: &[u64] = if cell.strategy == 2 { &[7] } else { &[] };
        store.keep(&cell.key, &outcome(covered, faults)).expect("kept");
    }
    dir
}

fn wishes(dir: &TempDir) -> Wishes {
    let experiment = dir.path().join("hand.toml");
    Wishes { experiment, report_only: true, ..Wishes::default() }
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
    let done = with_host(|host| run(&wishes(&dir), host)).expect("a report");
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
    with_host(|host| run(&wishes(&dir), host)).expect("a report");
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
            with_host(|host| run(&wishes(&dir), host)).expect("a report");
            report(&dir, "report.html")
        })
        .collect();
    assert_eq!(pages[0], pages[1]);
}

#[test]
fn what_is_missing_is_told() {
    let dir = directory(|cell| cell.program == 0 && cell.seed == 1);
    let done = with_host(|host| run(&wishes(&dir), host)).expect("a report");
    let said = "3 of 18 runs are there. Strategies are compared on the 1 of 2 programs";
    assert!(done.summary.contains(said), "{}", done.summary);
    assert!(report(&dir, "report.md").contains(said));
    assert_well_formed(&report(&dir, "report.html"));
    let dir = directory(|_| false);
    with_host(|host| run(&wishes(&dir), host)).expect("an empty report");
    assert_well_formed(&report(&dir, "report.html"));
}

#[test]
fn results_are_found_by_what_they_depend_on() {
    let dir = directory(|_| true);
    let there = |from: &str, to: &str, partial_tests| {
        let text = EXPERIMENT.replacen(from, to, 1);
        assert!(text != EXPERIMENT || from == to);
        fs::write(dir.path().join("hand.toml"), text).expect("a file");
        let wishes = Wishes { partial_tests, ..wishes(&dir) };
        let done = with_host(|host| run(&wishes, host)).expect("a report");
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
fn nonsense_is_told_before_anything_runs() {
    let dir = directory(|_| false);
    let text = EXPERIMENT.replace("search = \"bfs\"", "search = \"refused\"");
    fs::write(dir.path().join("hand.toml"), text).expect("a file");
    let wishes = Wishes { report_only: false, ..wishes(&dir) };
    let why = with_host(|host| run(&wishes, host)).expect_err("a complaint").to_string();
    for part in ["hand.toml', strategy 'refused' of line 11", "no searcher `refused`", "byway run "]
    {
        assert!(why.contains(part), "no {part:?} in {why}");
    }
    fs::remove_file(dir.path().join("two.c")).expect("removable");
    let why = with_host(|host| run(&wishes, host)).expect_err("a complaint").to_string();
    assert!(why.contains("program 'two': cannot read"), "{why}");
}

#[test]
fn one_lab_at_a_time() {
    let dir = directory(|_| true);
    let store = Store::new(dir.path().join("hand-results"));
    let _lock = store.lock().expect("the first");
    let working = Wishes { report_only: false, ..wishes(&dir) };
    let why = with_host(|host| run(&working, host)).expect_err("a complaint").to_string();
    assert!(why.contains("another lab is at work in"), "{why}");
    with_host(|host| run(&wishes(&dir), host)).expect("a report meanwhile");
}
