//! The paths and faults of an exploration, read from its run directory (`docs/run-directory.md`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use byway_base::TestCase;
use byway_rundir::{EndReason, OutcomeRecord, PathRecord, RunDirError, RunReader, RunSummary};
use byway_testcase::ktest;

/// The paths and faults that an exploration found.
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
    /// Losses by name, with their counts as text.
    pub lost: BTreeMap<String, String>,
    /// Work done.
    pub work: u64,
    /// Questions to the solver.
    pub queries: u64,
    /// Answers with which a bare backend did not agree.
    pub disagreements: u64,
    /// The predicted outcome of each test.
    pub predictions: Vec<Prediction>,
}

/// The predicted outcome of a test.
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
    /// Reads the directory of a run that has ended.
    pub fn read(dir: &Path) -> Result<FoundPaths, String> {
        let failed = |error: RunDirError| error.to_string();
        let run = RunReader::open(dir).map_err(failed)?;
        let mut found = FoundPaths::default();
        for path in run.paths().map_err(failed)? {
            let path = path.map_err(failed)?;
            let end = found.add(&path)?;
            if let Some(test) = &path.test {
                let code = match path.outcome {
                    OutcomeRecord::Exit { code } => Some(code as u8),
                    _ => None,
                };
                found.add_test(&run, test, end, code)?;
            }
        }
        found.add_summary(&run.ended_summary().map_err(failed)?)?;
        Ok(found)
    }

    /// Paths whose outcome has this kind.
    pub fn kind(&self, kind: &str) -> u64 {
        self.kinds.get(kind).copied().unwrap_or(0)
    }

    /// Counts a path and returns how it ends.
    fn add(&mut self, path: &PathRecord) -> Result<String, String> {
        let kind = path.outcome.name();
        let end = match &path.outcome {
            OutcomeRecord::Exit { code } => {
                // A shell sees the low byte only.
                self.exit_codes.insert(code & 0xff);
                kind.to_owned()
            }
            OutcomeRecord::Fault { fault, at, .. } => {
                let end = match at {
                    Some(at) => format!("{fault}@{}", at.line),
                    None => format!("{fault}@?"),
                };
                *self.faults.entry(end.clone()).or_default() += 1;
                end
            }
            _ => kind.to_owned(),
        };
        *self.kinds.entry(kind.to_owned()).or_default() += 1;
        let digest = format!("{:016x}", path.digest);
        if self.paths.insert(digest.clone(), end.clone()).is_some() {
            return Err(format!("two paths have the digest {digest}"));
        }
        self.numbers.extend(path.test.as_ref().map(|_| path.path));
        Ok(end)
    }

    fn add_test(
        &mut self,
        run: &RunReader,
        name: &str,
        end: String,
        code: Option<u8>,
    ) -> Result<(), String> {
        let read = run.read_test(name).and_then(|bytes| Ok(ktest::decode(&bytes)?));
        let test = read.map_err(|error| format!("{name}: {error}"))?;
        self.inputs.extend(test.inputs.iter().map(|input| input.name.clone()));
        self.tests += 1;
        self.predictions.push(Prediction { test, end, code });
        Ok(())
    }

    fn add_summary(&mut self, summary: &RunSummary) -> Result<(), String> {
        if !matches!(summary.ended, EndReason::Done | EndReason::MaxWork) {
            return Err(format!("the exploration ended: {}", summary.ended.name()));
        }
        let totals = &summary.totals;
        self.work = totals.work;
        self.queries = totals.solver.queries;
        self.disagreements = totals.solver.disagreements;
        let lost = serde_json::to_value(&totals.lost).map_err(|e| e.to_string())?;
        for (what, count) in lost.as_object().into_iter().flatten() {
            let nothing =
                count.as_u64() == Some(0) || count.as_object().is_some_and(|m| m.is_empty());
            if !nothing {
                self.lost.insert(what.clone(), count.to_string());
            }
        }
        Ok(())
    }
}

/// The difference between two sets of paths.
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
    use byway_base::SrcLoc;

    fn path(path: u64, digest: u64, outcome: OutcomeRecord) -> PathRecord {
        PathRecord {
            path,
            test: matches!(outcome, OutcomeRecord::Exit { .. }).then(|| "1.ktest".into()),
            outcome,
            depth: 1,
            instructions: 1,
            work: None,
            digest,
            newly_covered: 0,
            covers: Vec::new(),
            concretised: BTreeMap::new(),
            seed: None,
        }
    }

    fn exit() -> PathRecord {
        path(1, 0xa, OutcomeRecord::Exit { code: -1 })
    }

    fn fault() -> PathRecord {
        let at = Some(SrcLoc { file: "a.c".into(), line: 7, column: 1 });
        let (fault, message) = ("abort".into(), String::new());
        path(2, 0xb, OutcomeRecord::Fault { fault, id: 1, message, at })
    }

    fn found(paths: &[PathRecord]) -> Result<FoundPaths, String> {
        let mut found = FoundPaths::default();
        paths.iter().try_for_each(|path| found.add(path).map(drop))?;
        Ok(found)
    }

    #[test]
    fn paths_are_read() {
        let found = found(&[exit(), fault()]).expect("sound");
        assert_eq!(found.exit_codes, [255].into());
        assert_eq!(found.faults, [("abort@7".to_owned(), 1)].into());
        assert_eq!((found.kind("exit"), found.kind("excluded")), (1, 0));
        assert_eq!(found.numbers, [1]);
    }

    #[test]
    fn a_digest_stands_for_one_path() {
        assert!(found(&[exit(), exit()]).is_err_and(|e| e.contains("digest 000000000000000a")));
    }

    #[test]
    fn sets_of_paths_are_compared() {
        let (both, one) =
            (found(&[exit(), fault()]).expect("sound"), found(&[exit()]).expect("sound"));
        assert_eq!(difference(&both, &both), None);
        assert!(difference(&both, &one).is_some_and(|d| d.starts_with("1 paths missing, 0 too")));
        let other = found(&[path(1, 0xa, OutcomeRecord::Excluded), fault()]).expect("sound");
        assert!(difference(&both, &other).is_some_and(|d| d.contains("1 too many")));
    }
}
