//! What the engine said of coverage while it explored, to be laid beside what was measured:
//! which lines its tests run, and why no test takes a side of a branch.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use byway_rundir::{BranchRecord, LineRecord, RunReader, SideRecord};

use crate::failure::Result;
use byway_base::quantity::plural;

/// What the engine said.
pub struct Live {
    files: Vec<LiveFile>,
    /// Whether it kept a record of branches.
    pub has_branches: bool,
    /// Whether every path was explored and nothing lost.
    pub complete: bool,
}

/// What it said of a file.
pub struct LiveFile {
    path: PathBuf,
    real: Option<PathBuf>,
    /// By line, whether a test runs it.
    pub lines: BTreeMap<u32, bool>,
    /// By line, the branches on it.
    pub branches: BTreeMap<u32, Vec<BranchRecord>>,
}

/// Why no test takes a side of a branch.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Why {
    /// A limit cut it off.
    Dropped,
    /// The solver could not tell.
    Undecided,
    /// States waited there when the run ended.
    Waiting,
    /// A path took it, but has no test.
    WithoutTest,
    /// No path that came there could take it, as proved.
    Infeasible,
    /// No path has come there.
    NotReached,
    /// The engine's tests take it, those measured did not.
    Taken,
    /// It is no branch to the engine, or the engine kept no record.
    Unknown,
}

impl Why {
    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Why::Dropped => "dropped",
            Why::Undecided => "undecided by the solver",
            Why::Waiting => "waiting when the run ended",
            Why::WithoutTest => "taken without a test",
            Why::Infeasible => "infeasible as proved",
            Why::NotReached => "not reached yet",
            Why::Taken => "taken in the engine only",
            Why::Unknown => "not known",
        }
    }

    /// Of a side of a branch of which some side was reached, or none.
    pub fn of(side: &SideRecord, branch_reached: bool) -> Why {
        match side {
            side if side.first_path.is_some() => Why::Taken,
            side if side.reached => Why::WithoutTest,
            side if side.dropped > 0 => Why::Dropped,
            side if side.undecided > 0 => Why::Undecided,
            side if side.waiting > 0 => Why::Waiting,
            // Who had its way decided already did not ask.
            side if side.infeasible > 0 || branch_reached => Why::Infeasible,
            _ => Why::NotReached,
        }
    }
}

/// In a sentence, how the engine answers for a side.
pub fn explain(side: &SideRecord, branch_reached: bool, complete: bool) -> String {
    let so_far = if complete { "" } else { " so far" };
    let times = |count| plural(count, "time");
    match (Why::of(side, branch_reached), side.first_path) {
        (Why::Taken, Some(path)) => format!("taken, first by test {path}"),
        (Why::Dropped, _) => format!("dropped {} to stay within a limit", times(side.dropped)),
        (Why::Undecided, _) => format!("the solver could not decide it, {}", times(side.undecided)),
        (Why::Waiting, _) => {
            format!("{} waited to go there when the run ended", plural(side.waiting, "path"))
        }
        (Why::WithoutTest, _) => "taken by a path that gave no test".into(),
        (Why::Infeasible, _) if side.infeasible > 0 => {
            let proofs = plural(side.infeasible, "proof");
            format!("infeasible on every path that came here{so_far}; {proofs} by the solver")
        }
        (Why::Infeasible, _) => {
            format!("infeasible: every path that came here{so_far} had its way decided before")
        }
        (Why::NotReached, _) if complete => "no path comes here, and all were explored".into(),
        _ => "no path has come here yet".into(),
    }
}

