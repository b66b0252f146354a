//! The verdicts as data: in the report's results, and as `triage.json` in the run directory.

use std::collections::BTreeSet;
use std::path::Path;

use byway_engine::normalised_path;
use byway_rundir::{CoverageRecord, RunReader, SCHEMA, TargetRecord, VerdictRecord};
use byway_testcase::atomic;
use serde::Serialize;
use serde_json::json;

use super::{PlannedFinding, Reachability, TriagePlan, TriageVerdict, decide, reachability};
use crate::cmd::reach::DecidedTargets;
use crate::failure::{Failure, Result};
use crate::sarif::{Finding, SarifLog, SourceLine};

/// The file in the run directory.
pub const NAME: &str = "triage.json";

/// A warning and its verdict.
#[derive(Serialize)]
pub struct TriagedFinding<'a> {
    #[serde(skip)]
    pub finding: &'a Finding,
    pub rule: &'a str,
    pub message: &'a str,
    /// `FILE:LINE` as the report names it.
    pub line: Option<String>,
    pub verdict: TriageVerdict,
    /// Whether the line is `reached`, `unreachable` or `undecided`.
    pub target: &'static str,
    pub reason: String,
    /// The file of the test that shows the fault, else of the one that reaches the line.
    pub test: Option<String>,
    /// Whether a native run of the test confirms it; `None` if none was made.
    pub confirmed: Option<bool>,
    /// The steps of the analyser's path that a test executes.
    pub steps_reached: usize,
    pub steps: usize,
}

/// The verdict on each finding.
pub fn triaged<'a>(
    findings: &'a [Finding],
    plan: &TriagePlan,
    decided: &DecidedTargets,
) -> Result<Vec<TriagedFinding<'a>>> {
    let covered = covered_lines(RunReader::open(&decided.run)?.coverage()?.as_ref());
    let each = findings.iter().zip(&plan.findings);
    Ok(each.map(|(finding, planned)| one(finding, planned, decided, &covered)).collect())
}

fn one<'a>(
    finding: &'a Finding,
    planned: &PlannedFinding,
    decided: &DecidedTargets,
    covered: &BTreeSet<(String, u32)>,
) -> TriagedFinding<'a> {
    let line = planned.line.as_ref().map(|&number| &decided.targets[number]);
    let fault = planned.fault.map(|number| &decided.targets[number]);
    let line_known = match line {
        Ok(record) => reachability(record),
        Err(why) => Reachability::Undecided((*why).clone()),
    };
    let fault_known = fault.map(reachability);
    let (verdict, reason) = decide(&line_known, fault_known.as_ref());
    let shown = fault.filter(|_| verdict == TriageVerdict::Confirmed).or(line.ok());
    let (test, confirmed) = shown.and_then(|record| test_of(record, decided)).unzip();
    let is_reached = |step: &&SourceLine| {
        let file = normalised_path(&step.file.to_string_lossy());
        let line = |(path, line): &(String, u32)| *line == step.line && is_same(&file, path);
        covered.iter().any(line)
    };
    TriagedFinding {
        rule: &finding.rule,
        message: &finding.message,
        line: finding.line.as_ref().map(SourceLine::to_string),
        verdict,
        target: line_known.name(),
        reason,
        test,
        confirmed: confirmed.flatten(),
        steps_reached: finding.steps.iter().filter(is_reached).count(),
        steps: finding.steps.len(),
        finding,
    }
}

/// Whether two paths name the same file, as far as the shorter one tells.
fn is_same(one: &str, other: &str) -> bool {
    let (long, short) = if one.len() > other.len() { (one, other) } else { (other, one) };
    long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// The test of a target that was reached, and whether it was confirmed.
fn test_of(record: &TargetRecord, decided: &DecidedTargets) -> Option<(String, Option<bool>)> {
    let VerdictRecord::Reached { test, confirmed, .. } = &record.verdict else { return None };
    let file = decided.run.join("tests").join(test);
    Some((file.display().to_string(), *confirmed))
}

fn covered_lines(coverage: Option<&CoverageRecord>) -> BTreeSet<(String, u32)> {
    let files = coverage.into_iter().flat_map(|coverage| &coverage.files);
    files
        .flat_map(|(file, lines)| {
            let file = normalised_path(file);
            let covered = lines.iter().filter(|line| line.first_path.is_some());
            covered.map(move |line| (file.clone(), line.line))
        })
        .collect()
}

impl TriagedFinding<'_> {
    /// Records the verdict in its result of the report.
    pub fn annotate(&self, log: &mut SarifLog) -> Result<()> {
        let mut verdict = json!({
            "verdict": self.verdict,
            "target": self.target,
            "reason": self.reason,
            "stepsReached": self.steps_reached,
            "steps": self.steps,
        });
        if let Some(test) = &self.test {
            verdict["test"] = json!(test);
            verdict["command"] = json!(format!("byway show {test}"));
        }
        if let Some(confirmed) = self.confirmed {
            verdict["confirmedNatively"] = json!(confirmed);
        }
        log.annotate(self.finding, verdict);
        if self.verdict == TriageVerdict::FalsePositive {
            log.propose_suppression(self.finding, &self.reason);
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct TriageRecord<'a> {
    schema: u32,
    /// The report's path, as given.
    report: String,
    findings: &'a [TriagedFinding<'a>],
}

/// Writes `triage.json`.
pub fn write(run: &Path, report: &Path, triaged: &[TriagedFinding]) -> Result<()> {
    let record =
        TriageRecord { schema: SCHEMA, report: report.display().to_string(), findings: triaged };
    let path = run.join(NAME);
    let text = serde_json::to_vec_pretty(&record).map_err(std::io::Error::from);
    let written = text.and_then(|mut text| {
        text.push(b'\n');
        atomic::write(&path, &text)
    });
    written.map_err(|error| Failure::io("write", &path, &error))
}
