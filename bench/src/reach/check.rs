//! The check of one program.
//!
//! Every searcher looks for all its targets at once. A verdict must be the one that the comments
//! state; `reached` must be confirmed by a native run.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::brute_force;
use super::expectation::{ReachExpectation, TargetVerdict};
use crate::process::{self, ProcessStatus};
use crate::setup::BenchSetup;

/// Generous: a search takes a second, but the machine may be busy.
const LIMIT: Duration = Duration::from_secs(300);

/// The file with the verdicts in a run directory.
const TARGETS: &str = "targets.json";

/// All searchers; the empty name stands for the default of `byway reach`.
pub const SEARCHERS: &[&str] = &[
    "",
    "sdse",
    "sdse:intra",
    "ccbse(random-path)",
    "mix-ccbse(random-path)",
    "equal-work(sdse, dfs)",
    "dfs",
    "bfs",
    "random-state",
    "random-path",
    "nurs:icnt",
    "klee-default",
    "auto",
    "sgs:1",
    "sgs:combined",
    "sgs:adaptive",
    "batch(bfs)",
    "deepening(bfs)",
    "interleave(dfs, random-state)",
    "portfolio(bfs, random-path)",
    "uncovered-first(dfs)",
    "to-end(random-path)",
    "cost-limited(random-path)",
    "dart",
    "generational",
    "cgs:3",
    "greedy",
];

/// Those of a quick run.
pub const QUICK_SEARCHERS: &[&str] = &["", "sdse"];

/// A program and the searchers to try.
pub struct ReachCheck<'a> {
    pub setup: &'a BenchSetup,
    pub program: PathBuf,
    pub expectation: ReachExpectation,
    pub searchers: &'a [&'a str],
    /// Whether to check the comments natively instead, on all inputs.
    pub brute_force: bool,
}

/// Totals of checks.
#[derive(Default)]
pub struct ReachCounts {
    /// Runs of `byway reach`.
    pub searches: u64,
    /// Targets of all searches.
    pub targets: u64,
    pub reached: u64,
    pub unreachable: u64,
    pub undecided: u64,
}

impl ReachCounts {
    /// Adds the counts of another check.
    pub fn add(&mut self, other: &ReachCounts) {
        self.searches += other.searches;
        self.targets += other.targets;
        self.reached += other.reached;
        self.unreachable += other.unreachable;
        self.undecided += other.undecided;
    }

    fn count(&mut self, verdict: TargetVerdict) {
        self.targets += 1;
        match verdict {
            TargetVerdict::Reached => self.reached += 1,
            TargetVerdict::Unreachable => self.unreachable += 1,
            TargetVerdict::Undecided => self.undecided += 1,
        }
    }
}

