//! The pages name only files that exist: links between pages, and paths in CONTRIBUTING's
//! recipes and elsewhere.

use std::path::{Path, PathBuf};

use crate::{read, report, root, shown, sources};

/// A word in backticks that starts like this is a path from the project's root.
const FOLDERS: [&str; 8] =
    ["crates/", "bench/", "docs/", "examples/", "runtime/", "solver/", "tests/", ".ci/"];

/// Characters of a pattern or a placeholder, which no file is named by.
const PATTERN: [char; 5] = ['*', '{', '<', '$', ' '];

/// Our own pages. Dated results describe the project as it was.
fn pages() -> Vec<PathBuf> {
    let results = root().join("bench/results");
    sources(&["md"]).into_iter().filter(|page| !page.starts_with(&results)).collect()
}

/// The targets of `[text](target)`, without those on other hosts and within the page. A
/// target has a dot or a slash; `[x](y)` in code has none.
fn links(page: &str) -> impl Iterator<Item = &str> {
    page.split("](").skip(1).filter_map(|rest| {
        let target = rest.split(')').next()?.split('#').next()?;
        (target.contains(['.', '/']) && !target.contains("://")).then_some(target)
    })
}

/// The paths in backticks. A part in capitals (`NAME.rs`) stands for a name to choose.
fn paths(page: &str) -> impl Iterator<Item = &str> {
    let quoted = page.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    quoted.filter(|word| {
        let stem = |part: &str| part.split('.').next().unwrap_or_default().to_string();
        let is_name = |part: &str| {
            let stem = stem(part);
            stem.len() > 1 && stem.chars().all(|c| c.is_ascii_uppercase())
        };
        FOLDERS.iter().any(|folder| word.starts_with(folder))
            && !word.contains(PATTERN)
            && !word.contains("...")
            && !word.split('/').any(|part| is_name(part) && part != "README.md")
    })
}

#[test]
fn links_lead_to_files() {
    let mut complaints = Vec::new();
    for page in pages() {
        let folder = page.parent().unwrap_or(Path::new("."));
        for link in links(&read(&page)) {
            if !folder.join(link).exists() {
                complaints.push(format!("{}: the link to {link} is broken", shown(&page)));
            }
        }
    }
    report(&complaints);
}

#[test]
fn paths_in_pages_exist() {
    let mut complaints = Vec::new();
    for page in pages() {
        for path in paths(&read(&page)) {
            if !root().join(path).exists() {
                complaints.push(format!("{}: there is no {path}", shown(&page)));
            }
        }
    }
    report(&complaints);
}

#[test]
fn links_and_paths_are_recognised() {
    let page = "see [a](b.md#c), [d](https://e) and [f](#g); `crates/x/y.rs`, `docs/NAME.md`, \
                `tests/*.c`, `cargo build`, `docs/README.md`";
    assert_eq!(links(page).collect::<Vec<_>>(), ["b.md"]);
    assert_eq!(paths(page).collect::<Vec<_>>(), ["crates/x/y.rs", "docs/README.md"]);
}
