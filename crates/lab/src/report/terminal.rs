//! The report in short, for the terminal.

use super::notes::ReportNotes;
use super::table::Table;
use super::tables;
use crate::findings::Findings;

/// Renders the notes and the table of coverage.
pub fn render(findings: &Findings<'_>, notes: &ReportNotes) -> String {
    let mut out = format!("{}: {}\n", findings.experiment.name, notes.lines.join("\n"));
    for warning in &notes.warnings {
        out.push_str(&format!("warning: {warning}\n"));
    }
    out.push('\n');
    out.push_str(&aligned(&tables::distribution(findings)));
    out
}

fn aligned(table: &Table) -> String {
    let length = |text: &str| text.chars().count();
    let width = |column: usize| {
        let cells = table.rows.iter().map(|row| length(&row[column].text));
        cells.chain([length(&table.head[column])]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.head.len()).map(width).collect();
    let line = |cells: Vec<&str>| {
        let cells = cells.iter().zip(&widths).enumerate().map(|(column, (text, &width))| {
            let space = " ".repeat(width - length(text));
            if column == 0 { format!("{text}{space}") } else { format!("{space}{text}") }
        });
        format!("  {}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    let head = line(table.head.iter().map(String::as_str).collect());
    let rows = table.rows.iter().map(|row| line(row.iter().map(|it| it.text.as_str()).collect()));
    head + &rows.collect::<String>()
}
