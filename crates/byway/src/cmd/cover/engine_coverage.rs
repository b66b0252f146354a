//! The coverage that the engine recorded while it explored, for comparison with the measured
//! one: the lines its tests execute, and why no test takes a branch side.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use byway_rundir::{BranchRecord, LineRecord, RunReader, SideRecord};

use crate::failure::Result;
use byway_base::quantity::plural;

/// Coverage as the engine recorded it.
pub struct EngineCoverage {
    files: Vec<EngineFile>,
    /// The run has a record of branches.
    pub has_branches: bool,
    /// Every path was explored and nothing was lost.
    pub complete: bool,
}

/// The recorded coverage of a file.
pub struct EngineFile {
    path: PathBuf,
    real: Option<PathBuf>,
    /// By line, whether a test executes it.
    pub lines: BTreeMap<u32, bool>,
    /// Branches by line.
    pub branches: BTreeMap<u32, Vec<BranchRecord>>,
}

/// Why no test takes a branch side.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum UncoveredReason {
    /// States that would take it were dropped by a limit.
    Dropped,
    /// The solver could not decide it.
    Undecided,
    /// States that would take it were pending when the run ended.
    Waiting,
    /// A path without a test took it.
    WithoutTest,
    /// The solver proved that no path which reached the branch can take it.
    Infeasible,
    /// No path reached the branch.
    NotReached,
    /// A test takes it on the engine, but not natively.
    Taken,
    /// The engine has no record of the branch.
    Unknown,
}

impl UncoveredReason {
    /// A short description.
    pub fn name(self) -> &'static str {
        match self {
            UncoveredReason::Dropped => "dropped",
            UncoveredReason::Undecided => "undecided by the solver",
            UncoveredReason::Waiting => "waiting when the run ended",
            UncoveredReason::WithoutTest => "taken without a test",
            UncoveredReason::Infeasible => "infeasible (proved)",
            UncoveredReason::NotReached => "not reached yet",
            UncoveredReason::Taken => "taken on the engine only",
            UncoveredReason::Unknown => "unknown",
        }
    }

    /// `branch_reached`: a path took some side of the branch.
    pub fn of(side: &SideRecord, branch_reached: bool) -> UncoveredReason {
        match side {
            side if side.first_path.is_some() => UncoveredReason::Taken,
            side if side.reached => UncoveredReason::WithoutTest,
            side if side.dropped > 0 => UncoveredReason::Dropped,
            side if side.undecided > 0 => UncoveredReason::Undecided,
            side if side.waiting > 0 => UncoveredReason::Waiting,
            // Without a query: earlier conditions had decided the branch.
            side if side.infeasible > 0 || branch_reached => UncoveredReason::Infeasible,
            _ => UncoveredReason::NotReached,
        }
    }
}

/// A sentence on what the engine recorded for a side.
pub fn explain(side: &SideRecord, branch_reached: bool, complete: bool) -> String {
    let so_far = if complete { "" } else { " so far" };
    let times = |count| plural(count, "time");
    match (UncoveredReason::of(side, branch_reached), side.first_path) {
        (UncoveredReason::Taken, Some(path)) => format!("taken, first by test {path}"),
        (UncoveredReason::Dropped, _) => {
            format!("dropped {} by a limit", times(side.dropped))
        }
        (UncoveredReason::Undecided, _) => {
            format!("undecided by the solver, {}", times(side.undecided))
        }
        (UncoveredReason::Waiting, _) => {
            format!("{} pending there when the run ended", plural(side.waiting, "path"))
        }
        (UncoveredReason::WithoutTest, _) => "taken by a path without a test".into(),
        (UncoveredReason::Infeasible, _) if side.infeasible > 0 => {
            let proofs = plural(side.infeasible, "proof");
            format!("infeasible on every path that reached it{so_far}; {proofs} by the solver")
        }
        (UncoveredReason::Infeasible, _) => {
            format!(
                "infeasible: earlier conditions decided it on every path that reached it{so_far}"
            )
        }
        (UncoveredReason::NotReached, _) if complete => {
            "no path reaches it, and all were explored".into()
        }
        _ => "no path has reached it yet".into(),
    }
}

