//! Which lines of a program a diff touches.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use byway_base::quantity::plural;
use byway_engine::TargetIndex;

use crate::failure::Result;
use crate::git::{self, Changes, FileDiff, Hunk};

/// Names in a message; more are counted.
const MAX_NAMES: usize = 8;

/// What stands for code that was removed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RemovedCode {
    /// The line before it, which is executed next to the change, as a changed line.
    LineBefore,
    /// The first line with code behind it, listed apart.
    FirstBehind,
}

/// The lines of a program that a diff touches, and what it has besides.
#[derive(Default, Debug)]
pub struct DiffedProgram {
    pub files: Vec<DiffedFile>,
    /// Changed lines of the program's files without code, as `FILE:LINE` or `FILE:FIRST-LAST`.
    without_code: Vec<String>,
    /// Changed files that are not part of the program.
    other_files: Vec<String>,
}

/// A changed file of the program.
#[derive(Debug)]
pub struct DiffedFile {
    /// Its path in the repository.
    pub shown: String,
    /// Its name for a [`TargetIndex`].
    pub name: String,
    /// Changed lines that have code.
    pub lines: Vec<u32>,
    /// Where globals are declared whose initial values changed.
    pub initialisers: Vec<u32>,
    /// The first lines with code behind removed code.
    pub after_removed: Vec<u32>,
}

/// What changed since a revision around a program; `sources` are its files as the user gave them.
pub fn changed_since(sources: &[PathBuf], revision: &str) -> Result<Changes> {
    let directory = sources.first().and_then(|path| path.parent());
    let directory = directory.filter(|path| !path.as_os_str().is_empty());
    git::changed_since(directory.unwrap_or(Path::new(".")), revision)
}

impl DiffedProgram {
    /// The lines of a program, the new side of the changes.
    pub fn new(changes: &Changes, index: &TargetIndex, removed: RemovedCode) -> DiffedProgram {
        let mut found = DiffedProgram::default();
        for file in &changes.files {
            let Some(path) = &file.new else { continue };
            // Debug information may name the file through a link.
            let names = [changes.root.join(path), path.clone()];
            let names = names.map(|name| name.to_string_lossy().into_owned());
            let shown = path.display().to_string();
            match names.into_iter().find(|name| !index.lines_of(name).is_empty()) {
                Some(name) => found.add(file, shown, name, index, removed),
                // Files that programs leave behind, such as a run directory.
                None if file.is_untracked() => {}
                None => found.other_files.push(shown),
            }
        }
        found
    }

    fn add(
        &mut self,
        file: &FileDiff,
        shown: String,
        name: String,
        index: &TargetIndex,
        removed: RemovedCode,
    ) {
        let code = index.lines_of(&name);
        let (mut lines, mut initialisers, mut after_removed) = (Vec::new(), Vec::new(), Vec::new());
        for hunk in &file.hunks {
            let range = touched(hunk, removed);
            let in_range: Vec<u32> = match &range {
                Some(range) => code.iter().copied().filter(|it| range.contains(it)).collect(),
                None => Vec::new(),
            };
            // A hunk without new lines is between two of them.
            let start = hunk.new.start;
            let around = hunk.new.lines().unwrap_or(start..=start + 1);
            let values = index.initialisers_in(&name, &around);
            if removed == RemovedCode::FirstBehind
                && in_range.is_empty()
                && values.is_empty()
                && hunk.old.may_have_code
            {
                let end = hunk.new.lines().map_or(start, |lines| *lines.end());
                after_removed.extend(code.iter().copied().find(|&line| line > end));
            }
            let is_value = removed == RemovedCode::FirstBehind && !values.is_empty();
            let range = range.filter(|_| !is_value);
            let gaps = range.map_or(Vec::new(), |range| gaps(&range, &in_range));
            self.without_code.extend(gaps.iter().map(|gap| format!("{shown}:{}", span(gap))));
            lines.extend(in_range);
            initialisers.extend(values);
        }
        self.files.push(DiffedFile { shown, name, lines, initialisers, after_removed });
    }

    /// What is left out, for the user.
    pub fn skipped(&self) -> String {
        let message = |names: &[String], what: String| match names {
            [] => String::new(),
            _ => format!("byway: {what}: {}\n", listed(names)),
        };
        let files = plural(self.other_files.len() as u64, "changed file");
        let are = if self.other_files.len() == 1 { "is" } else { "are" };
        message(&self.without_code, "changed lines without code".to_owned())
            + &message(&self.other_files, format!("{files} {are} not part of the program"))
    }
}