impl ReachCheck<'_> {
    /// The counts, and descriptions of all that is wrong; fails if a step cannot be carried out.
    pub fn run(&self) -> Result<(ReachCounts, Vec<String>), String> {
        match self.brute_force {
            true => self.check_comments(),
            false => self.check_searchers(),
        }
    }

    fn check_searchers(&self) -> Result<(ReachCounts, Vec<String>), String> {
        let name = self.program.file_stem().unwrap_or_default().to_string_lossy();
        let folder = self.setup.folder(&format!("reach-{name}"))?;
        let (mut counts, mut defects) = (ReachCounts::default(), Vec::new());
        for &searcher in self.searchers {
            let at = |e: String| format!("{}: {e}", searcher_name(searcher));
            let out = folder.file(&searcher_name(searcher));
            let found = self.search(searcher, &out).map_err(at)?;
            counts.searches += 1;
            for ((target, expected), result) in self.expectation.targets.iter().zip(&found) {
                counts.count(result.verdict);
                if let Some(wrong) = result.contradicts(*expected) {
                    defects.push(at(format!("{target}: {wrong}")));
                }
            }
            drop(std::fs::remove_dir_all(&out));
        }
        Ok((counts, defects))
    }

    /// Compares the comments with native runs on all inputs.
    fn check_comments(&self) -> Result<(ReachCounts, Vec<String>), String> {
        let reached = brute_force::reached_lines(self.setup, &self.program, &self.expectation)?;
        let (mut counts, mut defects) = (ReachCounts::default(), Vec::new());
        let lines = self.expectation.targets.iter().filter(|(target, _)| target.contains(':'));
        for ((target, expected), is_reached) in lines.zip(reached) {
            counts.count(*expected);
            // Behind a fault, a native run may get anywhere.
            let is_checked = *expected != TargetVerdict::Undecided;
            if is_checked && is_reached != (*expected == TargetVerdict::Reached) {
                let truth = if is_reached { "reached" } else { "not reached" };
                defects.push(format!("{target} is {truth} natively, not {expected}"));
            }
        }
        Ok((counts, defects))
    }

    fn arguments(&self, searcher: &str) -> Vec<String> {
        let mut words = Vec::new();
        if !searcher.is_empty() {
            words.push(format!("--search={searcher}"));
        }
        words.extend(self.expectation.options.iter().cloned());
        for (target, _) in &self.expectation.targets {
            words.push(format!("--target={target}"));
        }
        words.push(self.program.display().to_string());
        let directory = self.program.parent().unwrap_or(Path::new("."));
        let sources = self.expectation.sources.iter();
        words.extend(sources.map(|source| directory.join(source).display().to_string()));
        if !self.expectation.arguments.is_empty() {
            words.push("--".to_owned());
            words.extend(self.expectation.arguments.iter().cloned());
        }
        words
    }

    fn search(&self, searcher: &str, out: &Path) -> Result<Vec<FoundTarget>, String> {
        let mut command = self.setup.byway();
        command.args(["reach", "--color=never", "--output-dir"]).arg(out);
        command.args(self.arguments(searcher));
        let ended = process::run(&mut command, b"", LIMIT)?;
        if !matches!(ended.status, ProcessStatus::Code(0 | 1 | 5)) {
            return Err(format!("{}: {}", ended.status, ended.stderr_text().trim()));
        }
        let found = read_targets(&out.join(TARGETS))?;
        match found.len() == self.expectation.targets.len() {
            true => Ok(found),
            false => Err(format!("{} verdicts", found.len())),
        }
    }

    /// A command that reproduces a defect.
    pub fn reproduce(&self) -> String {
        format!("byway reach {}", self.arguments("").join(" "))
    }
}

fn searcher_name(searcher: &str) -> String {
    if searcher.is_empty() { "default".to_owned() } else { searcher.to_owned() }
}

/// A verdict of `byway reach`.
struct FoundTarget {
    verdict: TargetVerdict,
    /// Whether a native run got there.
    is_confirmed: bool,
}

impl FoundTarget {
    /// What is wrong with it, if anything.
    fn contradicts(&self, expected: TargetVerdict) -> Option<String> {
        match (expected, self.verdict) {
            (expected, found) if expected != found => Some(format!("{found}, not {expected}")),
            (_, TargetVerdict::Reached) if !self.is_confirmed => {
                Some("reached, but not confirmed natively".to_owned())
            }
            _ => None,
        }
    }
}

fn read_targets(path: &Path) -> Result<Vec<FoundTarget>, String> {
    let text = std::fs::read(path).map_err(|e| format!("{TARGETS}: {e}"))?;
    let json: Value = serde_json::from_slice(&text).map_err(|e| format!("{TARGETS}: {e}"))?;
    let targets = json["targets"].as_array().ok_or(format!("{TARGETS}: no targets"))?;
    let found = targets.iter().map(|target| {
        let verdict = target["verdict"].as_str().and_then(TargetVerdict::by_name);
        let is_confirmed = target["confirmed"] == true;
        verdict.map(|verdict| FoundTarget { verdict, is_confirmed })
    });
    found.collect::<Option<_>>().ok_or_else(|| format!("{TARGETS}: a target without a verdict"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_searcher_is_forgotten() {
        // The one that knows no states.
        let exploring = |entry: &&byway_search::SearcherEntry| entry.name != "random-testing";
        for entry in byway_search::entries().iter().filter(exploring) {
            let is_it = |name: &&str| name.split([':', '(']).next() == Some(entry.name);
            assert!(SEARCHERS.iter().any(is_it), "nothing searches by {}", entry.name);
        }
    }
}
