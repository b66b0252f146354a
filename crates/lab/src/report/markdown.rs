//! The report as Markdown.

use std::fmt::Write;

use super::notes::ReportNotes;
use super::table::Table;
use super::tables;
use crate::findings::Findings;

/// Renders the report.
pub fn render(findings: &Findings<'_>, notes: &ReportNotes) -> String {
    let experiment = findings.experiment;
    let mut out = format!("# {}\n", escaped(&experiment.name));
    let description = Some(&experiment.description).filter(|text| !text.is_empty());
    for line in description.into_iter().chain(&notes.lines) {
        let _ = write!(out, "\n{}\n", escaped(line));
    }
    for warning in &notes.warnings {
        let _ = write!(out, "\n> {}\n", escaped(&warning.replace('\n', " ")));
    }
    tables::all(findings).iter().for_each(|table| write_table(&mut out, table));
    out.push_str("\nThe curves are in report.html.\n");
    out
}

fn write_table(out: &mut String, table: &Table) {
    let _ = write!(out, "\n## {}\n", table.title);
    if !table.note.is_empty() {
        let _ = write!(out, "\n{}\n", escaped(&table.note));
    }
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    out.push('\n');
    out.push_str(&row(table.head.iter().map(|head| escaped(head)).collect()));
    let side = if table.words { "---|" } else { "---:|" };
    out.push_str(&format!("|---|{}\n", side.repeat(table.head.len() - 1)));
    for cells in &table.rows {
        let cells = cells.iter().map(|cell| match cell.strong && !cell.text.is_empty() {
            true => format!("**{}**", escaped(&cell.text)),
            false => escaped(&cell.text),
        });
        out.push_str(&row(cells.collect()));
    }
}

/// Escapes characters that have a meaning in Markdown.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        if matches!(character, '|' | '*' | '_' | '<' | '\\') {
            out.push('\\');
        }
        out.push(if character == '\n' { ' ' } else { character });
    }
    out
}
