//! The measured coverage by file, with the engine's record beside it: the data of the table,
//! `lcov.info`, `cover.json` and the page.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::cmd::cover::engine_coverage::{EngineCoverage, UncoveredReason, explain};
use crate::cmd::cover::faults::{FileFaults, FoundFaults};
use crate::cmd::cover::sources::{FoundSource, SourceFinder};
use crate::cmd::cover::tally::{CoverageTally, Hits};
use crate::native_coverage::gcov::{self, CoverageMap};

/// Covered items of a total.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct CoveredShare {
    pub covered: u64,
    pub total: u64,
}

impl CoveredShare {
    fn of<'a>(hits: impl Iterator<Item = &'a Hits>) -> CoveredShare {
        hits.fold(CoveredShare::default(), |share, hits| CoveredShare {
            covered: share.covered + u64::from(hits.is_covered()),
            total: share.total + 1,
        })
    }

    fn sum(shares: impl Iterator<Item = CoveredShare>) -> CoveredShare {
        shares.fold(CoveredShare::default(), |sum, share| CoveredShare {
            covered: sum.covered + share.covered,
            total: sum.total + share.total,
        })
    }
}

/// The measured coverage of a program.
pub struct NativeReport {
    /// Sorted by name.
    pub files: Vec<FileReport>,
    /// The engine explored every path.
    pub complete: bool,
    /// The engine recorded why branch sides are not taken.
    pub has_reasons: bool,
}

/// The coverage of a file.
pub struct FileReport {
    /// The name for display.
    pub name: String,
    /// `None` if it was not found.
    pub path: Option<PathBuf>,
    /// Its lines, or the reason why they are not shown.
    pub text: Result<Vec<String>, String>,
    /// Lines with code.
    pub lines: BTreeMap<u32, LineReport>,
    /// Sorted by line.
    pub functions: Vec<FunctionReport>,
    /// The faults of the run, by line.
    pub faults: FileFaults,
}

/// A line with code.
pub struct LineReport {
    pub hits: Hits,
    /// For each branch that ends on the line, its sides.
    pub branches: Vec<Vec<Hits>>,
    /// Whether the engine recorded the line as covered; `None` without a record.
    pub on_engine: Option<bool>,
    /// One reason for each untaken side.
    pub reasons: Vec<UncoveredReason>,
    /// A sentence for each branch side that the engine recorded.
    pub explanations: Vec<String>,
}

/// The coverage of a function.
pub struct FunctionReport {
    pub name: String,
    /// The first line.
    pub line: u32,
    pub hits: Hits,
}

impl NativeReport {
    /// Combines the measured coverage with the engine's record.
    pub fn new(
        map: &CoverageMap,
        tally: &CoverageTally,
        on_engine: &EngineCoverage,
        faults: &FoundFaults,
        sources: &SourceFinder,
    ) -> NativeReport {
        let file = |(name, file): (&String, &gcov::MappedFile)| {
            let FoundSource { shown, path, text } = sources.find(name, &file.directory);
            let known_as = path.clone().unwrap_or_else(|| name.into());
            let said = on_engine.file(&known_as);
            let line = |(&number, line): (&u32, &gcov::MappedLine)| {
                let side = |&side: &usize| tally.sides[side];
                let branches: Vec<Vec<Hits>> =
                    line.branches.iter().map(|sides| sides.iter().map(side).collect()).collect();
                let missing = branches.iter().flatten().filter(|side| !side.is_covered()).count();
                let reasons = said.map_or(Vec::new(), |said| said.reasons(number));
                let explanations = said.and_then(|said| said.branches.get(&number)).map_or(
                    Vec::new(),
                    |branches| {
                        let sides = branches.iter().flat_map(|branch| {
                            let reached = branch.sides.iter().any(|side| side.reached);
                            let column = branch.column;
                            branch.sides.iter().map(move |side| {
                                let words = explain(side, reached, on_engine.complete);
                                format!("column {column}, {}: {words}", side.side)
                            })
                        });
                        sides.collect()
                    },
                );
                let report = LineReport {
                    hits: tally.lines[line.number],
                    branches,
                    on_engine: said.and_then(|said| said.lines.get(&number).copied()),
                    reasons: assign(&reasons, missing, !explanations.is_empty()),
                    explanations,
                };
                (number, report)
            };
            let functions = file.functions.iter().map(|(line, name, number)| FunctionReport {
                name: name.clone(),
                line: *line,
                hits: tally.functions[*number],
            });
            FileReport {
                name: shown,
                path,
                text,
                lines: file.lines.iter().map(line).collect(),
                functions: functions.collect(),
                faults: faults.of(&known_as),
            }
        };
        let mut files: Vec<FileReport> = map.files.iter().map(file).collect();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        NativeReport { files, complete: on_engine.complete, has_reasons: on_engine.has_branches }
    }

