//! A type's name means one thing in the whole workspace.

use std::collections::BTreeMap;

use crate::{read, report, root, shown, sources};

const KEYWORDS: [&str; 5] = ["struct", "enum", "trait", "union", "type"];

/// Names that stand for the same thing in each place.
const SHARED: &[(&str, &str)] =
    &[("Result", "each crate's alias for its own error type, as is usual in Rust")];

/// The type that a line of code defines. An indented `type` belongs to a trait.
fn defined(line: &str) -> Option<&str> {
    let indented = line.starts_with(' ');
    let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
    let keyword = words.next().filter(|word| KEYWORDS.contains(word))?;
    if indented && keyword == "type" {
        return None;
    }
    let name = words.next()?;
    let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
    name[..end].starts_with(|c: char| c.is_ascii_uppercase()).then_some(&name[..end])
}

/// The code of a file without its unit tests.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod ").next().unwrap_or_default()
}

#[test]
fn a_type_name_means_one_thing() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let folders = [root().join("crates"), root().join("bench")];
    for path in sources(&["rs"]) {
        let is_ours = folders.iter().any(|folder| path.starts_with(folder));
        if !is_ours || path.iter().any(|part| part == "tests" || part == "tests.rs") {
            continue;
        }
        for name in without_tests(&read(&path)).lines().filter_map(defined) {
            places.entry(name.into()).or_default().push(shown(&path));
        }
    }
    assert!(places.len() > 300, "the types were not found");
    let complaints: Vec<String> = places
        .iter()
        .filter(|(name, files)| files.len() > 1 && !SHARED.iter().any(|(shared, _)| shared == name))
        .map(|(name, files)| format!("{name} is defined in {}", files.join(", ")))
        .collect();
    report(&complaints);
}

#[test]
fn definitions_are_recognised() {
    assert_eq!(defined("pub(crate) struct Frame<'a> {"), Some("Frame"));
    assert_eq!(defined("enum Kind {"), Some("Kind"));
    assert_eq!(defined("pub type Pc = u32;"), Some("Pc"));
    assert_eq!(defined("    type Item = u32;"), None);
    assert_eq!(defined("/// A struct Frame"), None);
    assert_eq!(defined("let type_of = 3;"), None);
}
