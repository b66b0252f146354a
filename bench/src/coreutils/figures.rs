//! The figures of a tool's run directory, beyond those that every benchmark needs.

use std::collections::BTreeMap;
use std::path::Path;

use byway_rundir::{CoverageRecord, FaultCount, RunDirError, RunReader};

use crate::run_metrics::RunMetrics;

/// Names with their frequencies.
pub type Counts = BTreeMap<String, u64>;

/// The figures of an explored tool.
#[derive(Debug, PartialEq)]
pub struct ToolFigures {
    pub metrics: RunMetrics,
    pub tests: u64,
    pub states: u64,
    /// Lines covered, and all lines, in the tool's own sources.
    pub lines: (usize, usize),
    /// The distinct faults, as `kind@file:line`.
    pub faults: Vec<String>,
    /// Missing features that ended paths.
    pub unsupported: Counts,
    /// Calls that were not modelled faithfully.
    pub warnings: Counts,
    /// Symbolic values fixed to one value, by use.
    pub concretised: Counts,
}

impl ToolFigures {
    /// Reads the directory of a run that has ended.
    pub fn read(dir: &Path) -> Result<Self, String> {
        let read = || {
            let run = RunReader::open(dir)?;
            Ok((run.ended_summary()?, run.samples()?, run.coverage()?))
        };
        let (summary, samples, coverage) = read().map_err(|e: RunDirError| e.to_string())?;
        Ok(ToolFigures {
            metrics: RunMetrics::new(&summary, &samples)?,
            tests: summary.tests,
            states: summary.totals.max_states,
            lines: coverage.as_ref().map_or((0, 0), own_lines),
            faults: summary.faults.iter().map(fault).collect(),
            unsupported: summary.totals.lost.unsupported,
            warnings: summary.totals.lost.warnings,
            concretised: summary.totals.lost.concretised,
        })
    }
}

fn fault(fault: &FaultCount) -> String {
    match &fault.at {
        None => fault.kind.clone(),
        Some(at) => {
            let file = at.file.rsplit('/').next().unwrap_or(&at.file);
            format!("{}@{file}:{}", fault.kind, at.line)
        }
    }
}

/// Lines covered and all lines of the tools' `.c` files, without the library they share.
fn own_lines(coverage: &CoverageRecord) -> (usize, usize) {
    let own = |path: &str| path.contains("/src/") && path.ends_with(".c");
    let files = coverage.files.iter().filter(|(path, _)| own(path));
    let lines: Vec<_> = files.flat_map(|(_, lines)| lines).collect();
    (lines.iter().filter(|line| line.first_path.is_some()).count(), lines.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::SrcLoc;
    use byway_rundir::{LineRecord, SCHEMA};

    #[test]
    fn only_the_tools_own_lines_count() {
        let line = |first_path| LineRecord { line: 1, first_path, branches: 0, taken: 0 };
        let files = [
            ("./coreutils/src/cut.c", vec![line(Some(1)), line(None), line(Some(3))]),
            ("./coreutils/src/system.h", vec![line(None)]),
            ("./coreutils/lib/quotearg.c", vec![line(Some(1))]),
        ];
        let files = files.map(|(path, lines)| (path.to_owned(), lines)).into();
        assert_eq!(own_lines(&CoverageRecord { schema: SCHEMA, files }), (2, 3));
        assert_eq!(own_lines(&CoverageRecord { schema: SCHEMA, files: BTreeMap::new() }), (0, 0));
    }

    #[test]
    fn faults_are_named_by_kind_and_line() {
        let at = Some(SrcLoc { file: "./coreutils/src/x.c".into(), line: 7, column: 1 });
        let found = FaultCount { id: 1, kind: "abort".into(), at, count: 1 };
        assert_eq!(fault(&found), "abort@x.c:7");
        assert_eq!(fault(&FaultCount { at: None, ..found }), "abort");
    }
}
