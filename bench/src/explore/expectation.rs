//! The expected result of exploring a program, stated in comments before its code:
//!
//! ```text
//! // paths: 7                 paths that give a test, faulty ones included
//! // exits: 5                 those of them that end by themselves
//! // exit-codes: 0 1 2        the codes they end with, all of them
//! // faults: abort@12, out-of-bounds@31 x2, assert@40 x?     kind, line, paths (one
//!                             by default, `x?` for any number); none without this line
//! // excluded: 1              paths that the program itself takes out
//! // inputs: a a_1 b          the names of inputs in all tests together
//! // lost: concretised        losses, by the names of the summary;
//!                             nothing without this line; `any` where it may vary
//! // diverged: 1             paths that concolic searchers miss because their inputs
//!                             diverge
//! // checks: shift,alignment  checks to turn on
//! // run: -O1                 further options of `byway run`
//! // flags: -fwrapv           further flags for the compiler
//! // replay: no               its tests cannot be run natively
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::found_paths::FoundPaths;

/// The expected paths, exits and faults of a program.
#[derive(Debug, Default, PartialEq)]
pub struct PathExpectation {
    paths: Option<u64>,
    exits: Option<u64>,
    exit_codes: Option<BTreeSet<i32>>,
    /// By `kind@line`; `None` for any number of paths.
    faults: BTreeMap<String, Option<u64>>,
    excluded: Option<u64>,
    inputs: Option<BTreeSet<String>>,
    /// `None` where anything may be lost.
    lost: Option<BTreeSet<String>>,
    /// Paths that concolic searchers do not find.
    pub diverged: u64,
    /// Options of `byway run` that the program needs.
    pub options: Vec<String>,
    /// Whether its tests can be run natively.
    pub replay: bool,
}

impl PathExpectation {
    /// Parses the comments; `None` for a program that states no expectation.
    pub fn read(source: &str) -> Result<Option<PathExpectation>, String> {
        let mut expectation = PathExpectation {
            lost: Some(BTreeSet::new()),
            replay: true,
            ..PathExpectation::default()
        };
        let mut has_expectation = false;
        for (key, value) in head(source).filter_map(entry) {
            let wrong = |what: &str| format!("`// {key}: {value}`: {what}");
            let count = || value.parse().map(Some).map_err(|_| wrong("no count"));
            let words = || value.split_whitespace().map(str::to_owned);
            match key {
                "paths" => expectation.paths = count()?,
                "exits" => expectation.exits = count()?,
                "excluded" => expectation.excluded = count()?,
                "exit-codes" => {
                    let codes = words().map(|word| word.parse()).collect::<Result<_, _>>();
                    expectation.exit_codes = Some(codes.map_err(|_| wrong("no list of codes"))?);
                }
                "faults" => expectation.faults = faults(value).ok_or_else(|| wrong("no faults"))?,
                "inputs" => expectation.inputs = Some(words().collect()),
                "lost" if value == "any" => expectation.lost = None,
                "lost" if value == "none" => {}
                "lost" => expectation.lost = Some(words().collect()),
                "diverged" => expectation.diverged = count()?.unwrap_or(0),
                "checks" => expectation.options.push(format!("--checks={value}")),
                "run" => expectation.options.extend(words()),
                "flags" => expectation.options.push(format!("--cflags={value}")),
                "replay" => expectation.replay = value != "no",
                _ => continue,
            }
            has_expectation |= matches!(key, "paths" | "exits" | "exit-codes" | "faults");
        }
        Ok(has_expectation.then_some(expectation))
    }

    /// Whether every exploration must find the same paths: where values are
    /// concretised, the choice depends on the order of exploration.
    pub fn is_exact(&self) -> bool {
        self.lost.as_ref().is_some_and(BTreeSet::is_empty)
    }

