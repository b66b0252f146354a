//! What was measured, file by file, with what the engine says beside it: what the table,
//! `lcov.info` and the page are made of.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::cmd::cover::live::{Live, Why, explain};
use crate::cmd::cover::sources::{Source, Sources};
use crate::cmd::cover::tally::{Seen, Tally};
use crate::native_coverage::gcov::{self, Map};

/// So many of so many.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// Covered.
    pub covered: u64,
    /// All.
    pub total: u64,
}

impl Share {
    fn of<'a>(seen: impl Iterator<Item = &'a Seen>) -> Share {
        seen.fold(Share::default(), |share, seen| Share {
            covered: share.covered + u64::from(seen.is_covered()),
            total: share.total + 1,
        })
    }

    fn sum(shares: impl Iterator<Item = Share>) -> Share {
        shares.fold(Share::default(), |sum, share| Share {
            covered: sum.covered + share.covered,
            total: sum.total + share.total,
        })
    }
}

/// All that was measured.
pub struct Report {
    /// The files, by name.
    pub files: Vec<FileReport>,
    /// Whether the engine explored every path.
    pub complete: bool,
    /// Whether the engine kept why sides are not taken.
    pub has_reasons: bool,
}

/// A file.
pub struct FileReport {
    /// Its name, as people know it.
    pub name: String,
    /// Where it is, if it was found.
    pub path: Option<PathBuf>,
    /// Its text, or why it is not shown.
    pub text: Result<Vec<String>, String>,
    /// Its lines with code.
    pub lines: BTreeMap<u32, LineReport>,
    /// Its functions, by line.
    pub functions: Vec<FunctionReport>,
}

/// A line with code.
pub struct LineReport {
    /// The tests that run it.
    pub seen: Seen,
    /// The branches that end on it: their sides.
    pub branches: Vec<Vec<Seen>>,
    /// Whether the engine says that tests run it; `None` if it knows no such line.
    pub live: Option<bool>,
    /// Why sides are not taken: one reason each, if that is clear.
    pub reasons: Vec<Why>,
    /// What the engine says of each side of each branch, in words.
    pub told: Vec<String>,
}

/// A function.
pub struct FunctionReport {
    /// Its name.
    pub name: String,
    /// Its first line.
    pub line: u32,
    /// The tests that run it.
    pub seen: Seen,
}

impl Report {
    /// Puts it together.
    pub fn new(map: &Map, tally: &Tally, live: &Live, sources: &Sources) -> Report {
        let file = |(name, file): (&String, &gcov::File)| {
            let Source { shown, path, text } = sources.find(name, &file.directory);
            let known_as = path.clone().unwrap_or_else(|| name.into());
            let said = live.file(&known_as);
            let line = |(&number, line): (&u32, &gcov::Line)| {
                let side = |&side: &usize| tally.sides[side];
                let branches: Vec<Vec<Seen>> =
                    line.branches.iter().map(|sides| sides.iter().map(side).collect()).collect();
                let missing = branches.iter().flatten().filter(|side| !side.is_covered()).count();
                let reasons = said.map_or(Vec::new(), |said| said.reasons(number));
                let told = said.and_then(|said| said.branches.get(&number)).map_or(
                    Vec::new(),
                    |branches| {
                        let sides = branches.iter().flat_map(|branch| {
                            let reached = branch.sides.iter().any(|side| side.reached);
                            let column = branch.column;
                            branch.sides.iter().map(move |side| {
                                let words = explain(side, reached, live.complete);
                                format!("column {column}, {}: {words}", side.side)
                            })
                        });
                        sides.collect()
                    },
                );
                let report = LineReport {
                    seen: tally.lines[line.number],
                    branches,
                    live: said.and_then(|said| said.lines.get(&number).copied()),
                    reasons: assign(&reasons, missing, !told.is_empty()),
                    told,
                };
                (number, report)
            };
            let functions = file.functions.iter().map(|(line, name, number)| FunctionReport {
                name: name.clone(),
                line: *line,
                seen: tally.functions[*number],
            });
            FileReport {
                name: shown,
                path,
                text,
                lines: file.lines.iter().map(line).collect(),
                functions: functions.collect(),
            }
        };
        let mut files: Vec<FileReport> = map.files.iter().map(file).collect();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Report { files, complete: live.complete, has_reasons: live.has_branches }
    }

    /// Lines of all files.
    pub fn lines(&self) -> Share {
        Share::sum(self.files.iter().map(FileReport::line_share))
    }

    /// Sides of branches of all files.
    pub fn sides(&self) -> Share {
        Share::sum(self.files.iter().map(FileReport::side_share))
    }

    /// Functions of all files.
    pub fn functions(&self) -> Share {
        Share::sum(self.files.iter().map(FileReport::function_share))
    }

    /// How many sides are not taken for which reason.
    pub fn reasons(&self) -> BTreeMap<Why, u64> {
        let mut counts = BTreeMap::new();
        for line in self.files.iter().flat_map(|file| file.lines.values()) {
            line.reasons.iter().for_each(|why| *counts.entry(*why).or_default() += 1);
        }
        counts
    }
}

impl FileReport {
    /// Lines.
    pub fn line_share(&self) -> Share {
        Share::of(self.lines.values().map(|line| &line.seen))
    }

    /// Sides of branches.
    pub fn side_share(&self) -> Share {
        Share::of(self.lines.values().flat_map(|line| line.branches.iter().flatten()))
    }

    /// Functions.
    pub fn function_share(&self) -> Share {
        Share::of(self.functions.iter().map(|function| &function.seen))
    }

    /// Lines that were measured to run but not by the engine's account, and the other
    /// way round.
    pub fn differences(&self) -> (Vec<u32>, Vec<u32>) {
        let lines = |measured: bool| {
            let differs = move |line: &LineReport| {
                line.seen.is_covered() == measured && line.live == Some(!measured)
            };
            self.lines.iter().filter(move |(_, line)| differs(line)).map(|(n, _)| *n).collect()
        };
        (lines(true), lines(false))
    }
}

/// A reason for each side that is missing. The compiler numbers sides otherwise than the
/// engine does, so they are matched by line: if there are as many as the engine knows, they
/// are those; if the engine's are all for one reason, so are these; else it is not clear.
fn assign(reasons: &[Why], missing: usize, has_branches: bool) -> Vec<Why> {
    let mut sorted = reasons.to_vec();
    sorted.sort_unstable();
    match sorted.first() {
        _ if sorted.len() == missing => sorted,
        Some(first) if sorted.last() == Some(first) => vec![*first; missing],
        Some(_) => vec![Why::Unknown; missing],
        None if has_branches => vec![Why::Taken; missing],
        None => vec![Why::Unknown; missing],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_given_only_where_they_are_clear() {
        use Why::{Dropped, Infeasible, Taken, Unknown};
        assert_eq!(assign(&[Infeasible, Dropped], 2, true), [Dropped, Infeasible]);
        assert_eq!(assign(&[Infeasible], 3, true), [Infeasible; 3]);
        assert_eq!(assign(&[Infeasible, Dropped], 1, true), [Unknown]);
        assert_eq!(assign(&[], 2, true), [Taken; 2]);
        assert_eq!(assign(&[], 1, false), [Unknown]);
        assert_eq!(assign(&[Infeasible], 0, true), []);
    }
}
