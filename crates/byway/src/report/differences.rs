//! How two builds differ on the tests of a run.

use std::path::Path;

use byway_base::quantity::{grouped, plural};
use byway_rundir::{CombinationsRecord, DifferenceKind, DifferencesRecord, DifferingPart};
use byway_testcase::ktest;

use crate::console::Style;
use crate::report::snippet::visible;
use crate::report::test;

/// Kinds of differences and reasons that are listed; `summary.json` has all.
const MAX_LISTED: usize = 10;

/// The row of the summary, and below it one line for each kind of difference, with the input that
/// shows it. `dir` is the run directory.
pub fn render(record: &DifferencesRecord, dir: &Path, style: Style) -> String {
    let mut out = format!("  {:<13} {}\n", "differences", headline(record));
    for (number, kind) in (1..).zip(record.kinds.iter().take(MAX_LISTED)) {
        out += &difference(number, kind, dir, style);
    }
    out += &more(record.kinds.len(), "kind");
    for (why, &count) in record.not_comparable.iter().take(MAX_LISTED) {
        let tests = plural(count, "test");
        let head = style.warning(format!("{tests} not comparable"));
        out += &format!("    {head}: {}\n", visible(why));
    }
    out += &more(record.not_comparable.len(), "reason");
    if let Some(combinations) = &record.combinations {
        out += &format!("    {}\n", combined(combinations));
        for loss in losses(combinations) {
            out += &format!("    {}\n", style.warning(loss));
        }
    }
    if record.not_run > 0 {
        out += &format!("    {} not run: interrupted\n", plural(record.not_run, "test"));
    }
    out
}

fn headline(record: &DifferencesRecord) -> String {
    let tests = plural(record.compared, "test");
    match record.different {
        0 => format!("none on {tests}"),
        different => {
            let kinds = plural(record.kinds.len() as u64, "kind");
            format!("{} of {tests}, {kinds} (old build → new build)", grouped(different))
        }
    }
}

/// The inputs that were found for both builds together.
fn combined(record: &CombinationsRecord) -> String {
    let CombinationsRecord { combined, completed, extended, infeasible, .. } = *record;
    let parts = [
        (combined, "for two endings at once"),
        (completed, "for an ending of one build"),
        (extended, "with more input for one build"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(n, what)| format!("{} {what}", grouped(*n))).collect();
    let found = match parts.is_empty() {
        true => "none needed".to_string(),
        false => parts.join(", "),
    };
    format!("combinations of endings: {found}; {} infeasible", grouped(infeasible))
}

/// What the search for combinations has not decided.
fn losses(record: &CombinationsRecord) -> Vec<String> {
    let CombinationsRecord { undecided, diverged, unfinished, limited, stopped, .. } = record;
    let counted = [
        (*undecided, "combination", "that the solver could not decide"),
        (*diverged, "input", "with an ending other than solved for"),
        (*unfinished, "run", "of a build without an ending to combine"),
        (*limited, "decision", "whose other cases a limit forbids"),
    ];
    let counted = counted.iter().filter(|(count, ..)| *count > 0);
    let lines = counted.map(|(count, what, which)| format!("{} {which}", plural(*count, what)));
    let stopped = stopped.iter().map(|why| format!("not all combinations decided: {why}"));
    lines.chain(stopped).collect()
}

fn difference(number: usize, kind: &DifferenceKind, dir: &Path, style: Style) -> String {
    let file = dir.join(&kind.first);
    let parts: Vec<String> = kind.parts.iter().map(part).collect();
    let (parts, tests) = (parts.join("; "), plural(kind.tests, "test"));
    let mut out = format!("    {number} {parts}: on {tests}, first {}\n", file.display());
    if let Ok(input) = ktest::read(&file) {
        let lines = test::render_input(&input, style);
        out += &lines.lines().map(|line| format!("      {line}\n")).collect::<String>();
    }
    out
}

/// A part that differs, in a line.
pub fn part(part: &DifferingPart) -> String {
    let DifferingPart { part, old, new, offset } = part;
    let (old, new) = (visible(old), visible(new));
    match offset {
        Some(offset) => format!("{part} from byte {offset} on {old} → {new}"),
        None => format!("{old} → {new}"),
    }
}

fn more(count: usize, what: &str) -> String {
    match count.saturating_sub(MAX_LISTED) {
        0 => String::new(),
        more => {
            format!("    and {}: see summary.json\n", plural(more as u64, &format!("more {what}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_listed() {
        let part = |part: &str, old: &str, new: &str, offset| DifferingPart {
            part: part.into(),
            old: old.into(),
            new: new.into(),
            offset,
        };
        let record = DifferencesRecord {
            compared: 41,
            different: 3,
            kinds: vec![DifferenceKind {
                tests: 3,
                first: "tests/000004.ktest".into(),
                parts: vec![
                    part("ending", "exit code 0", "exit code 1", None),
                    part("standard output", "\"a\"", "nothing", Some(5)),
                ],
            }],
            not_comparable: [("the old build excludes the input".to_string(), 2)].into(),
            not_run: 1,
            combinations: Some(CombinationsRecord {
                combined: 4,
                completed: 1,
                infeasible: 1200,
                undecided: 2,
                stopped: Some("the limit on time".into()),
                ..CombinationsRecord::default()
            }),
        };
        assert_eq!(
            render(&record, Path::new("out"), Style::new(false)),
            "  differences   3 of 41 tests, 1 kind (old build → new build)\n    \
             1 exit code 0 → exit code 1; standard output from byte 5 on \"a\" → nothing: on 3 \
             tests, first out/tests/000004.ktest\n    \
             2 tests not comparable: the old build excludes the input\n    \
             combinations of endings: 4 for two endings at once, 1 for an ending of one build; 1,200 \
             infeasible\n    \
             2 combinations that the solver could not decide\n    \
             not all combinations decided: the limit on time\n    \
             1 test not run: interrupted\n"
        );
        let none = DifferencesRecord { compared: 7, ..DifferencesRecord::default() };
        assert_eq!(
            render(&none, Path::new("out"), Style::new(false)),
            "  differences   none on 7 tests\n"
        );
    }
}
