//! What an exploration found, read from its run directory (`docs/run-directory.md`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use byway_base::TestCase;
use byway_testcase::ktest;
use serde_json::Value;

/// What an exploration found.
#[derive(Debug, Default)]
pub struct FoundPaths {
    /// Tests written.
    pub tests: u64,
    /// Paths by the kind of their end.
    pub kinds: BTreeMap<String, u64>,
    /// The codes with which paths end by themselves.
    pub exit_codes: BTreeSet<i32>,
    /// Faulty paths by `kind@line`.
    pub faults: BTreeMap<String, u64>,
    /// The names of inputs in all tests.
    pub inputs: BTreeSet<String>,
    /// How each path ends, by its digest: the set of paths.
    pub paths: BTreeMap<String, String>,
    /// Numbers of the paths that have a test.
    pub numbers: Vec<u64>,
    /// What was lost, and how it is told.
    pub lost: BTreeMap<String, String>,
    /// Work done.
    pub work: u64,
    /// Questions to the solver.
    pub queries: u64,
    /// Answers with which a bare backend did not agree.
    pub disagreements: u64,
    /// What each test is said to lead to.
    pub predictions: Vec<Prediction>,
}

/// What a test is said to lead to.
#[derive(Debug)]
pub struct Prediction {
    /// The test.
    pub test: TestCase,
    /// How its path ends: `exit`, or `kind@line` for a fault.
    pub end: String,
    /// The exit code, as a shell sees it.
    pub code: Option<u8>,
}

impl FoundPaths {
    /// Reads a run that ended.
    pub fn read(dir: &Path) -> Result<FoundPaths, String> {
        let text = |name: &str| {
            let path = dir.join(name);
            std::fs::read_to_string(&path)
                .map_err(|e| format!("cannot read {}: {e}", path.display()))
        };
        let mut found = FoundPaths::default();
        for line in text("paths.jsonl")?.lines() {
            let path = parse(line)?;
            let end = found.add(&path)?;
            if let Some(test) = path["test"].as_str() {
                let code = path["outcome"]["code"].as_i64().map(|code| code as u8);
                found.add_test(&dir.join("tests").join(test), end, code)?;
            }
        }
        found.add_summary(&parse(&text("summary.json")?)?)?;
        Ok(found)
    }

    /// How many paths end in this way.
    pub fn kind(&self, kind: &str) -> u64 {
        self.kinds.get(kind).copied().unwrap_or(0)
    }

    /// Counts a path; how it ends.
    fn add(&mut self, path: &Value) -> Result<String, String> {
        let outcome = &path["outcome"];
        let kind = outcome["kind"].as_str().ok_or("a path has no kind")?;
        let mut end = kind.to_owned();
        match kind {
            "exit" => {
                let code = outcome["code"].as_i64().ok_or("an exit has no code")?;
                // What a shell sees of it.
                self.exit_codes.insert((code & 0xff) as i32);
            }
            "fault" => {
                let fault = outcome["fault"].as_str().ok_or("a fault has no kind")?;
                end = match outcome["at"]["line"].as_u64() {
                    Some(line) => format!("{fault}@{line}"),
                    None => format!("{fault}@?"),
                };
                *self.faults.entry(end.clone()).or_default() += 1;
            }
            _ => {}
        }
        *self.kinds.entry(kind.to_owned()).or_default() += 1;
        let digest = path["digest"].as_str().ok_or("a path has no digest")?;
        match self.paths.insert(digest.to_owned(), end.clone()) {
            None => Ok(()),
            Some(_) => Err(format!("two paths have the digest {digest}")),
        }?;
        self.numbers.extend(path["test"].as_str().and(path["path"].as_u64()));
        Ok(end)
    }

    fn add_test(&mut self, path: &Path, end: String, code: Option<u8>) -> Result<(), String> {
        let test = ktest::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        self.inputs.extend(test.inputs.iter().map(|input| input.name.clone()));
        self.tests += 1;
        self.predictions.push(Prediction { test, end, code });
        Ok(())
    }

    fn add_summary(&mut self, summary: &Value) -> Result<(), String> {
        let ended = summary["ended"].as_str().unwrap_or("without a word");
        if !matches!(ended, "done" | "max-work") {
            return Err(format!("the exploration ended: {ended}"));
        }
        let totals = &summary["totals"];
        let count = |value: &Value| value.as_u64().ok_or("the summary lacks a count");
        self.work = count(&totals["work"])?;
        self.queries = count(&totals["solver"]["queries"])?;
        self.disagreements = count(&totals["solver"]["disagreements"])?;
        let lost = totals["lost"].as_object().ok_or("the summary does not tell what is lost")?;
        for (what, how) in lost {
            let nothing = how.as_u64() == Some(0) || how.as_object().is_some_and(|m| m.is_empty());
            if !nothing {
                self.lost.insert(what.clone(), how.to_string());
            }
        }
        Ok(())
    }
}

fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|e| format!("no JSON: {e}: {text}"))
}

/// In what two sets of paths differ.
pub fn difference(one: &FoundPaths, other: &FoundPaths) -> Option<String> {
    let only = |a: &FoundPaths, b: &FoundPaths| {
        let missing = a.paths.iter().filter(|(digest, end)| b.paths.get(*digest) != Some(end));
        missing.map(|(digest, end)| format!("{digest} ({end})")).collect::<Vec<_>>()
    };
    let (lacks, has) = (only(one, other), only(other, one));
    let first = lacks.first().or(has.first())?;
    Some(format!("{} paths missing, {} too many, such as {first}", lacks.len(), has.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lines: &[&str]) -> Result<FoundPaths, String> {
        let mut found = FoundPaths::default();
        lines.iter().try_for_each(|line| found.add(&parse(line)?).map(drop))?;
        Ok(found)
    }

    const EXIT: &str =
        r#"{"path": 1, "test": "1", "outcome": {"kind": "exit", "code": -1}, "digest": "a"}"#;
    const FAULT: &str = r#"{"path": 2, "test": null, "digest": "b",
        "outcome": {"kind": "fault", "fault": "abort", "at": {"line": 7}}}"#;

    #[test]
    fn paths_are_read() {
        let found = found(&[EXIT, FAULT]).expect("sound");
        assert_eq!(found.exit_codes, [255].into());
        assert_eq!(found.faults, [("abort@7".to_owned(), 1)].into());
        assert_eq!((found.kind("exit"), found.kind("excluded")), (1, 0));
        assert_eq!(found.numbers, [1]);
    }

    #[test]
    fn a_digest_stands_for_one_path() {
        assert!(found(&[EXIT, EXIT]).is_err_and(|e| e.contains("digest a")));
    }

    #[test]
    fn sets_of_paths_are_compared() {
        let (both, one) = (found(&[EXIT, FAULT]).expect("sound"), found(&[EXIT]).expect("sound"));
        assert_eq!(difference(&both, &both), None);
        assert!(difference(&both, &one).is_some_and(|d| d.starts_with("1 paths missing, 0 too")));
        let other = found(&[&EXIT.replace("exit", "excluded"), FAULT]).expect("sound");
        assert!(difference(&both, &other).is_some_and(|d| d.contains("1 too many")));
    }
}
