//! `lcov.info`, which many tools read. Its counts are the numbers of tests, not of executions.

use std::fmt::{self, Write};

use crate::cmd::cover::report::{FileReport, NativeReport};

/// The report in lcov's format.
pub fn render(report: &NativeReport) -> String {
    let mut out = String::new();
    // Writing into a string cannot fail.
    let _ = report.files.iter().try_for_each(|file| write(&mut out, file));
    out
}

fn write(out: &mut String, file: &FileReport) -> fmt::Result {
    let path = file.path.as_ref().map_or(file.name.clone(), |path| path.display().to_string());
    // A name takes one line, so line breaks in it are replaced.
    writeln!(out, "TN:byway\nSF:{}", path.replace(['\n', '\r'], "?"))?;
    for function in &file.functions {
        writeln!(out, "FN:{},{}", function.line, function.name)?;
    }
    for function in &file.functions {
        writeln!(out, "FNDA:{},{}", function.hits.tests, function.name)?;
    }
    let functions = file.function_share();
    writeln!(out, "FNF:{}\nFNH:{}", functions.total, functions.covered)?;
    for (number, line) in &file.lines {
        for (branch, sides) in line.branches.iter().enumerate() {
            let reached = sides.iter().any(|side| side.is_covered());
            for (side, hits) in sides.iter().enumerate() {
                let taken = if reached { hits.tests.to_string() } else { "-".into() };
                writeln!(out, "BRDA:{number},{branch},{side},{taken}")?;
            }
        }
    }
    let sides = file.side_share();
    writeln!(out, "BRF:{}\nBRH:{}", sides.total, sides.covered)?;
    for (number, line) in &file.lines {
        writeln!(out, "DA:{number},{}", line.hits.tests)?;
    }
    let lines = file.line_share();
    writeln!(out, "LF:{}\nLH:{}\nend_of_record", lines.total, lines.covered)
}
