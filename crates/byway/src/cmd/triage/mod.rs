//! `byway triage`: decides which warnings of a static analyser are true.
//!
//! ```text
//! report ──sarif──▶ findings ──[`claim`]──▶ faults they claim
//!                      └──[`plan`]──▶ targets ──reach::decide──▶ [`verdict`] of each
//!                                                     ├──▶ table
//!                                                     ├──▶ the same report with verdicts
//!                                                     └──▶ triage.json
//! ```
//!
//! A warning becomes two targets: its line, and the fault it claims at this line. The second stays
//! open until a path shows the fault, so all paths to the line are explored.

mod claim;
mod config;
mod flags;
mod plan;
mod record;
mod table;
mod verdict;

use std::fs;
use std::path::Path;

use byway_rundir::{TargetRecord, VerdictRecord};
use byway_testcase::atomic;

use crate::cmd::{reach, run};
use crate::console::{Style, print};
use crate::exit;
use crate::failure::{Failure, Result};
use crate::sarif::{Finding, SarifLog};
use claim::claim_of;
pub use config::TriageConfig;
pub use flags::{EXAMPLES, EXIT_CODES, TriageFlags};
use plan::{PlannedFinding, TriagePlan};
use record::TriagedFinding;
use verdict::{Reachability, TriageVerdict, decide};

/// The report with verdicts, in the run directory.
const OUTPUT: &str = "triage.sarif";

/// Triages a report; the exit code says whether a warning was confirmed.
pub fn triage(mut config: TriageConfig) -> Result<u8> {
    let mut log = read(&config.report)?;
    let findings = log.findings().map_err(|error| unusable(&config.report, &error.to_string()))?;
    for finding in &findings {
        if let Some(check) = claim_of(&finding.rule, &finding.message).and_then(|it| it.check) {
            check.turn_on(&mut config.reach.run.explore.engine.checks);
        }
    }
    if findings.is_empty() {
        print("no warnings in the report\n")?;
        return Ok(exit::SUCCESS);
    }
    let program = run::prepare(&config.reach.run)?;
    let plan = TriagePlan::new(&findings, &program.loaded.module);
    if plan.targets.is_empty() {
        return Err(no_targets(&config.report, &findings, &plan));
    }
    let decided = reach::decide(&config.reach, &program, &plan.targets)?;
    let triaged = record::triaged(&findings, &plan, &decided)?;
    let output = config.output.clone().unwrap_or_else(|| decided.run.join(OUTPUT));
    for it in &triaged {
        it.annotate(&mut log)?;
    }
    write(&output, log.to_text().as_bytes())?;
    record::write(&decided.run, &config.report, &triaged)?;
    print(&table::render(&triaged, &output, Style::new(config.reach.color)))?;
    Ok(exit_code(decided.exit_code, &triaged))
}

fn read(path: &Path) -> Result<SarifLog> {
    let bytes = fs::read(path).map_err(|error| Failure::io("read", path, &error))?;
    SarifLog::parse(&bytes).map_err(|error| unusable(path, &error.to_string()))
}

fn unusable(path: &Path, why: &str) -> Failure {
    Failure::new(format!("cannot use the report '{}': {why}", path.display())).hint(
        "clang writes a report with --analyze -Xclang -analyzer-output=sarif -o REPORT.sarif FILE.c",
    )
}

/// Not one warning names a line of the program.
fn no_targets(report: &Path, findings: &[Finding], plan: &TriagePlan) -> Failure {
    let reasons = findings.iter().zip(&plan.findings).filter_map(|(finding, planned)| {
        let why = planned.line.as_ref().err()?;
        Some(format!("{}: {why}", finding.rule))
    });
    let problem = format!("no warning in '{}' is about this program", report.display());
    Failure::new(problem).detail(reasons.take(5).collect::<Vec<_>>().join("\n"))
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    atomic::write(path, bytes).map_err(|error| Failure::io("write", path, &error))
}

/// What is known about a target.
fn reachability(record: &TargetRecord) -> Reachability {
    match &record.verdict {
        VerdictRecord::Reached { .. } => Reachability::Reached,
        VerdictRecord::Unreachable { reason } => Reachability::Unreachable(reason.clone()),
        VerdictRecord::Undecided { reasons } => Reachability::Undecided(reasons.join("; ")),
    }
}

fn exit_code(search: u8, triaged: &[TriagedFinding]) -> u8 {
    let any = |verdict| triaged.iter().any(|it| it.verdict == verdict);
    match search {
        code @ (exit::BUG | exit::INTERRUPTED) => code,
        _ if any(TriageVerdict::Confirmed) => exit::FAULT,
        _ if any(TriageVerdict::Undecided) => exit::INCOMPLETE,
        _ => exit::SUCCESS,
    }
}