/// The changed lines of a hunk.
fn touched(hunk: &Hunk, removed: RemovedCode) -> Option<RangeInclusive<u32>> {
    let start = hunk.new.start;
    // A hunk that removes the top of the file has no line before.
    let before = (removed == RemovedCode::LineBefore && start > 0).then_some(start..=start);
    hunk.new.lines().or(before)
}

fn listed(names: &[String]) -> String {
    let rest = names.len().saturating_sub(MAX_NAMES);
    let shown = names[..names.len() - rest].join(", ");
    if rest > 0 { format!("{shown} and {rest} more") } else { shown }
}

/// The parts of a range between some of its lines, which ascend. A file that is new as a whole
/// has no end, and its gaps are of no interest.
fn gaps(range: &RangeInclusive<u32>, lines: &[u32]) -> Vec<RangeInclusive<u32>> {
    if *range.end() == u32::MAX {
        return Vec::new();
    }
    let mut gaps = Vec::new();
    let mut next = *range.start();
    for &line in lines {
        gaps.push(next..=line.saturating_sub(1));
        next = line.saturating_add(1);
    }
    gaps.push(next..=*range.end());
    gaps.retain(|gap| !gap.is_empty());
    gaps
}

fn span(range: &RangeInclusive<u32>) -> String {
    match range.start() == range.end() {
        true => range.start().to_string(),
        false => format!("{}-{}", range.start(), range.end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::HunkSide;

    #[test]
    fn gaps_are_what_has_no_code() {
        let spans = |range: RangeInclusive<u32>, lines: &[u32]| -> Vec<String> {
            gaps(&range, lines).iter().map(span).collect()
        };
        assert_eq!(spans(3..=9, &[4, 5, 8]), ["3", "6-7", "9"]);
        assert_eq!(spans(3..=4, &[]), ["3-4"]);
        assert!(spans(3..=4, &[3, 4]).is_empty());
        assert!(spans(1..=u32::MAX, &[3]).is_empty());
    }

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (1..=10).map(|it| format!("a.c:{it}")).collect();
        assert!(listed(&names).ends_with("a.c:8 and 2 more"));
        assert_eq!(listed(&names[..2]), "a.c:1, a.c:2");
    }

    const PROGRAM: &str = r#"bwir 1
module "test"

func user @main(v0:i32) -> i32 !scope0 {
b0:
  v1:i32 = add v0, 1:i32 !loc0
  ret v1 !loc1
}

file0 = "/src" "a.c"

scope0 = "main" file0 line 2

loc0 = file0 4:1 scope0
loc1 = file0 8:1 scope0
"#;

    /// Changed lines and lines behind removed code, for a hunk that replaces `old` by `new`: each
    /// the first line, the count, and whether there may be code.
    fn diffed(old: (u32, u32, bool), new: (u32, u32, bool)) -> [(Vec<u32>, Vec<u32>); 2] {
        let side = |(start, count, may_have_code): (u32, u32, bool)| HunkSide {
            start,
            count,
            may_have_code,
        };
        let path = Some(PathBuf::from("a.c"));
        let hunks = vec![Hunk { old: side(old), new: side(new) }];
        let files = vec![FileDiff { old: path.clone(), new: path, hunks }];
        let changes = Changes { root: "/src".into(), files };
        let module = byway_ir::text::parse(PROGRAM).expect("it parses");
        let index = TargetIndex::new(&module);
        [RemovedCode::LineBefore, RemovedCode::FirstBehind].map(|removed| {
            let found = DiffedProgram::new(&changes, &index, removed);
            (found.files[0].lines.clone(), found.files[0].after_removed.clone())
        })
    }

    #[test]
    fn removed_code_is_before_the_next_line_with_code() {
        let nothing = || (vec![], vec![]);
        let changed = || (vec![4], vec![]);
        assert_eq!(diffed((4, 1, true), (4, 1, true)), [changed(), changed()]);
        assert_eq!(diffed((5, 2, true), (4, 0, false)), [changed(), (vec![], vec![8])]);
        assert_eq!(diffed((1, 2, true), (0, 0, false)), [nothing(), (vec![], vec![2])]);
        // Replaced by lines without code.
        assert_eq!(diffed((5, 1, true), (5, 2, false)), [nothing(), (vec![], vec![8])]);
        // Comments were removed.
        assert_eq!(diffed((5, 1, false), (5, 2, false)), [nothing(), nothing()]);
        // Nothing is behind it.
        assert_eq!(diffed((9, 1, true), (8, 0, false)), [(vec![8], vec![]), nothing()]);
    }
}
