//! From the results of an exploration to a verdict on each target.

use byway_engine::{NamedTarget, PrecedingFault, TargetOutcome};
use byway_rundir::{LossesRecord, RunSummary, TargetLine, TargetRecord, VerdictRecord, test_name};

use crate::cmd::run::ExploredRun;
use crate::report::{self, Sources};

/// The record of each target, not yet confirmed.
pub fn records(explored: &ExploredRun, targets: &[NamedTarget]) -> Vec<TargetRecord> {
    let record = |(target, result): (&NamedTarget, &TargetOutcome)| TargetRecord {
        name: target.name.clone(),
        lines: target
            .lines
            .iter()
            .map(|(file, line)| TargetLine { file: file.clone(), line: *line })
            .collect(),
        verdict: verdict(result, &explored.summary),
    };
    targets.iter().zip(&explored.targets).map(record).collect()
}

fn verdict(result: &TargetOutcome, summary: &RunSummary) -> VerdictRecord {
    if let Some(path) = result.path {
        let test = test_name(path);
        return VerdictRecord::Reached { path, test, confirmed: None, note: None };
    }
    if let Some(fault) = &result.preceding_fault {
        let mut reasons = vec![precedes(fault)];
        reasons.extend(report::incomplete_causes(summary));
        return VerdictRecord::Undecided { reasons };
    }
    if result.is_statically_unreachable {
        let reason = "the control flow of the program does not lead there".to_string();
        return VerdictRecord::Unreachable { reason };
    }
    if !result.is_pending && is_nothing_lost(summary) {
        let reason = "every path that could lead there was explored".to_string();
        return VerdictRecord::Unreachable { reason };
    }
    let mut reasons = report::incomplete_causes(summary);
    if reasons.is_empty() {
        reasons.push("the search ended before every path was explored".to_string());
    }
    VerdictRecord::Undecided { reasons }
}

fn precedes(fault: &PrecedingFault) -> String {
    let at = fault.location.as_ref().map(|at| format!(" at {}", Sources::new().location(at)));
    format!(
        "a path ended with a fault before it, {}{}, where a native run may continue",
        fault.kind,
        at.unwrap_or_default()
    )
}

/// Whether nothing was lost but states that are left. Those are known: a target that one of them
/// may reach is pending.
fn is_nothing_lost(summary: &RunSummary) -> bool {
    let lost = LossesRecord { unfinished: 0, untested: 0, ..summary.totals.lost.clone() };
    lost == LossesRecord::default()
        && summary.totals.random.is_none_or(|counts| counts.followed.is_some())
}
