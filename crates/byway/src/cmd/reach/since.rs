//! `--since REV`: the changed lines that have code become targets.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use byway_base::quantity::plural;
use byway_engine::{NamedTarget, TargetIndex};
use byway_ir::Module;

use crate::failure::{Failure, Result};
use crate::git::{self, ChangedLines, Changes};

/// Names in a message; more are counted.
const MAX_NAMES: usize = 8;

/// The targets of a change, and what it has besides.
#[derive(Default)]
pub struct ChangedTargets {
    pub targets: Vec<NamedTarget>,
    /// Changed lines of the program's files without code, as `FILE:LINE` or `FILE:FIRST-LAST`.
    without_code: Vec<String>,
    /// Changed files that are not part of the program.
    other_files: Vec<String>,
}

/// The changed lines of a program; `sources` are its files as the user gave them.
pub fn targets(sources: &[PathBuf], revision: &str, module: &Module) -> Result<ChangedTargets> {
    let directory = sources.first().and_then(|path| path.parent());
    let directory = directory.filter(|path| !path.as_os_str().is_empty());
    let changes = git::changed_since(directory.unwrap_or(Path::new(".")), revision)?;
    ChangedTargets::new(&changes, &TargetIndex::new(module)).map_err(Failure::new)
}

impl ChangedTargets {
    fn new(changes: &Changes, index: &TargetIndex) -> std::result::Result<Self, String> {
        let mut found = ChangedTargets::default();
        for file in &changes.files {
            // Debug information may name the file through a link.
            let names = [changes.root.join(&file.file), file.file.clone()];
            let names = names.map(|name| name.to_string_lossy().into_owned());
            match names.iter().find(|name| !index.lines_of(name).is_empty()) {
                Some(name) => found.add(file, name, index)?,
                None => found.other_files.push(file.file.display().to_string()),
            }
        }
        Ok(found)
    }

    fn add(
        &mut self,
        file: &ChangedLines,
        name: &str,
        index: &TargetIndex,
    ) -> std::result::Result<(), String> {
        let code = index.lines_of(name);
        let shown = file.file.display();
        for range in &file.lines {
            let in_range: Vec<u32> = code.iter().copied().filter(|it| range.contains(it)).collect();
            for &line in &in_range {
                let target = index.line(name, line)?;
                self.targets.push(NamedTarget { name: format!("{shown}:{line}"), ..target });
            }
            let gaps = gaps(range, &in_range);
            self.without_code.extend(gaps.iter().map(|gap| format!("{shown}:{}", span(gap))));
        }
        Ok(())
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
}
