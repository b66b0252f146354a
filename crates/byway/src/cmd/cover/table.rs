//! The coverage as a table for the terminal.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::path::Path;

use crate::cmd::cover::report::{CoveredShare, FileReport, NativeReport};
use crate::console::Style;
use byway_base::quantity::{percent, plural};

/// The number of tests or lines that are listed; the rest is counted.
const NAMED: usize = 8;

/// Information about the measurement.
pub struct MeasureInfo<'a> {
    pub run: &'a Path,
    /// A description of the build.
    pub how: &'a str,
    /// The number of measured tests.
    pub measured: u64,
    /// Tests without counters, by reason.
    pub unmeasured: &'a BTreeMap<String, Vec<u64>>,
    /// Parts of the program that are not measured.
    pub missing: &'a [String],
    /// The user interrupted the measurement.
    pub interrupted: bool,
}

/// Renders the table.
pub fn render(report: &NativeReport, facts: &MeasureInfo<'_>, style: Style) -> String {
    let mut out = String::new();
    // Writing into a string cannot fail.
    let _ = write(&mut out, report, facts, style);
    out
}

fn write(
    out: &mut String,
    report: &NativeReport,
    facts: &MeasureInfo<'_>,
    style: Style,
) -> fmt::Result {
    let tests = plural(facts.measured, "test");
    let shown = facts.run.display();
    writeln!(out, "{} of '{shown}', measured with {}", style.strong(tests), facts.how)?;
    if facts.interrupted {
        writeln!(out, "{}", style.warning("interrupted: not all tests were measured"))?;
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
    if !facts.unmeasured.is_empty() || !facts.missing.is_empty() {
        writeln!(out, "\n{}", style.strong("not measured:"))?;
    }
    for (why, tests) in facts.unmeasured {
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

fn row(out: &mut String, name: &str, width: usize, shares: [CoveredShare; 3]) -> fmt::Result {
    let cell = |share: CoveredShare| match share.total {
        0 => format!("{:>22}", "none"),
        total => {
            let part = format!("{} of {total}", share.covered);
            format!("{part:>14} {:>7}", percent(share.covered, total))
        }
    };
    writeln!(out, "  {name:width$}{}", shares.map(cell).concat())
}

fn reasons(out: &mut String, report: &NativeReport, style: Style) -> fmt::Result {
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

fn differences(out: &mut String, report: &NativeReport, style: Style) -> fmt::Result {
    let all: Vec<(&FileReport, _)> =
        report.files.iter().map(|file| (file, file.differences())).collect();
    let count = |of: fn(&(Vec<u32>, Vec<u32>)) -> usize| -> u64 {
        all.iter().map(|(_, differences)| of(differences) as u64).sum()
    };
    let (only_here, only_live) = (count(|it| it.0.len()), count(|it| it.1.len()));
    if only_here + only_live == 0 {
        return writeln!(out, "\nThe engine recorded the same lines as covered.");
    }
    writeln!(out, "\n{}", style.strong("lines covered natively and on the engine differ:"))?;
    for (file, (only_here, only_live)) in &all {
        for (lines, what) in [
            (only_here, "covered natively, not on the engine"),
            (only_live, "covered on the engine, not natively"),
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
