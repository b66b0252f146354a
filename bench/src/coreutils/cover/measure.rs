//! One exploration: run, replayed on the machine, measured by gcov's counters.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::super::figures::ToolFigures;
use super::super::{INPUT, Tools};
use super::plan::CoverRun;
use super::result::{CoverResult, CoverShare, ReplayCounts, ReportedFault};
use crate::process::{self, ProcessResult, ProcessStatus};
use crate::setup::{BenchSetup, create_dir};

/// Budgets are in time of the processor or in work; on a busy machine the wall's may be many times that.
const LIMIT: Duration = Duration::from_secs(4 * 3600);

/// Shared by all measurements.
pub struct CoverBench<'a> {
    /// Byway and a place for files.
    pub setup: &'a BenchSetup,
    /// The tools.
    pub tools: &'a Tools,
    /// Where to keep run directories, if requested.
    pub keep: Option<PathBuf>,
}

impl CoverBench<'_> {
    /// Does it.
    pub fn measure(&self, planned: &CoverRun) -> Result<CoverResult, String> {
        let folder = self.setup.folder(&planned.name())?;
        let dir = match &self.keep {
            None => folder.file("run"),
            Some(keep) => kept(keep, planned)?,
        };
        let verdicts = folder.file("verdicts.jsonl");
        let mut run = self.setup.byway();
        run.arg("run").arg("--output-dir").arg(&dir).args(planned.options());
        done("run", run.args(INPUT.split(' ')).arg(self.tools.bitcode(&planned.tool)), &[0, 1])?;
        let mut replay = self.setup.byway();
        replay.arg("replay").arg(&dir).arg("--verdicts").arg(&verdicts).args(["--jobs", "1"]);
        done("replay", &mut replay, &[0, 1])?;
        let covered = done("cover", &mut self.cover(planned, &dir), &[0])?;

        let explored = ToolFigures::read(&dir)?;
        let (replayed, faults) = replayed(&text(&verdicts)?, &explored)?;
        let lcov = text(&dir.join("cover/lcov.info"))?;
        let figures = &explored.metrics;
        Ok(CoverResult {
            tests: explored.tests,
            ended: figures.paths - figures.truncated_paths,
            partial: figures.truncated_paths,
            complete: figures.complete,
            instructions: figures.instructions,
            cpu_seconds: figures.cpu_seconds,
            queries: figures.queries,
            searched: figures.searched_queries,
            solver_share: figures.solver_seconds / figures.explore_seconds.max(1e-3),
            memory: figures.process_memory,
            lines: share(&lcov, "LH:", "LF:"),
            branches: share(&lcov, "BRH:", "BRF:"),
            unmeasured: unmeasured(&String::from_utf8_lossy(&covered.stdout)),
            faults,
            replayed,
        })
    }

    fn cover(&self, planned: &CoverRun, dir: &Path) -> Command {
        let mut cover = self.setup.byway();
        cover.arg("cover").arg(dir).args(["--jobs", "1"]);
        cover.arg("--coverage-build").arg(self.tools.coverage(&planned.tool));
        cover.arg("--notes").arg(self.tools.notes());
        cover.arg("--source-dir").arg(self.tools.sources());
        cover.arg("--files").arg(format!("src/{}", planned.source()));
        cover
    }
}

/// An empty directory for a run to keep; an earlier one is removed.
fn kept(keep: &Path, planned: &CoverRun) -> Result<PathBuf, String> {
    create_dir(keep)?;
    let dir = keep.join(planned.name());
    match std::fs::remove_dir_all(&dir) {
        Err(e) if dir.exists() => Err(format!("cannot replace {}: {e}", dir.display())),
        _ => Ok(dir),
    }
}

/// Runs a byway that must end with one of these exit codes.
fn done(what: &str, command: &mut Command, codes: &[i32]) -> Result<ProcessResult, String> {
    let ended = process::run(command, b"", LIMIT)?;
    match ended.status {
        ProcessStatus::Code(code) if codes.contains(&code) => Ok(ended),
        status => {
            let stderr = ended.stderr_text();
            let is_error = |line: &&str| line.contains("panicked") || line.contains("error");
            let line = stderr.lines().find(is_error).or_else(|| stderr.lines().last());
            Err(format!("byway {what}: {status}: {}", line.unwrap_or("nothing on standard error")))
        }
    }
}

fn text(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

/// The native behaviour of tests, and the faults they show.
fn replayed(
    verdicts: &str,
    explored: &ToolFigures,
) -> Result<(ReplayCounts, Vec<ReportedFault>), String> {
    let mut replayed = ReplayCounts::default();
    let mut faults: BTreeMap<u64, ReportedFault> = BTreeMap::new();
    for (id, what) in (1..).zip(&explored.faults) {
        faults.insert(id, ReportedFault { what: what.clone(), ..ReportedFault::default() });
    }
    for line in verdicts.lines() {
        let Some((id, shown)) = replayed.add(line).map_err(|e| format!("verdicts: {e}"))? else {
            continue;
        };
        let fault = faults.entry(id).or_default();
        match shown {
            Ok(()) => fault.shown = true,
            Err(instead) if !fault.instead.contains(&instead) => fault.instead.push(instead),
            Err(_) => {}
        }
    }
    Ok((replayed, faults.into_values().collect()))
}

/// Adds up the counts of the files in `lcov.info`; there is one, unless a source includes others.
fn share(lcov: &str, covered: &str, total: &str) -> CoverShare {
    let sum = |name: &str| -> u64 {
        lcov.lines().filter_map(|line| line.strip_prefix(name)?.parse::<u64>().ok()).sum()
    };
    CoverShare { covered: sum(covered), total: sum(total) }
}

/// The number of tests without counters, by reason, from the output of `byway cover`: it names
/// the first tests and counts the others.
fn unmeasured(cover: &str) -> BTreeMap<String, u64> {
    let lines = cover.lines().skip_while(|line| *line != "not measured:").skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    let reason = |line: &str| {
        let (tests, why) = line.trim().split_once("  ")?;
        let named = tests.split(',').count() as u64;
        let more =
            tests.split_once(" and ").and_then(|(_, more)| more.split(' ').next()?.parse().ok());
        Some((why.to_owned(), named + more.unwrap_or(0)))
    };
    lines.filter_map(reason).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_lcov() {
        let lcov = "SF:a.c\nDA:1,0\nBRF:8\nBRH:2\nLF:10\nLH:7\nend_of_record\n";
        assert_eq!(share(lcov, "LH:", "LF:"), CoverShare { covered: 7, total: 10 });
        assert_eq!(share(lcov, "BRH:", "BRF:"), CoverShare { covered: 2, total: 8 });
    }

    #[test]
    fn what_left_no_counters_is_counted() {
        let cover = "3 tests of 'x'\n\nnot measured:\n  000001, 000002  it was killed\n  \
                     000003, 000004 and 5 more  memory\n\npage x\n";
        let expected = [("it was killed".to_owned(), 2), ("memory".to_owned(), 7)];
        assert_eq!(unmeasured(cover), expected.into());
        assert_eq!(unmeasured("3 tests of 'x'\n\npage x\n"), BTreeMap::new());
    }
}
