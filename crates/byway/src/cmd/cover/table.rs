//! What was measured, on a terminal.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::path::Path;

use crate::cmd::cover::report::{FileReport, Report, Share};
use crate::report::Style;
use byway_base::quantity::{percent, plural};

/// How many tests or lines are named.
const NAMED: usize = 8;

/// What is told beside the report.
pub struct Facts<'a> {
    /// The run.
    pub run: &'a Path,
    /// How the program was built.
    pub how: &'a str,
    /// How many tests were measured.
    pub measured: u64,
    /// Those that were not, by why.
    pub lost: &'a BTreeMap<String, Vec<u64>>,
    /// What of the program is not measured.
    pub missing: &'a [String],
    /// Whether the user stopped it.
    pub stopped: bool,
}

/// The table.
pub fn render(report: &Report, facts: &Facts<'_>, style: Style) -> String {
    let mut out = String::new();
    // Writing into a string cannot fail.
    let _ = write(&mut out, report, facts, style);
    out
}

fn write(out: &mut String, report: &Report, facts: &Facts<'_>, style: Style) -> fmt::Result {
    let tests = plural(facts.measured, "test");
    let shown = facts.run.display();
    writeln!(out, "{} of '{shown}', measured with {}", style.strong(tests), facts.how)?;
    if facts.stopped {
        writeln!(out, "{}", style.warning("stopped: not all tests were measured"))?;
    }
    writeln!(out)?;
    let width = report.files.iter().map(|file| file.name.chars().count()).max().unwrap_or(0);
    let width = width.clamp(5, 60);
    let heads = ["lines", "branch sides", "functions"];
    let head = heads.map(|head| format!("{head:>22}")).concat();
    writeln!(out, "  {:width$}{}", "", style.dim(head))?;
    for file in &report.files {
        let shares = [file.line_share(), file.side_share(), file.function_share()];
        row(out, &file.name, width, shares)?;
    }
    if report.files.len() != 1 {
        row(out, "total", width, [report.lines(), report.sides(), report.functions()])?;
    }
    reasons(out, report, style)?;
    differences(out, report, style)?;
    if !facts.lost.is_empty() || !facts.missing.is_empty() {
        writeln!(out, "\n{}", style.strong("not measured:"))?;
    }
    for (why, tests) in facts.lost {
        writeln!(out, "  {}  {why}", named(tests, |test| format!("{test:06}")))?;
    }
    for what in facts.missing {
        writeln!(out, "  {what}")?;
    }
    for file in &report.files {
        if let Err(why) = &file.text {
            writeln!(out, "\n{}: '{}': {why}", style.warning("byway: warning"), file.name)?;
        }
    }
    Ok(())
}

fn row(out: &mut String, name: &str, width: usize, shares: [Share; 3]) -> fmt::Result {
    let cell = |share: Share| match share.total {
        0 => format!("{:>22}", "none"),
        total => {
            let part = format!("{} of {total}", share.covered);
            format!("{part:>14} {:>7}", percent(share.covered, total))
        }
    };
    writeln!(out, "  {name:width$}{}", shares.map(cell).concat())
}

fn reasons(out: &mut String, report: &Report, style: Style) -> fmt::Result {
    let sides = report.sides();
    if sides.total == sides.covered || !report.has_reasons {
        return Ok(());
    }
    let missing = plural(sides.total - sides.covered, "branch side");
    writeln!(out, "\n{}", style.strong(format!("{missing} not taken:")))?;
    for (why, count) in report.reasons() {
        writeln!(out, "  {count:>6}  {}", why.name())?;
    }
    Ok(())
}

fn differences(out: &mut String, report: &Report, style: Style) -> fmt::Result {
    let all: Vec<(&FileReport, _)> =
        report.files.iter().map(|file| (file, file.differences())).collect();
    let count = |of: fn(&(Vec<u32>, Vec<u32>)) -> usize| -> u64 {
        all.iter().map(|(_, differences)| of(differences) as u64).sum()
    };
    let (only_here, only_live) = (count(|it| it.0.len()), count(|it| it.1.len()));
    if only_here + only_live == 0 {
        return writeln!(out, "\nThe engine's own account of lines agrees.");
    }
    writeln!(out, "\n{}", style.strong("the engine's own account of lines differs:"))?;
    for (file, (only_here, only_live)) in &all {
        for (lines, what) in [
            (only_here, "run natively, not by the engine's account"),
            (only_live, "run by the engine's account, not natively"),
        ] {
            if !lines.is_empty() {
                let numbers = named(lines, u32::to_string);
                writeln!(out, "  {}: {numbers}  {what}", file.name)?;
            }
        }
    }
    Ok(())
}

fn named<T>(all: &[T], name: impl Fn(&T) -> String) -> String {
    let shown: Vec<String> = all.iter().take(NAMED).map(name).collect();
    match all.len().saturating_sub(NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
