//! The check of one program.
//!
//! It is explored by every searcher, with both kinds of feasibility, and must meet its
//! expectation and find the same set of paths each time. In one of these explorations a
//! bare backend checks the solver; its tests are run natively. Two further ones, cut
//! short by a limit on work, must leave the same files.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::expectation::PathExpectation;
use super::found_paths::{FoundPaths, difference};
use crate::process::{self, ProcessStatus};
use crate::setup::{BenchSetup, WorkDir};

/// Generous: an exploration takes seconds, but the machine may be busy.
const LIMIT: Duration = Duration::from_secs(600);

/// The maximum number of tests of a program to run natively.
const REPLAYED: usize = 200;

/// The one file in which equal runs may differ.
const CLOCK: &str = "clock.jsonl";

/// A searcher and a feasibility.
pub type ExploreMode = (&'static str, &'static str);

/// The mode in which the solver is checked and whose tests are replayed.
pub const FIRST: ExploreMode = ("dfs", "eager");
/// Differs from the first in both respects.
const SECOND: ExploreMode = ("random-path", "lazy");

/// All modes, the first one first.
pub const MODES: &[ExploreMode] = &[
    FIRST,
    SECOND,
    ("dfs", "lazy"),
    ("bfs", "eager"),
    ("bfs", "lazy"),
    ("random-state", "eager"),
    ("random-state", "lazy"),
    ("random-path", "eager"),
    ("nurs:icnt", "eager"),
    ("nurs:cpicnt", "lazy"),
    ("klee-default", "lazy"),
    ("auto", "eager"),
    ("auto", "lazy"),
    ("sgs:1", "eager"),
    ("sgs:2(latest)", "lazy"),
    ("sgs:combined", "lazy"),
    ("sgs:adaptive", "eager"),
    ("sdse", "eager"),
    ("equal-work(sdse:intra, bfs)", "lazy"),
    ("batch(bfs)", "eager"),
    ("deepening:200(dfs)", "eager"),
    ("interleave(dfs, random-state)", "lazy"),
    ("portfolio(bfs, random-path)", "lazy"),
    ("uncovered-first(dfs)", "eager"),
    ("to-end(random-path)", "eager"),
    ("cost-limited(random-path)", "eager"),
    ("cost-limited(uncovered-first(random-path))", "lazy"),
    ("cost-limited(sgs:2)", "eager"),
    ("dart", "lazy"),
    ("generational", "lazy"),
    ("cgs:3", "lazy"),
    ("greedy", "lazy"),
];

/// Those of a quick run.
pub const QUICK_MODES: &[ExploreMode] = &[FIRST, SECOND];

/// A program and how thoroughly it is tried.
pub struct ExploreCheck<'a> {
    /// The place for files.
    pub setup: &'a BenchSetup,
    /// The program.
    pub program: PathBuf,
    /// The expected paths and faults, from its comments.
    pub expectation: PathExpectation,
    /// How it is explored.
    pub modes: &'a [ExploreMode],
}

/// The result of a check.
#[derive(Default)]
pub struct ExploreCounts {
    /// Descriptions of all differences from the expectation.
    pub defects: Vec<String>,
    /// Explorations made.
    pub explorations: u64,
    /// Paths explored in them.
    pub paths: u64,
    /// Queries whose answer was checked.
    pub checked_queries: u64,
    /// Tests that were run natively.
    pub replayed: u64,
}

