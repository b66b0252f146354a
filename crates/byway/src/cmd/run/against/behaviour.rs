//! How a build behaves on a test, and how two behaviours differ.

use byway_base::Outcome;
use byway_base::quantity::{grouped, plural};
use byway_rundir::DifferingPart;

use crate::report::Sources;
use crate::rerun::{MissingInput, Rerun};

/// The result of running a test on both builds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TestComparison {
    Same,
    Different(Vec<DifferingPart>),
    /// The reason, for the user.
    NotComparable(String),
}

/// Compares the runs of a test on the old and on the new build.
pub fn compare(old: &Rerun, new: &Rerun) -> TestComparison {
    let reason = obstacle("old", old).or_else(|| obstacle("new", new));
    if let Some(reason) = reason {
        return TestComparison::NotComparable(reason);
    }
    if old.outcome == Outcome::OutOfBudget && new.outcome == Outcome::OutOfBudget {
        let reason =
            format!("neither build ends within {} instructions", grouped(new.instructions));
        return TestComparison::NotComparable(reason);
    }
    let mut parts = Vec::new();
    if !same_ending(&old.outcome, &new.outcome) {
        let (old, new) = (ending(old), ending(new));
        parts.push(DifferingPart { part: ENDING.into(), old, new, offset: None });
    }
    // A build that ends early lacks the output behind that, which is no difference of its own.
    let is_early = |run: &Rerun| !matches!(run.outcome, Outcome::Exit(_));
    if parts.is_empty() || !is_early(old) && !is_early(new) {
        parts.extend(stream("standard output", &old.stdout, &new.stdout));
        parts.extend(stream("standard error", &old.stderr, &new.stderr));
    }
    match parts.is_empty() {
        true => TestComparison::Same,
        false => TestComparison::Different(parts),
    }
}

/// What identifies a kind of difference: the endings, and which streams differ.
pub fn kind(parts: &[DifferingPart]) -> Vec<String> {
    let key = |it: &DifferingPart| match it.part.as_str() {
        ENDING => format!("{} {}", it.old, it.new),
        _ => it.part.clone(),
    };
    parts.iter().map(key).collect()
}

/// The name of the part that is the outcome.
const ENDING: &str = "ending";

/// Why a run of a build shows nothing about the test.
fn obstacle(build: &str, run: &Rerun) -> Option<String> {
    match &run.missing_input {
        Some(MissingInput { name, size, given: Some(given) }) => {
            let (size, given) = (plural(*size, "byte"), plural(*given, "byte"));
            return Some(format!("input '{name}' has {size} in the {build} build, not {given}"));
        }
        Some(MissingInput { name, size, given: None }) => {
            let size = plural(*size, "byte");
            return Some(format!(
                "the {build} build asks for input '{name}' of {size}, which the test does not have"
            ));
        }
        None => {}
    }
    match &run.outcome {
        Outcome::Exit(_) | Outcome::Fault(_) | Outcome::OutOfBudget | Outcome::Interrupted => None,
        Outcome::Excluded => Some(format!("the {build} build excludes the input")),
        Outcome::Unsupported(it) => {
            Some(format!("the {build} build needs an unsupported feature: {}", it.feature))
        }
        Outcome::InternalError(it) => {
            Some(format!("a bug in Byway ends the {build} build: {}", it.kind))
        }
        Outcome::Dropped(_) => Some(format!("the run of the {build} build was dropped")),
    }
}

fn same_ending(old: &Outcome, new: &Outcome) -> bool {
    match (old, new) {
        // Only the low byte is passed on, as by any process.
        (Outcome::Exit(old), Outcome::Exit(new)) => *old as u8 == *new as u8,
        (Outcome::Fault(old), Outcome::Fault(new)) => old.identity() == new.identity(),
        _ => false,
    }
}

/// An ending in a few words.
fn ending(run: &Rerun) -> String {
    match &run.outcome {
        Outcome::Exit(code) => format!("exit code {}", *code as u8),
        Outcome::Fault(fault) => {
            let at = fault.culprit().map_or(String::new(), |frame| match &frame.loc {
                Some(loc) => format!(" at {}", Sources::new().location(loc)),
                None => format!(" in function '{}'", frame.function),
            });
            format!("{}{at}", fault.kind)
        }
        _ => format!("no end within {} instructions", grouped(run.instructions)),
    }
}

/// Bytes of a stream that are shown.
const EXCERPT: usize = 40;

