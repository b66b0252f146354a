//! The targets of a report: for each warning its line, and the fault it claims there.

use std::collections::BTreeSet;

use byway_base::{Fault, FaultKind, SrcLoc};
use byway_engine::{FaultFilter, NamedTarget, Target, TargetIndex, TargetKind, normalised_path};
use byway_ir::Module;

use super::claim::{Claim, claim_of};
use crate::sarif::{Finding, SourceLine};

/// What to do about one warning.
pub struct PlannedFinding {
    /// The number of the target that is its line; the reason if it has none.
    pub line: Result<usize, String>,
    /// The number of the target that is the fault it claims.
    pub fault: Option<usize>,
}

/// The targets of all warnings.
#[derive(Default)]
pub struct TriagePlan {
    pub targets: Vec<NamedTarget>,
    /// In the order of the findings.
    pub findings: Vec<PlannedFinding>,
}

impl TriagePlan {
    pub fn new(findings: &[Finding], module: &Module) -> TriagePlan {
        let index = TargetIndex::new(module);
        let mut plan = TriagePlan::default();
        for finding in findings {
            let planned = match line_target(finding, &index) {
                Ok(target) => plan.add(finding, target, &index, module),
                Err(why) => PlannedFinding { line: Err(why), fault: None },
            };
            plan.findings.push(planned);
        }
        plan
    }

    fn add(
        &mut self,
        finding: &Finding,
        target: NamedTarget,
        index: &TargetIndex,
        module: &Module,
    ) -> PlannedFinding {
        let claim = claim_of(&finding.rule, &finding.message);
        let fault = claim.map(|claim| fault_target(finding, claim, &target, index, module));
        let line = self.push(target);
        PlannedFinding { line: Ok(line), fault: fault.map(|fault| self.push(fault)) }
    }

    fn push(&mut self, target: NamedTarget) -> usize {
        self.targets.push(target);
        self.targets.len() - 1
    }
}

fn line_target(finding: &Finding, index: &TargetIndex) -> Result<NamedTarget, String> {
    let Some(at) = &finding.line else {
        return Err("the report names no line".to_owned());
    };
    let path = at.file.to_string_lossy();
    let Some(file) = index.closest_file(&path) else {
        return Err(format!("the program has no code of {path}"));
    };
    index.line(file, at.line)
}

fn fault_target(
    finding: &Finding,
    claim: Claim,
    line: &NamedTarget,
    index: &TargetIndex,
    module: &Module,
) -> NamedTarget {
    let in_program = |step: &SourceLine| {
        let file = index.closest_file(&step.file.to_string_lossy())?;
        Some((file.to_owned(), step.line))
    };
    let claimed = ClaimedFault {
        kinds: claim.kinds,
        lines: line.lines.clone(),
        steps: finding.steps.iter().filter_map(in_program).collect(),
        functions: functions(line, module),
    };
    let filter = FaultFilter::new(move |fault| claimed.is_shown_by(fault));
    NamedTarget {
        name: format!("{} {}", line.name, claim.kinds[0]),
        lines: line.lines.clone(),
        // A native run must end with the fault; that it executes the line is not enough.
        kind: TargetKind::Error,
        target: Target { points: line.target.points.clone(), fault: Some(filter) },
    }
}

/// The functions that contain a line, by the names that faults have for them.
fn functions(line: &NamedTarget, module: &Module) -> BTreeSet<String> {
    let name = |func: byway_ir::FuncId| {
        let func = &module.funcs[func];
        func.scope.map_or(func.name.clone(), |scope| module.debug.scopes[scope].name.clone())
    };
    line.target.points.iter().map(|point| name(point.func)).collect()
}

/// Which faults confirm a warning, on a path that executes its line.
struct ClaimedFault {
    kinds: &'static [FaultKind],
    lines: Vec<(String, u32)>,
    steps: BTreeSet<(String, u32)>,
    functions: BTreeSet<String>,
}

impl ClaimedFault {
    fn is_shown_by(&self, fault: &Fault) -> bool {
        if !self.kinds.contains(&fault.kind) {
            return false;
        }
        let culprit = fault.culprit();
        let at = culprit.and_then(|frame| frame.loc.as_ref()).map(place);
        if at.as_ref().is_some_and(|at| self.lines.contains(at)) {
            return true;
        }
        let in_step = |at: &(String, u32)| self.steps.contains(at);
        match fault.kind {
            // It is reported where the memory was allocated, at the end of the program.
            FaultKind::Leak if self.steps.is_empty() => {
                culprit.is_some_and(|frame| self.functions.contains(&frame.function))
            }
            FaultKind::Leak => {
                let notes = fault.notes.iter().filter_map(|note| note.loc.as_ref().map(place));
                at.into_iter().chain(notes).any(|at| in_step(&at))
            }
            // It is reported where the value decides something, which may be in a caller; the
            // message ends with the function of the variable.
            FaultKind::UninitialisedRead => {
                self.functions.iter().any(|name| fault.message.ends_with(&format!(" of {name}")))
            }
            _ => false,
        }
    }
}

fn place(loc: &SrcLoc) -> (String, u32) {
    (normalised_path(&loc.file), loc.line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::{Note, StackFrame};

    fn fault(kind: FaultKind, line: u32, message: &str) -> Fault {
        let loc = Some(SrcLoc { file: "/src/a.c".into(), line, column: 1 });
        let stack = vec![StackFrame { function: "f".into(), loc, user: true, arguments: vec![] }];
        Fault { kind, message: message.into(), stack, notes: vec![] }
    }

    fn claimed(kinds: &'static [FaultKind], steps: &[u32]) -> ClaimedFault {
        let at = |line: u32| (normalised_path("/src/a.c"), line);
        ClaimedFault {
            kinds,
            lines: vec![at(7)],
            steps: steps.iter().map(|&line| at(line)).collect(),
            functions: BTreeSet::from(["f".to_owned()]),
        }
    }

    #[test]
    fn kind_and_line_decide() {
        let claim = claimed(&[FaultKind::NullDereference], &[5]);
        assert!(claim.is_shown_by(&fault(FaultKind::NullDereference, 7, "")));
        assert!(!claim.is_shown_by(&fault(FaultKind::NullDereference, 5, "")));
        assert!(!claim.is_shown_by(&fault(FaultKind::DivisionByZero, 7, "")));
    }

    #[test]
    fn leaks_are_reported_at_the_allocation() {
        let claim = claimed(&[FaultKind::Leak], &[5]);
        assert!(claim.is_shown_by(&fault(FaultKind::Leak, 5, "")));
        let mut several = fault(FaultKind::Leak, 6, "");
        assert!(!claim.is_shown_by(&several));
        let loc = Some(SrcLoc { file: "/src/a.c".into(), line: 5, column: 1 });
        several.notes.push(Note { message: "another".into(), loc });
        assert!(claim.is_shown_by(&several));
        assert!(claimed(&[FaultKind::Leak], &[]).is_shown_by(&fault(FaultKind::Leak, 6, "")));
    }

    #[test]
    fn unset_variables_are_reported_where_they_decide() {
        let claim = claimed(&[FaultKind::UninitialisedRead], &[]);
        let of = |name: &str| {
            let message = format!("a value of the local variable 'x' of {name}");
            fault(FaultKind::UninitialisedRead, 90, &message)
        };
        assert!(claim.is_shown_by(&of("f")));
        assert!(!claim.is_shown_by(&of("other")));
    }
}