    pub fn lines(&self) -> CoveredShare {
        CoveredShare::sum(self.files.iter().map(FileReport::line_share))
    }

    /// Branch sides of all files.
    pub fn sides(&self) -> CoveredShare {
        CoveredShare::sum(self.files.iter().map(FileReport::side_share))
    }

    pub fn functions(&self) -> CoveredShare {
        CoveredShare::sum(self.files.iter().map(FileReport::function_share))
    }

    /// The number of untaken branch sides by reason.
    pub fn reasons(&self) -> BTreeMap<UncoveredReason, u64> {
        let mut counts = BTreeMap::new();
        for line in self.files.iter().flat_map(|file| file.lines.values()) {
            line.reasons.iter().for_each(|why| *counts.entry(*why).or_default() += 1);
        }
        counts
    }
}

impl FileReport {
    pub fn line_share(&self) -> CoveredShare {
        CoveredShare::of(self.lines.values().map(|line| &line.hits))
    }

    pub fn side_share(&self) -> CoveredShare {
        CoveredShare::of(self.lines.values().flat_map(|line| line.branches.iter().flatten()))
    }

    pub fn function_share(&self) -> CoveredShare {
        CoveredShare::of(self.functions.iter().map(|function| &function.hits))
    }

    /// Lines covered natively but not on the engine, and the reverse.
    pub fn differences(&self) -> (Vec<u32>, Vec<u32>) {
        let lines = |measured: bool| {
            let differs = move |line: &LineReport| {
                line.hits.is_covered() == measured && line.on_engine == Some(!measured)
            };
            self.lines.iter().filter(move |(_, line)| differs(line)).map(|(n, _)| *n).collect()
        };
        (lines(true), lines(false))
    }
}

/// One reason for each untaken side. The compiler numbers sides differently from the engine, so
/// they are matched by line: equal numbers of sides are taken as the same sides; if all
/// recorded reasons are equal, that reason holds; otherwise it is unknown.
fn assign(reasons: &[UncoveredReason], missing: usize, has_branches: bool) -> Vec<UncoveredReason> {
    let mut sorted = reasons.to_vec();
    sorted.sort_unstable();
    match sorted.first() {
        _ if sorted.len() == missing => sorted,
        Some(first) if sorted.last() == Some(first) => vec![*first; missing],
        Some(_) => vec![UncoveredReason::Unknown; missing],
        None if has_branches => vec![UncoveredReason::Taken; missing],
        None => vec![UncoveredReason::Unknown; missing],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_assigned_only_if_unambiguous() {
        use UncoveredReason::{Dropped, Infeasible, Taken, Unknown};
        assert_eq!(assign(&[Infeasible, Dropped], 2, true), [Dropped, Infeasible]);
        assert_eq!(assign(&[Infeasible], 3, true), [Infeasible; 3]);
        assert_eq!(assign(&[Infeasible, Dropped], 1, true), [Unknown]);
        assert_eq!(assign(&[], 2, true), [Taken; 2]);
        assert_eq!(assign(&[], 1, false), [Unknown]);
        assert_eq!(assign(&[Infeasible], 0, true), []);
    }
}