fn stream(name: &str, old: &[u8], new: &[u8]) -> Option<DifferingPart> {
    let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    if same == old.len() && same == new.len() {
        return None;
    }
    let excerpt = |bytes: &[u8]| match &bytes[same..] {
        [] => "nothing".to_string(),
        rest if rest.len() <= EXCERPT => format!("\"{}\"", rest.escape_ascii()),
        rest => format!("\"{}...\"", rest[..EXCERPT].escape_ascii()),
    };
    let (old, new) = (excerpt(old), excerpt(new));
    Some(DifferingPart { part: name.into(), old, new, offset: Some(same as u64) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::{Fault, FaultKind, SrcLoc, StackFrame};

    fn exit(code: i32, stdout: &str) -> Rerun {
        Rerun {
            outcome: Outcome::Exit(code),
            instructions: 1000,
            stdout: stdout.into(),
            stderr: Vec::new(),
            on_path: true,
            missing_input: None,
            covered: Vec::new(),
            not_modelled: Vec::new(),
        }
    }

    fn fault(kind: FaultKind, line: u32, message: &str, stdout: &str) -> Rerun {
        let loc = Some(SrcLoc { file: "/s/a.c".into(), line, column: 3 });
        let stack = vec![StackFrame { function: "f".into(), loc, user: true, arguments: vec![] }];
        let fault = Fault { kind, message: message.into(), stack, notes: Vec::new() };
        Rerun { outcome: Outcome::Fault(Box::new(fault)), ..exit(0, stdout) }
    }

    fn shown(old: &Rerun, new: &Rerun) -> Vec<String> {
        match compare(old, new) {
            TestComparison::Same => Vec::new(),
            TestComparison::NotComparable(why) => vec![why],
            TestComparison::Different(parts) => {
                let text = |it: &DifferingPart| format!("{}: {} -> {}", it.part, it.old, it.new);
                parts.iter().map(text).collect()
            }
        }
    }

    #[test]
    fn exit_codes_and_streams_are_compared() {
        assert!(shown(&exit(0, "a"), &exit(256, "a")).is_empty());
        assert_eq!(shown(&exit(0, ""), &exit(3, "")), ["ending: exit code 0 -> exit code 3"]);
        assert_eq!(
            shown(&exit(0, "ok x\n"), &exit(1, "ok")),
            ["ending: exit code 0 -> exit code 1", r#"standard output: " x\n" -> nothing"#]
        );
    }

    #[test]
    fn a_fault_is_known_by_its_function() {
        let kind = FaultKind::OutOfBounds;
        let old = fault(kind, 7, "4 bytes at offset 8", "x");
        assert!(shown(&old, &fault(kind, 9, "4 bytes at offset 12", "x")).is_empty());
        assert_eq!(
            shown(&old, &fault(FaultKind::DivisionByZero, 9, "", "y")),
            ["ending: out-of-bounds at /s/a.c:7:3 -> division-by-zero at /s/a.c:9:3"]
        );
        assert_eq!(
            shown(&exit(0, "printed"), &old),
            ["ending: exit code 0 -> out-of-bounds at /s/a.c:7:3"]
        );
        let assert = |message| fault(FaultKind::AssertFailed, 7, message, "");
        assert_eq!(shown(&assert("x > 0"), &assert("x > 0")).len(), 0);
        assert_eq!(shown(&assert("x > 0"), &assert("y > 0")).len(), 1);
    }

    #[test]
    fn a_run_without_end_differs_from_one_that_ends() {
        let endless = Rerun { outcome: Outcome::OutOfBudget, ..exit(0, "") };
        assert_eq!(
            shown(&exit(0, ""), &endless),
            ["ending: exit code 0 -> no end within 1,000 instructions"]
        );
        assert_eq!(shown(&endless, &endless), ["neither build ends within 1,000 instructions"]);
    }

    #[test]
    fn other_inputs_are_not_comparable() {
        let missing = |given| Rerun {
            missing_input: Some(MissingInput { name: "y".into(), size: 4, given }),
            ..exit(0, "")
        };
        assert_eq!(
            shown(&missing(None), &exit(0, "")),
            ["the old build asks for input 'y' of 4 bytes, which the test does not have"]
        );
        assert_eq!(
            shown(&exit(0, ""), &missing(Some(1))),
            ["input 'y' has 4 bytes in the new build, not 1 byte"]
        );
        let excluded = Rerun { outcome: Outcome::Excluded, ..exit(0, "") };
        assert_eq!(shown(&excluded, &exit(0, "")), ["the old build excludes the input"]);
    }

    #[test]
    fn bytes_do_not_make_a_kind() {
        let parts = |text| match compare(&exit(0, "1"), &exit(0, text)) {
            TestComparison::Different(parts) => kind(&parts),
            other => panic!("{other:?}"),
        };
        assert_eq!(parts("2"), parts("3"));
        assert_eq!(parts("2"), ["standard output"]);
    }
}
