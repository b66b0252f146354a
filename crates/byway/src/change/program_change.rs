//! The change that a run explores: `--changed FILE:LINE[-LINE]` and `--since REV`.

use std::collections::BTreeSet;

use byway_engine::{ChangedCode, ChangedLines, TargetIndex};
use byway_ir::Module;

use super::diffed::{DiffedFile, DiffedProgram};
use crate::failure::{Failure, Result};

/// The lines of a change that have code.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ProgramChange {
    lines: ChangedLines,
}

impl ProgramChange {
    /// Whether no line with code is touched.
    pub fn is_empty(&self) -> bool {
        self.lines == ChangedLines::default()
    }

    /// The lines that changed, as `PATH:LINE`.
    pub fn changed(&self) -> Vec<String> {
        texts(&self.lines.changed)
    }

    /// The first lines with code behind removed code, as `PATH:LINE`.
    pub fn after_removed(&self) -> Vec<String> {
        texts(&self.lines.after_removed)
    }

    /// The paths of the files with these lines.
    pub fn files(&self) -> BTreeSet<&str> {
        let all = self.lines.changed.iter().chain(&self.lines.after_removed);
        all.map(|(file, _)| file.as_str()).collect()
    }

    /// The code of these lines.
    pub fn code(&self, module: &Module) -> ChangedCode {
        ChangedCode::new(module, &self.lines)
    }

    /// Adds the lines of a text, `FILE:LINE` or `FILE:FIRST-LAST`.
    pub fn add_range(&mut self, text: &str, index: &TargetIndex) -> Result<()> {
        let failed = |why: String| Failure::new(format!("--changed {text}: {why}"));
        let (file, first, last) = parse(text).map_err(failed)?;
        let lines: Vec<u32> =
            index.lines_of(file).into_iter().filter(|it| (first..=last).contains(it)).collect();
        let initialisers = index.initialisers_in(file, &(first..=last));
        if lines.is_empty() && initialisers.is_empty() {
            // The error names the nearest lines with code.
            let why = index.line(file, first).err().unwrap_or_default();
            return Err(failed(why));
        }
        self.add_lines(file, &lines, &initialisers, index).map_err(failed)
    }

    /// Adds the lines of a diff.
    pub fn add_diff(&mut self, diffed: &DiffedProgram, index: &TargetIndex) -> Result<()> {
        for DiffedFile { name, lines, initialisers, after_removed, .. } in &diffed.files {
            self.add_lines(name, lines, initialisers, index).map_err(Failure::new)?;
            for &line in after_removed {
                let target = index.line(name, line).map_err(Failure::new)?;
                self.lines.after_removed.extend(target.lines);
            }
        }
        Ok(())
    }

    /// Adds lines that have code, and those where globals with changed values are declared.
    fn add_lines(
        &mut self,
        file: &str,
        lines: &[u32],
        initialisers: &[u32],
        index: &TargetIndex,
    ) -> std::result::Result<(), String> {
        for &line in lines {
            self.lines.changed.extend(index.line(file, line)?.lines);
        }
        if let Some(path) = index.closest_file(file) {
            self.lines.changed.extend(initialisers.iter().map(|&line| (path.to_owned(), line)));
        }
        Ok(())
    }
}

fn texts(lines: &BTreeSet<(String, u32)>) -> Vec<String> {
    lines.iter().map(|(path, line)| format!("{path}:{line}")).collect()
}

/// The file, the first and the last line.
fn parse(text: &str) -> std::result::Result<(&str, u32, u32), String> {
    let no_range = || "write FILE:LINE or FILE:FIRST-LAST".to_string();
    let (file, lines) = text.rsplit_once(':').ok_or_else(no_range)?;
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let number = |text: &str| text.parse::<u32>().ok().filter(|&line| line > 0);
    match (number(first), number(last)) {
        _ if file.is_empty() => Err(no_range()),
        (Some(first), Some(last)) if first <= last => Ok((file, first, last)),
        (Some(_), Some(_)) => Err("the last line is before the first".to_string()),
        _ => Err(no_range()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_parsed() {
        assert_eq!(parse("a.c:3"), Ok(("a.c", 3, 3)));
        assert_eq!(parse("x:y/a-b.c:3-7"), Ok(("x:y/a-b.c", 3, 7)));
        for text in
            ["", "a.c", ":3", "a.c:", "a.c:0", "a.c:3-", "a.c:-3", "a.c:x", "a.c:3-99999999999"]
        {
            assert_eq!(parse(text), Err("write FILE:LINE or FILE:FIRST-LAST".into()), "{text}");
        }
        assert_eq!(parse("a.c:7-3"), Err("the last line is before the first".into()));
    }

    const PROGRAM: &str = r#"bwir 1
module "test"

func user @f(v0:i32) -> i32 !scope0 {
b0:
  v1:i32 = add v0, 1:i32 !loc0
  ret v1 !loc1
}

global user @table size 4 align 4 !loc2 = {
  x"01000000"
}

file0 = "/src" "a.c"

scope0 = "f" file0 line 2

loc0 = file0 4:1 scope0
loc1 = file0 8:1 scope0
loc2 = file0 12:1 scope0
"#;

    fn changed(text: &str) -> Result<Vec<String>> {
        let module = byway_ir::text::parse(PROGRAM).expect("it parses");
        let mut change = ProgramChange::default();
        change.add_range(text, &TargetIndex::new(&module))?;
        assert!(change.code(&module) != ChangedCode::default());
        Ok(change.changed())
    }

    #[test]
    fn lines_with_code_are_changed() {
        let lines = |text| changed(text).expect("lines with code");
        assert_eq!(lines("a.c:3-5"), ["/src/a.c:4"]);
        assert_eq!(lines("src/a.c:4-8"), ["/src/a.c:4", "/src/a.c:8"]);
        assert_eq!(lines("a.c:2"), ["/src/a.c:2"]);
        // A table from line 12 on.
        assert_eq!(lines("a.c:14"), ["/src/a.c:12"]);
        let refused = |text| changed(text).expect_err("no lines").to_string();
        assert_eq!(
            refused("a.c:5-7"),
            "--changed a.c:5-7: a.c:5 has no code; the nearest lines that do are a.c:2, a.c:4, a.c:8"
        );
        assert!(refused("b.c:5").contains("no code of a file b.c"));
    }
}
