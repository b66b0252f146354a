//! `lcov.info`, which many tools read. Its counts are of tests, not of executions: how many
//! tests run a line.

use std::fmt::{self, Write};

use crate::cmd::cover::report::{FileReport, Report};

/// The report in lcov's format.
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    // Writing into a string cannot fail.
    let _ = report.files.iter().try_for_each(|file| write(&mut out, file));
    out
}

fn write(out: &mut String, file: &FileReport) -> fmt::Result {
    let path = file.path.as_ref().map_or(file.name.clone(), |path| path.display().to_string());
    // A name is a line of its own: what would break that cannot be told.
    writeln!(out, "TN:byway\nSF:{}", path.replace(['\n', '\r'], "?"))?;
    for function in &file.functions {
        writeln!(out, "FN:{},{}", function.line, function.name)?;
    }
    for function in &file.functions {
        writeln!(out, "FNDA:{},{}", function.seen.tests, function.name)?;
    }
    let functions = file.function_share();
    writeln!(out, "FNF:{}\nFNH:{}", functions.total, functions.covered)?;
    for (number, line) in &file.lines {
        for (branch, sides) in line.branches.iter().enumerate() {
            let reached = sides.iter().any(|side| side.is_covered());
            for (side, seen) in sides.iter().enumerate() {
                let taken = if reached { seen.tests.to_string() } else { "-".into() };
                writeln!(out, "BRDA:{number},{branch},{side},{taken}")?;
            }
        }
    }
    let sides = file.side_share();
    writeln!(out, "BRF:{}\nBRH:{}", sides.total, sides.covered)?;
    for (number, line) in &file.lines {
        writeln!(out, "DA:{number},{}", line.seen.tests)?;
    }
    let lines = file.line_share();
    writeln!(out, "LF:{}\nLH:{}\nend_of_record", lines.total, lines.covered)
}
