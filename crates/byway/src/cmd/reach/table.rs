//! The verdicts for people: one line each.

use byway_rundir::{TargetRecord, VerdictRecord};

use super::DecidedTargets;
use crate::console::Style;

/// The lines, in the order of the targets.
pub fn render(decided: &DecidedTargets, style: Style) -> String {
    let width = decided.targets.iter().map(|target| target.name.chars().count()).max();
    let line = |target: &TargetRecord| {
        let (name, width) = (&target.name, width.unwrap_or(0));
        format!("{name:<width$}  {}\n", verdict(decided, &target.verdict, style))
    };
    decided.targets.iter().map(line).collect()
}

fn verdict(decided: &DecidedTargets, verdict: &VerdictRecord, style: Style) -> String {
    match verdict {
        VerdictRecord::Reached { test, confirmed, note, .. } => {
            let note = note.as_deref().unwrap_or_default();
            let confirmed = match confirmed {
                Some(true) => format!("confirmed natively: {note}; "),
                Some(false) => format!("not confirmed natively: {note}; "),
                None => String::new(),
            };
            let file = decided.run.join("tests").join(test);
            format!("{}  {confirmed}byway show {}", style.error("reached"), file.display())
        }
        VerdictRecord::Unreachable { reason } => {
            format!("{}  {reason}", style.note("unreachable"))
        }
        VerdictRecord::Undecided { reasons } => {
            format!("{}  {}", style.warning("undecided"), reasons.join("; "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_is_one_line() {
        let record =
            |name: &str, verdict| TargetRecord { name: name.into(), lines: Vec::new(), verdict };
        let reached = |confirmed, note: &str| VerdictRecord::Reached {
            path: 3,
            test: "000003.ktest".into(),
            confirmed,
            note: Some(note.into()),
        };
        let targets = vec![
            record("a.c:3", reached(Some(true), "the line was executed")),
            record("b.c:4", reached(Some(false), "it does not compile")),
            record("f", VerdictRecord::Unreachable { reason: "why".into() }),
            record("g", VerdictRecord::Undecided { reasons: vec!["one".into(), "two".into()] }),
        ];
        let decided = DecidedTargets { run: "/r".into(), targets, exit_code: 5 };
        assert_eq!(
            render(&decided, Style::new(false)),
            "a.c:3  reached  confirmed natively: the line was executed; byway show /r/tests/000003.ktest\n\
             b.c:4  reached  not confirmed natively: it does not compile; byway show /r/tests/000003.ktest\n\
             f      unreachable  why\n\
             g      undecided  one; two\n"
        );
    }
}