impl Live {
    /// Reads what a run kept.
    pub fn read(run: &RunReader) -> Result<Live> {
        let mut files: BTreeMap<String, LiveFile> = BTreeMap::new();
        let lines = run.coverage()?.map(|record| record.files).unwrap_or_default();
        for (name, lines) in lines {
            let line = |line: &LineRecord| (line.line, line.first_path.is_some());
            files.insert(name.clone(), LiveFile::new(name, lines.iter().map(line).collect()));
        }
        let branches = run.branches()?;
        let has_branches = branches.is_some();
        for (name, branches) in branches.map(|record| record.files).unwrap_or_default() {
            let file =
                files.entry(name.clone()).or_insert_with(|| LiveFile::new(name, BTreeMap::new()));
            for branch in branches {
                file.branches.entry(branch.line).or_default().push(branch);
            }
        }
        let complete = run.summary().is_ok_and(|summary| summary.complete);
        Ok(Live { files: files.into_values().collect(), has_branches, complete })
    }

    /// What was said of a file that is known by this name, or a longer or shorter one.
    pub fn file(&self, path: &Path) -> Option<&LiveFile> {
        let real = fs::canonicalize(path).ok();
        let same = |file: &&LiveFile| file.path == path || real.is_some() && file.real == real;
        if let Some(file) = self.files.iter().find(same) {
            return Some(file);
        }
        // Built elsewhere: as many parts from the end as can be are the same.
        let shared = |file: &LiveFile| {
            let pairs = file.path.components().rev().zip(path.components().rev());
            pairs.take_while(|(a, b)| a == b).count()
        };
        let most = self.files.iter().map(shared).max().filter(|most| *most > 0)?;
        let mut best = self.files.iter().filter(|file| shared(file) == most);
        best.next().filter(|_| best.next().is_none())
    }
}

impl LiveFile {
    fn new(name: String, lines: BTreeMap<u32, bool>) -> LiveFile {
        let path = PathBuf::from(name);
        let real = fs::canonicalize(&path).ok();
        LiveFile { path, real, lines, branches: BTreeMap::new() }
    }

    /// Why the sides of branches on a line are not taken, those that are left out.
    pub fn reasons(&self, line: u32) -> Vec<Why> {
        let branches = self.branches.get(&line).map_or(&[][..], Vec::as_slice);
        let sides = branches.iter().flat_map(|branch| {
            let reached = branch.sides.iter().any(|side| side.reached);
            branch.sides.iter().map(move |side| Why::of(side, reached))
        });
        sides.filter(|why| *why != Why::Taken).collect()
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
    fn what_leaves_hope_is_told_before_what_is_proved() {
        let why = |adjust: fn(&mut SideRecord)| Why::of(&side(adjust), true);
        assert_eq!(why(|it| it.infeasible = 2), Why::Infeasible);
        assert_eq!(why(|it| (it.infeasible, it.undecided) = (2, 1)), Why::Undecided);
        assert_eq!(why(|it| (it.infeasible, it.dropped) = (2, 1)), Why::Dropped);
        assert_eq!(why(|it| (it.infeasible, it.waiting) = (2, 1)), Why::Waiting);
        assert_eq!(why(|it| it.reached = true), Why::WithoutTest);
        assert_eq!(why(|_| {}), Why::Infeasible);
        assert_eq!(Why::of(&side(|_| {}), false), Why::NotReached);
    }

    #[test]
    fn a_proof_is_of_what_was_explored() {
        let infeasible = side(|it| it.infeasible = 1);
        let words = "infeasible on every path that came here so far; 1 proof by the solver";
        assert_eq!(explain(&infeasible, true, false), words);
        assert_eq!(explain(&infeasible, true, true), words.replace(" so far", ""));
    }

    #[test]
    fn a_file_is_known_by_the_end_of_its_name() {
        let file = |name: &str| LiveFile::new(name.into(), BTreeMap::new());
        let files = vec![file("/x/src/wc.c"), file("/x/lib/wc.c"), file("/x/lib/error.c")];
        let live = Live { files, has_branches: true, complete: true };
        let found = |name: &str| live.file(Path::new(name)).map(|file| file.path.clone());
        assert_eq!(found("../coreutils/src/wc.c"), Some("/x/src/wc.c".into()));
        assert_eq!(found("error.c"), Some("/x/lib/error.c".into()));
        assert_eq!(found("wc.c"), None);
        assert_eq!(found("other.c"), None);
    }
}
