//! The README and the pages beside it show what really happens: their examples are run
//! and compared.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::setup::TestDir;

/// The blocks of a page in these languages; `""` if none is named.
fn blocks<'a>(page: &'a str, languages: &[&str]) -> Vec<Vec<&'a str>> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, Vec<&str>)> = None;
    // An item of a list may begin with a block.
    let before = |c: char| c == ' ' || c == '.' || c.is_ascii_digit();
    for line in page.lines() {
        open = match (line.trim_start_matches(before).strip_prefix("```"), open) {
            (Some(named), None) => Some((named, Vec::new())),
            (Some(_), Some((named, lines))) => {
                blocks.extend(languages.contains(&named).then_some(lines));
                None
            }
            (None, Some((named, mut lines))) => {
                lines.push(line);
                Some((named, lines))
            }
            (None, None) => None,
        };
    }
    blocks
}

/// The commands of a page with the output it promises for each.
fn examples(page: &str) -> Vec<(&str, String)> {
    let mut examples: Vec<(&str, String)> = Vec::new();
    for block in blocks(page, &["", "text"]) {
        let mut command = None;
        // A block in a list is indented.
        let indent = block.first().map_or(0, |line| line.len() - line.trim_start().len());
        for line in block.into_iter().map(|line| line.get(indent..).unwrap_or_default()) {
            if let Some(typed) = line.strip_prefix("$ ") {
                command = Some(typed);
                examples.push((typed, String::new()));
            } else if let (Some(_), Some((_, output))) = (command, examples.last_mut()) {
                output.push_str(line);
                output.push('\n');
            }
        }
    }
    examples
}

/// Whether a text is what was promised. `...` stands for anything, and how long
/// something took is different each time.
fn keeps(promised: &str, text: &str) -> bool {
    let (promised, text) = (timeless(promised), timeless(text));
    let (mut rest, mut first) = (text.trim_end(), true);
    let parts: Vec<&str> = promised.trim_end().split("...").collect();
    for (index, part) in parts.iter().enumerate() {
        let last = index + 1 == parts.len();
        let found = match (first, last) {
            (true, true) => return rest == *part,
            (true, false) => rest.starts_with(part).then_some(0),
            (false, true) => return rest.ends_with(part),
            (false, false) => rest.find(part),
        };
        let Some(at) = found else { return false };
        rest = &rest[at + part.len()..];
        first = false;
    }
    true
}

/// The text with every `after 1.23 s` made the same, and without lines of progress, which
/// appear only if a command takes seconds.
fn timeless(text: &str) -> String {
    let progress = |line: &&str| {
        let Some(text) = line.strip_prefix("byway: ") else { return false };
        let seconds = text.split_once(" s, ").map(|(seconds, _)| seconds.parse::<f64>());
        let jobs = text.trim_end().ends_with(" left") && text.contains(" of ");
        jobs || seconds.is_some_and(|seconds| seconds.is_ok())
    };
    let text: String = text.split_inclusive('\n').filter(|line| !progress(line)).collect();
    let mut parts = text.split(" after ");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let number = part.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(part.len());
        let timed = number > 0 && part[number..].starts_with(" s");
        out += " after ";
        out += if timed { &part[number..] } else { part };
    }
    out
}

/// A copy of the programs that pages explore, so that runs do not write next to the originals.
fn copy_programs(root: &Path, lab: &TestDir) {
    for folder in ["examples", "tests/sym", "bench/directed"] {
        for entry in fs::read_dir(root.join(folder)).expect("programs").flatten() {
            let path = entry.path();
            if path.is_file() {
                let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
                lab.file(&name, fs::read(path).expect("a program"));
            }
        }
    }
}

/// Runs the examples of a page, of which there are at least so many. A whole program that it
/// shows is there under this name.
fn check_with(page: &str, least: usize, shown: Option<&str>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join(page)).expect("the page");
    let examples = examples(&text);
    assert!(examples.len() >= least, "{page}: the examples were not found: {examples:?}");
    let lab = TestDir::new();
    copy_programs(&root, &lab);
    if let Some(name) = shown {
        let program = blocks(&text, &["c"]).into_iter().next().expect("a program");
        lab.file(name, program.join("\n") + "\n");
    }
    let byway = lab.command(&[]);
    let dir = Path::new(byway.get_program()).parent().expect("a directory").to_path_buf();
    let path = format!("{}:{}", dir.display(), env::var("PATH").unwrap_or_default());
    for (typed, promised) in examples {
        let mut shell = Command::new("sh");
        // Braces, so that of several commands in a line all are heard.
        let line = format!("{{ {typed}\n}} 2>&1");
        shell.args(["-c", &line]).current_dir(lab.path(".")).env("PATH", &path);
        shell.envs(byway.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let output = shell.output().expect("sh starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            keeps(&promised, &text),
            "{page}: '{typed}' is out of date; it promises\n{promised}\nand gets\n{text}"
        );
    }
}

fn check(page: &str, least: usize) {
    check_with(page, least, None);
}

#[test]
fn the_examples_of_the_readme_are_true() {
    check("README.md", 6);
}

#[test]
fn the_examples_of_symbolic_input_are_true() {
    check("docs/symbolic-input.md", 10);
}

#[test]
fn the_tutorial_is_true() {
    check_with("docs/tutorial.md", 8, Some("unescape.c"));
}

#[test]
fn the_examples_of_testing_a_function_are_true() {
    check_with("docs/entry.md", 4, Some("packet.c"));
}

#[test]
fn the_examples_of_triage_are_true() {
    check_with("docs/triage.md", 2, Some("shares.c"));
}

#[test]
fn the_examples_of_replay_are_true() {
    // Without it there is no exact comparison to show.
    if Path::new("/usr/lib/x86_64-linux-musl/libc.a").exists() {
        check("docs/replay.md", 4);
    }
}

#[test]
fn the_examples_of_reach_are_true() {
    check_with("docs/reach.md", 2, Some("gate.c"));
}

#[test]
fn the_examples_of_simulations_are_true() {
    check("docs/simulate.md", 3);
}

#[test]
fn the_examples_of_testing_a_change_are_true() {
    check_with("docs/changes.md", 2, Some("fee.c"));
}

#[test]
fn the_examples_of_searchers_are_true() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/search");
    let mut checked = 0;
    for entry in fs::read_dir(pages).expect("the pages").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        // It shows a program of the Coreutils, which are not here.
        if name != "auto.md" {
            check(&format!("docs/search/{name}"), 1);
            checked += 1;
        }
    }
    assert!(checked > 8, "the pages were not found");
}

#[test]
fn promises_are_compared_as_meant() {
    assert!(keeps("one\n...\nfour\n", "one\ntwo\nthree\nfour\n"));
    assert!(keeps("done after 1.23 s", "done after 0.45 s\n"));
    assert!(keeps("a\nb", "a\nbyway: 2.00 s, 93 states\nb\n"));
    assert!(keeps("tests/...\nend ...", "tests/000001.ktest\nend of it"));
    for (promised, text) in
        [("one", "two"), ("one\n...", "two\n"), ("a ... c", "a b d"), ("a", "a b")]
    {
        assert!(!keeps(promised, text), "{promised:?} is not {text:?}");
    }
}
