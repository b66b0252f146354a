//! The faults of the run by source line, for the page and `cover.json`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use byway_rundir::OutcomeRecord;

use crate::native_run::RunTest;

/// Faults of one kind on a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineFault {
    pub kind: String,
    /// The numbers of the tests that reach it, in ascending order.
    pub tests: Vec<u64>,
}

/// The faults of a file, by line.
pub type FileFaults = BTreeMap<u32, Vec<LineFault>>;

/// The faults of a run.
#[derive(Default)]
pub struct FoundFaults(BTreeMap<PathBuf, FileFaults>);

impl FoundFaults {
    /// Groups the faults that tests end with. Relative names refer to `base`.
    pub fn new(tests: &[RunTest], base: &Path) -> FoundFaults {
        let mut found = FoundFaults::default();
        for test in tests {
            let Some(OutcomeRecord::Fault { fault, at: Some(at), .. }) = &test.outcome else {
                continue;
            };
            let path = fs::canonicalize(base.join(&at.file)).unwrap_or_else(|_| (&at.file).into());
            let line = found.0.entry(path).or_default().entry(at.line).or_default();
            match line.iter_mut().find(|other| other.kind == *fault) {
                Some(other) => other.tests.push(test.number),
                None => line.push(LineFault { kind: fault.clone(), tests: vec![test.number] }),
            }
        }
        found
    }

    /// The faults in a file.
    pub fn of(&self, path: &Path) -> FileFaults {
        self.0.get(path).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::SrcLoc;

    #[test]
    fn faults_are_grouped_by_line_and_kind() {
        let test = |number, fault: &str, line| RunTest {
            number,
            name: String::new(),
            outcome: Some(OutcomeRecord::Fault {
                id: 1,
                fault: fault.into(),
                message: String::new(),
                at: Some(SrcLoc { file: "gone.c".into(), line, column: 1 }),
            }),
            in_library: false,
            instructions: None,
        };
        let tests = [test(1, "abort", 3), test(2, "leak", 3), test(5, "abort", 3)];
        let file = FoundFaults::new(&tests, Path::new("/nowhere")).of(Path::new("gone.c"));
        let fault =
            |kind: &str, tests: &[u64]| LineFault { kind: kind.into(), tests: tests.into() };
        assert_eq!(file[&3], [fault("abort", &[1, 5]), fault("leak", &[2])]);
        assert_eq!(file.len(), 1);
    }
}