impl EngineCoverage {
    /// Reads the record of a run.
    pub fn read(run: &RunReader) -> Result<EngineCoverage> {
        let mut files: BTreeMap<String, EngineFile> = BTreeMap::new();
        let lines = run.coverage()?.map(|record| record.files).unwrap_or_default();
        for (name, lines) in lines {
            let line = |line: &LineRecord| (line.line, line.first_path.is_some());
            files.insert(name.clone(), EngineFile::new(name, lines.iter().map(line).collect()));
        }
        let branches = run.branches()?;
        let has_branches = branches.is_some();
        for (name, branches) in branches.map(|record| record.files).unwrap_or_default() {
            let file =
                files.entry(name.clone()).or_insert_with(|| EngineFile::new(name, BTreeMap::new()));
            for branch in branches {
                file.branches.entry(branch.line).or_default().push(branch);
            }
        }
        let complete = run.summary().is_ok_and(|summary| summary.complete);
        Ok(EngineCoverage { files: files.into_values().collect(), has_branches, complete })
    }

    /// The record of a file. The recorded path may be longer or shorter than `path`.
    pub fn file(&self, path: &Path) -> Option<&EngineFile> {
        let real = fs::canonicalize(path).ok();
        let same = |file: &&EngineFile| file.path == path || real.is_some() && file.real == real;
        if let Some(file) = self.files.iter().find(same) {
            return Some(file);
        }
        // Built elsewhere: the file with the longest common suffix, if it is unique.
        let shared = |file: &EngineFile| {
            let pairs = file.path.components().rev().zip(path.components().rev());
            pairs.take_while(|(a, b)| a == b).count()
        };
        let most = self.files.iter().map(shared).max().filter(|most| *most > 0)?;
        let mut best = self.files.iter().filter(|file| shared(file) == most);
        best.next().filter(|_| best.next().is_none())
    }
}

impl EngineFile {
    fn new(name: String, lines: BTreeMap<u32, bool>) -> EngineFile {
        let path = PathBuf::from(name);
        let real = fs::canonicalize(&path).ok();
        EngineFile { path, real, lines, branches: BTreeMap::new() }
    }

    /// The reasons for the untaken branch sides on a line.
    pub fn reasons(&self, line: u32) -> Vec<UncoveredReason> {
        let branches = self.branches.get(&line).map_or(&[][..], Vec::as_slice);
        let sides = branches.iter().flat_map(|branch| {
            let reached = branch.sides.iter().any(|side| side.reached);
            branch.sides.iter().map(move |side| UncoveredReason::of(side, reached))
        });
        sides.filter(|why| *why != UncoveredReason::Taken).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(adjust: fn(&mut SideRecord)) -> SideRecord {
        let mut side = SideRecord {
            side: "true".into(),
            first_path: None,
            reached: false,
            infeasible: 0,
            undecided: 0,
            dropped: 0,
            waiting: 0,
        };
        adjust(&mut side);
        side
    }

    #[test]
    fn undecided_sides_take_precedence_over_infeasible_ones() {
        let why = |adjust: fn(&mut SideRecord)| UncoveredReason::of(&side(adjust), true);
        assert_eq!(why(|it| it.infeasible = 2), UncoveredReason::Infeasible);
        assert_eq!(why(|it| (it.infeasible, it.undecided) = (2, 1)), UncoveredReason::Undecided);
        assert_eq!(why(|it| (it.infeasible, it.dropped) = (2, 1)), UncoveredReason::Dropped);
        assert_eq!(why(|it| (it.infeasible, it.waiting) = (2, 1)), UncoveredReason::Waiting);
        assert_eq!(why(|it| it.reached = true), UncoveredReason::WithoutTest);
        assert_eq!(why(|_| {}), UncoveredReason::Infeasible);
        assert_eq!(UncoveredReason::of(&side(|_| {}), false), UncoveredReason::NotReached);
    }

    #[test]
    fn a_proof_holds_for_the_explored_paths() {
        let infeasible = side(|it| it.infeasible = 1);
        let words = "infeasible on every path that reached it so far; 1 proof by the solver";
        assert_eq!(explain(&infeasible, true, false), words);
        assert_eq!(explain(&infeasible, true, true), words.replace(" so far", ""));
    }

    #[test]
    fn a_file_is_found_by_the_suffix_of_its_path() {
        let file = |name: &str| EngineFile::new(name.into(), BTreeMap::new());
        let files = vec![file("/x/src/wc.c"), file("/x/lib/wc.c"), file("/x/lib/error.c")];
        let live = EngineCoverage { files, has_branches: true, complete: true };
        let found = |name: &str| live.file(Path::new(name)).map(|file| file.path.clone());
        assert_eq!(found("../coreutils/src/wc.c"), Some("/x/src/wc.c".into()));
        assert_eq!(found("error.c"), Some("/x/lib/error.c".into()));
        assert_eq!(found("wc.c"), None);
        assert_eq!(found("other.c"), None);
    }
}