impl ExploreCheck<'_> {
    /// Runs the whole check; fails if a step cannot be carried out.
    pub fn run(&self) -> Result<ExploreCounts, String> {
        let name = self.program.file_stem().unwrap_or_default().to_string_lossy();
        let folder = self.setup.folder(&format!("explore-{name}"))?;
        let mut outcome = ExploreCounts::default();
        let mut first: Option<FoundPaths> = None;
        for &mode in self.modes {
            let out = folder.file(&format!("{}-{}", mode.0, mode.1));
            let found = self.explore(mode, &out)?;
            outcome.explorations += 1;
            outcome.paths += found.kinds.values().sum::<u64>();
            self.judge(mode, &found, first.as_ref(), &mut outcome.defects);
            if first.is_none() {
                outcome.checked_queries = found.queries;
                outcome.replayed = self.replay(&out, &found, &mut outcome.defects)?;
                first = Some(found);
            }
            remove(&out);
        }
        if let Some(first) = first {
            outcome.defects.extend(self.twice(&folder, first.work / 2)?);
            outcome.explorations += 2;
        }
        Ok(outcome)
    }

    /// The options of an exploration, after `byway run`.
    pub fn options(&self, mode: ExploreMode) -> Vec<String> {
        let (searcher, feasibility) = mode;
        let mut options =
            vec![format!("--search={searcher}"), format!("--feasibility={feasibility}")];
        options.extend((mode == FIRST).then(|| "--solver-check".to_owned()));
        // Compiling each program natively would take longer than exploring it.
        options.extend((searcher == "greedy").then(|| "--interpret-inputs".to_owned()));
        options.extend(self.expectation.options.iter().cloned());
        options
    }

    fn explore(&self, mode: ExploreMode, out: &Path) -> Result<FoundPaths, String> {
        let (searcher, feasibility) = mode;
        let at = |e| format!("{searcher}, {feasibility}: {e}");
        self.explore_with(&self.options(mode), out).and_then(|()| FoundPaths::read(out)).map_err(at)
    }

    fn explore_with(&self, options: &[String], out: &Path) -> Result<(), String> {
        let mut command = self.setup.byway();
        command.args(["run", "--color=never", "--output-dir"]).arg(out);
        command.args(options).arg(&self.program);
        let ended = process::run(&mut command, b"", LIMIT)?;
        match ended.status {
            ProcessStatus::Code(0 | 1) => Ok(()),
            status => Err(format!("{status}: {}", ended.stderr_text().trim())),
        }
    }

    fn judge(
        &self,
        mode: ExploreMode,
        found: &FoundPaths,
        first: Option<&FoundPaths>,
        out: &mut Vec<String>,
    ) {
        let (searcher, feasibility) = mode;
        let mut report = |what: String| out.push(format!("{searcher}, {feasibility}: {what}"));
        if self.expectation.diverged > 0 && is_concolic(searcher) {
            let expected = self.expectation.diverged.to_string();
            let (found, lost) = (found.paths.len() as u64, found.lost.get("diverged"));
            let all = first.map_or(0, |first| first.paths.len() as u64);
            if lost != Some(&expected) || found + self.expectation.diverged != all {
                report(format!("{found} of {all} paths, and diverged {lost:?}, not {expected}"));
            }
            return;
        }
        self.expectation.broken_by(found).into_iter().for_each(&mut report);
        if found.disagreements > 0 {
            report(format!("{} wrong answers of the solver", found.disagreements));
        }
        let first = first.filter(|_| self.expectation.is_exact());
        if let Some(difference) = first.and_then(|first| difference(first, found)) {
            report(format!("other paths than {}, {}: {difference}", FIRST.0, FIRST.1));
        }
    }

    /// Runs tests natively; how many.
    fn replay(
        &self,
        out: &Path,
        found: &FoundPaths,
        defects: &mut Vec<String>,
    ) -> Result<u64, String> {
        if !self.expectation.replay || found.numbers.is_empty() {
            return Ok(0);
        }
        let step = found.numbers.len().div_ceil(REPLAYED);
        let numbers: Vec<_> = found.numbers.iter().step_by(step).map(u64::to_string).collect();
        let mut command = self.setup.byway();
        command.args(["replay", "--color=never", "--tests", &numbers.join(",")]).arg(out);
        let ended = process::run(&mut command, b"", LIMIT)?;
        if ended.status != ProcessStatus::Code(0) {
            let words =
                format!("{}\n{}", String::from_utf8_lossy(&ended.stdout), ended.stderr_text());
            defects.push(format!("replay: {}: {}", ended.status, first_lines(&words)));
        }
        Ok(numbers.len() as u64)
    }

    /// Explores twice with the same limit on work and compares the files of both runs.
    fn twice(&self, folder: &WorkDir, work: u64) -> Result<Option<String>, String> {
        let (searcher, feasibility) = SECOND;
        let mut options =
            vec![format!("--search={searcher}"), format!("--feasibility={feasibility}")];
        options.extend(["--seed=1".to_owned(), format!("--max-work={}", work.max(1))]);
        options.extend(self.expectation.options.iter().cloned());
        let dirs = [folder.file("once"), folder.file("again")];
        for dir in &dirs {
            self.explore_with(&options, dir)?;
        }
        let difference = compare(&dirs[0], &dirs[1])?;
        dirs.iter().for_each(|dir| remove(dir));
        Ok(difference.map(|what| format!("two runs with --max-work={work} --seed=1: {what}")))
    }

    /// A command that reproduces a defect.
    pub fn reproduce(&self) -> String {
        let options = self.options(FIRST).join(" ");
        format!("byway run {options} {}", self.program.display())
    }
}

