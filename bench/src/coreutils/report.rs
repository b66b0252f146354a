//! The results of all command lines, as Markdown: a row per tool, then differences,
//! then unsupported features, most frequent first.

use std::collections::{BTreeMap, BTreeSet};

use super::commands::ToolCommand;
use crate::checks::SuiteTally;

/// The number of command lines by result.
#[derive(Default)]
struct ExecRow {
    lines: usize,
    mismatch: usize,
    unsupported: usize,
}

/// The report.
pub fn report(lines: &[ToolCommand], tally: &SuiteTally) -> String {
    let rows = rows(lines, tally);
    let mut out = "| tool | command lines | agree | mismatch | unsupported |\n\
                   | --- | --- | --- | --- | --- |\n"
        .to_owned();
    let mut all = ExecRow::default();
    for (tool, row) in &rows {
        out.push_str(&cells(tool, row));
        all.lines += row.lines;
        all.mismatch += row.mismatch;
        all.unsupported += row.unsupported;
    }
    out.push_str(&cells(&format!("all {}", rows.len()), &all));
    if !tally.mismatches.is_empty() {
        out.push_str("\nMismatches:\n\n");
    }
    for (line, difference, _) in &tally.mismatches {
        out.push_str(&format!("- `{line}`: {difference}\n"));
    }
    lacking(&mut out, lines, tally);
    out
}

fn rows<'a>(lines: &'a [ToolCommand], tally: &SuiteTally) -> BTreeMap<&'a str, ExecRow> {
    let mismatches: BTreeSet<&str> =
        tally.mismatches.iter().map(|(name, _, _)| name.as_str()).collect();
    let unsupported: BTreeSet<&str> =
        tally.skipped.values().flatten().map(String::as_str).collect();
    let mut rows: BTreeMap<&str, ExecRow> = BTreeMap::new();
    for line in lines {
        let row = rows.entry(&line.tool).or_default();
        row.lines += 1;
        row.mismatch += usize::from(mismatches.contains(line.text.as_str()));
        row.unsupported += usize::from(unsupported.contains(line.text.as_str()));
    }
    rows
}

fn cells(name: &str, row: &ExecRow) -> String {
    let ExecRow { lines, mismatch, unsupported } = row;
    let agree = lines - mismatch - unsupported;
    format!("| {name} | {lines} | {agree} | {mismatch} | {unsupported} |\n")
}

/// Unsupported features by name, with the tools that need them.
fn lacking(out: &mut String, lines: &[ToolCommand], tally: &SuiteTally) {
    if tally.skipped.is_empty() {
        return;
    }
    out.push_str("\nUnsupported, by how many command lines want it:\n\n");
    let tool_of: BTreeMap<&str, &str> =
        lines.iter().map(|line| (line.text.as_str(), line.tool.as_str())).collect();
    let mut reasons: Vec<_> = tally.skipped.iter().collect();
    reasons.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    for (reason, names) in reasons {
        let tools: BTreeSet<&str> =
            names.iter().filter_map(|name| tool_of.get(name.as_str()).copied()).collect();
        let tools = tools.into_iter().collect::<Vec<_>>().join(", ");
        out.push_str(&format!("- {} × {reason}: {tools}\n", names.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::super::commands;
    use super::*;
    use crate::checks::CheckVerdict;

    #[test]
    fn tools_are_counted_and_reasons_sorted() {
        let commands = commands::parse("cat a\ncat b\ncat c\nls\nwc\n").expect("commands");
        let mut tally = SuiteTally::default();
        tally.add("cat a", CheckVerdict::Agree);
        let differs = CheckVerdict::Mismatch { difference: "x".into(), reproduce: String::new() };
        tally.add("cat b", differs);
        tally.add("cat c", CheckVerdict::Skipped("a rare thing".into()));
        tally.add("ls", CheckVerdict::Skipped("files".into()));
        tally.add("wc", CheckVerdict::Skipped("files".into()));
        let report = report(&commands.lines, &tally);
        assert!(report.contains("| cat | 3 | 1 | 1 | 1 |"), "{report}");
        assert!(report.contains("| all 3 | 5 | 1 | 1 | 3 |"), "{report}");
        let order = report.find("2 × files: ls, wc").zip(report.find("1 × a rare thing: cat"));
        assert!(order.is_some_and(|(first, second)| first < second), "{report}");
    }
}