    /// The differences between an exploration and the expectation.
    pub fn broken_by(&self, found: &FoundPaths) -> Vec<String> {
        let mut out = Vec::new();
        let mut count = |what: &str, expected: Option<u64>, found: u64| {
            if let Some(expected) = expected.filter(|&expected| expected != found) {
                out.push(format!("{found} {what}, not {expected}"));
            }
        };
        count("paths", self.paths, found.tests);
        count("exits", self.exits, found.kind("exit"));
        count("excluded paths", self.excluded, found.kind("excluded"));
        if let Some(codes) = self.exit_codes.as_ref().filter(|codes| **codes != found.exit_codes) {
            out.push(format!("exit codes {:?}, not {codes:?}", found.exit_codes));
        }
        let kept = |place: &str, number: u64| match self.faults.get(place) {
            Some(expected) => expected.is_none_or(|expected| expected == number),
            None => false,
        };
        let unexpected = found.faults.iter().filter(|(place, number)| !kept(place, **number));
        out.extend(unexpected.map(|(place, number)| format!("{place} on {number} paths")));
        let missed = self.faults.keys().filter(|place| !found.faults.contains_key(*place));
        out.extend(missed.map(|place| format!("no {place}")));
        if let Some(inputs) = self.inputs.as_ref().filter(|inputs| **inputs != found.inputs) {
            out.push(format!("inputs {:?}, not {inputs:?}", found.inputs));
        }
        if let Some(lost) = self.lost.as_ref().filter(|lost| !found.lost.keys().eq(lost.iter())) {
            out.push(format!("lost {:?}, not {lost:?}", found.lost));
        }
        out
    }
}

/// The lines before the first one that is no comment.
fn head(source: &str) -> impl Iterator<Item = &str> {
    let mut in_comment = false;
    source.lines().take_while(move |line| {
        let line = line.trim();
        let comment = in_comment || line.starts_with("/*") || line.starts_with("//");
        in_comment = comment && !line.starts_with("//") && !line.ends_with("*/");
        comment || line.is_empty()
    })
}

/// `// key: value`
fn entry(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.strip_prefix("// ")?.split_once(':')?;
    Some((key.trim(), value.trim()))
}

fn faults(text: &str) -> Option<BTreeMap<String, Option<u64>>> {
    if text == "none" {
        return Some(BTreeMap::new());
    }
    let one = |item: &str| {
        let (place, number) = match item.trim().split_once(" x") {
            Some((place, "?")) => (place, None),
            Some((place, number)) => (place, Some(number.parse().ok()?)),
            None => (item.trim(), Some(1)),
        };
        let (_, line) = place.split_once('@')?;
        line.parse::<u32>().ok()?;
        Some((place.to_owned(), number))
    };
    text.split(',').map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
/* What it is about: words.
 */
// paths: 3
// faults: abort@12, out-of-bounds@31 x2, assert@40 x?
// checks: shift
#include <byway.h>
// exits: 9
";

    fn found() -> FoundPaths {
        let fault = |place: &str, number| (place.to_owned(), number);
        FoundPaths {
            tests: 3,
            faults: [fault("abort@12", 1), fault("out-of-bounds@31", 2), fault("assert@40", 7)]
                .into(),
            ..FoundPaths::default()
        }
    }

    #[test]
    fn comments_before_the_code_are_promises() {
        let expectation = PathExpectation::read(SOURCE).expect("sound").expect("an expectation");
        assert_eq!((expectation.paths, expectation.exits), (Some(3), None));
        assert_eq!(expectation.options, ["--checks=shift"]);
        assert!(expectation.replay && expectation.is_exact());
        assert_eq!(expectation.broken_by(&found()), [""; 0]);
    }

    #[test]
    fn whatever_differs_is_told() {
        let expectation = PathExpectation::read(SOURCE).expect("sound").expect("an expectation");
        let mut found = found();
        found.tests = 4;
        found.faults.remove("abort@12");
        found.faults.insert("trap@1".to_owned(), 1);
        found.faults.insert("out-of-bounds@31".to_owned(), 1);
        found.lost.insert("dropped".to_owned(), "9".to_owned());
        let broken = expectation.broken_by(&found);
        assert_eq!(broken.len(), 5, "{broken:?}");
    }

    #[test]
    fn nothing_promised_and_nonsense_promised() {
        assert_eq!(PathExpectation::read("// flags: -O1\nint x;\n"), Ok(None));
        assert!(PathExpectation::read("// paths: many\n").is_err());
        assert!(PathExpectation::read("// faults: abort\n").is_err());
        assert!(PathExpectation::read("// exit-codes: 1 x\n").is_err());
    }
}