/// The first file in which two run directories differ.
fn compare(one: &Path, other: &Path) -> Result<Option<String>, String> {
    let mut names = Vec::new();
    for dir in [one, other] {
        names.push(files(dir)?);
    }
    if names[0] != names[1] {
        return Ok(Some(format!("{} files and {} files", names[0].len(), names[1].len())));
    }
    for name in names[0].iter().filter(|name| !name.ends_with(CLOCK)) {
        let read =
            |dir: &Path| fs::read(dir.join(name)).map_err(|e| format!("{}: {e}", name.display()));
        if read(one)? != read(other)? {
            return Ok(Some(format!("{} differs", name.display())));
        }
    }
    Ok(None)
}

/// All files below a directory, by their path in it.
fn files(dir: &Path) -> Result<Vec<PathBuf>, String> {
    let mut out = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(at) = open.pop() {
        let place = dir.join(&at);
        let cannot = |e| format!("cannot read {}: {e}", place.display());
        for entry in fs::read_dir(&place).map_err(cannot)? {
            let entry = entry.map_err(cannot)?;
            let name = at.join(entry.file_name());
            match entry.path().is_dir() {
                true => open.push(name),
                false => out.push(name),
            }
        }
    }
    out.sort();
    Ok(out)
}

fn is_concolic(searcher: &str) -> bool {
    byway_search::build(&[searcher]).is_ok_and(|searcher| searcher.requirements().concolic)
}

/// Frees disk space: a run may have thousands of tests.
fn remove(dir: &Path) {
    drop(fs::remove_dir_all(dir));
}

fn first_lines(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.take(4).collect::<Vec<_>>().join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manners_are_distinct_and_the_first_is_first() {
        let mut sorted = MODES.to_vec();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), MODES.len());
        assert_eq!((MODES[0], QUICK_MODES[0]), (FIRST, FIRST));
    }

    #[test]
    fn no_searcher_is_forgotten() {
        // One knows no states, two need a target: `byway-bench reach` has them.
        let others = ["random-testing", "ccbse", "mix-ccbse"];
        let exploring = |entry: &&byway_search::SearcherEntry| !others.contains(&entry.name);
        for entry in byway_search::entries().iter().filter(exploring) {
            let is_it = |mode: &ExploreMode| mode.0.split([':', '(']).next() == Some(entry.name);
            assert!(MODES.iter().any(is_it), "nothing explores by {}", entry.name);
        }
    }

    #[test]
    fn directories_are_compared_but_for_the_clock() {
        let base = tempfile::TempDir::new().expect("a directory");
        let (one, other) = (base.path().join("one"), base.path().join("other"));
        for dir in [&one, &other] {
            fs::create_dir_all(dir.join("tests")).expect("a directory");
            fs::write(dir.join("tests/1"), "same").expect("a file");
            fs::write(dir.join(CLOCK), dir.display().to_string()).expect("a file");
        }
        assert_eq!(compare(&one, &other), Ok(None));
        fs::write(other.join("tests/1"), "other").expect("a file");
        assert_eq!(compare(&one, &other), Ok(Some("tests/1 differs".to_owned())));
        fs::write(other.join("tests/2"), "more").expect("a file");
        assert_eq!(compare(&one, &other), Ok(Some("2 files and 3 files".to_owned())));
    }
}
