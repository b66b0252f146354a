//! What a run directory says of a tool (`docs/run-directory.md`), beyond the figures
//! that every benchmark wants.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::micro::rundir::RunDir;

/// Names, and how often each came up.
pub type Counts = BTreeMap<String, u64>;

/// A tool explored.
#[derive(Debug, PartialEq)]
pub struct ToolFigures {
    /// Paths, instructions, queries, memory, time.
    pub figures: RunDir,
    /// Tests written.
    pub tests: u64,
    /// The most states at once.
    pub states: u64,
    /// Lines covered of those there are, in the tool's own sources.
    pub lines: (usize, usize),
    /// The distinct faults, as `kind@file:line`.
    pub faults: Vec<String>,
    /// What ended paths because Byway lacks it.
    pub unsupported: Counts,
    /// What was not done as the machine does it.
    pub warnings: Counts,
    /// Values fixed to one of several, by use.
    pub concretised: Counts,
}

impl ToolFigures {
    /// Reads a run that ended.
    pub fn read(dir: &Path) -> Result<Self, String> {
        let json = |name: &str| {
            let path = dir.join(name);
            let text = std::fs::read_to_string(&path)
                .map_err(|e| format!("cannot read {}: {e}", path.display()))?;
            serde_json::from_str::<Value>(&text).map_err(|e| format!("{}: {e}", path.display()))
        };
        let summary = json("summary.json")?;
        Ok(ToolFigures::put_together(RunDir::read(dir)?, &summary, &json("coverage.json")?))
    }

    fn put_together(figures: RunDir, summary: &Value, coverage: &Value) -> Self {
        let count = |at: &str| summary.pointer(at).and_then(Value::as_u64).unwrap_or(0);
        let faults = summary["faults"].as_array().map_or(&[][..], Vec::as_slice);
        ToolFigures {
            figures,
            tests: count("/tests"),
            states: count("/totals/max_states"),
            lines: own_lines(coverage),
            faults: faults.iter().map(fault).collect(),
            unsupported: counts(summary, "/totals/lost/unsupported"),
            warnings: counts(summary, "/totals/lost/warnings"),
            concretised: counts(summary, "/totals/lost/concretised"),
        }
    }
}

fn counts(summary: &Value, at: &str) -> Counts {
    let table = summary.pointer(at).and_then(Value::as_object);
    let entries = table.into_iter().flatten();
    entries.map(|(name, times)| (name.clone(), times.as_u64().unwrap_or(0))).collect()
}

fn fault(fault: &Value) -> String {
    let kind = fault["kind"].as_str().unwrap_or("fault");
    let file = fault["at"]["file"].as_str().map(|path| path.rsplit('/').next().unwrap_or(path));
    match (file, fault["at"]["line"].as_u64()) {
        (Some(file), Some(line)) => format!("{kind}@{file}:{line}"),
        _ => kind.to_owned(),
    }
}

/// Lines of the `.c` files that make up the tools, as against the library all share.
fn own_lines(coverage: &Value) -> (usize, usize) {
    let files = coverage["files"].as_object().into_iter().flatten();
    let own = files.filter(|(path, _)| path.contains("/src/") && path.ends_with(".c"));
    let lines: Vec<&Value> = own.filter_map(|(_, lines)| lines.as_array()).flatten().collect();
    let covered = lines.iter().filter(|line| !line["first_path"].is_null()).count();
    (covered, lines.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_tools_own_lines_count() {
        let line = |path: Option<u32>| json!({"line": 1, "first_path": path});
        let coverage = json!({"files": {
            "./coreutils/src/cut.c": [line(Some(1)), line(None), line(Some(3))],
            "./coreutils/src/system.h": [line(None)],
            "./coreutils/lib/quotearg.c": [line(Some(1))],
        }});
        assert_eq!(own_lines(&coverage), (2, 3));
        assert_eq!(own_lines(&json!({})), (0, 0));
    }

    #[test]
    fn faults_and_losses_are_named() {
        let summary = json!({"totals": {"lost": {"unsupported": {"fork": 3}}}});
        assert_eq!(counts(&summary, "/totals/lost/unsupported"), [("fork".to_owned(), 3)].into());
        assert!(counts(&summary, "/totals/lost/warnings").is_empty());
        let found = json!({"kind": "abort", "at": {"file": "./coreutils/src/x.c", "line": 7}});
        assert_eq!(fault(&found), "abort@x.c:7");
        assert_eq!(fault(&json!({"kind": "abort", "at": null})), "abort");
    }
}
