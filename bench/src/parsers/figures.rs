//! The figures of a run on a parser.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use byway_rundir::{RunDirError, RunReader, RunSummary, SampleRecord, TotalsRecord};

/// How much of the parser's own code a run covered, and when its paths ended.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ParserFigures {
    /// Lines that some test executes, and all lines.
    pub lines: (usize, usize),
    /// Of the covered lines, those that a path executes which is not truncated.
    pub ended_lines: usize,
    /// Branch sides that some test takes, and all sides.
    pub sides: (usize, usize),
    /// Paths that are neither truncated nor excluded.
    pub ended_paths: u64,
    /// States alive at the end.
    pub states: u64,
    pub queries: u64,
    pub work: u64,
    /// Seconds until the first path ended, to the interval between samples.
    pub first_end: Option<f64>,
    /// The longest time in seconds without the end of a path.
    pub longest_gap: f64,
    /// Seconds of exploration.
    pub seconds: f64,
}

impl ParserFigures {
    /// Reads the directory of a run that has ended.
    pub fn read(dir: &Path, program: &str) -> Result<Self, String> {
        let read = || {
            let run = RunReader::open(dir)?;
            let mut figures = ParserFigures::of_time(&run.ended_summary()?, &run.samples()?);
            let mut truncated = BTreeSet::new();
            for path in run.paths()? {
                let path = path?;
                if path.outcome.is_truncated() {
                    truncated.insert(path.path);
                }
            }
            let lines =
                run.coverage()?.map(|record| own(record.files, program)).unwrap_or_default();
            let covered = lines.iter().filter_map(|line| line.first_path);
            figures.lines = (covered.clone().count(), lines.len());
            figures.ended_lines = covered.filter(|path| !truncated.contains(path)).count();
            let branches =
                run.branches()?.map(|record| own(record.files, program)).unwrap_or_default();
            let sides = || branches.iter().flat_map(|branch| &branch.sides);
            figures.sides =
                (sides().filter(|side| side.first_path.is_some()).count(), sides().count());
            Ok(figures)
        };
        read().map_err(|e: RunDirError| e.to_string())
    }

    /// The figures that do not depend on the program's files.
    fn of_time(summary: &RunSummary, samples: &[SampleRecord]) -> Self {
        let (mut first_end, mut longest_gap, mut last_end, mut count) = (None, 0.0_f64, 0.0, 0);
        let mut seconds = 0.0;
        for sample in samples {
            seconds = sample.elapsed_ms as f64 / 1e3;
            // Also of the current gap, which the end of the run may leave open.
            longest_gap = longest_gap.max(seconds - last_end);
            if ended_paths(&sample.totals) > count {
                count = ended_paths(&sample.totals);
                first_end = first_end.or(Some(seconds));
                last_end = seconds;
            }
        }
        let totals = &summary.totals;
        ParserFigures {
            ended_paths: ended_paths(totals),
            states: totals.lost.unfinished,
            queries: totals.solver.queries,
            work: totals.work,
            first_end,
            longest_gap,
            seconds,
            ..Default::default()
        }
    }

    /// The most important of them, for a line of progress.
    pub fn in_short(&self) -> String {
        format!(
            "{:.1} % of lines, {} paths ended, longest gap {:.1} s, {:.1} s",
            percent(self.lines),
            self.ended_paths,
            self.longest_gap,
            self.seconds
        )
    }

    /// The cells of a table, in the order of [`HEADS`].
    pub fn cells(&self) -> String {
        let ParserFigures { ended_paths, states, queries, work, longest_gap, seconds, .. } = self;
        let first_end = self.first_end.map_or("never".to_owned(), |end| format!("{end:.1}"));
        format!(
            "{:.1} % ({}) | {} | {:.1} % ({}) | {ended_paths} | {states} | {queries} | {work} | \
             {first_end} | {longest_gap:.1} | {seconds:.1}",
            percent(self.lines),
            self.lines.0,
            self.ended_lines,
            percent(self.sides),
            self.sides.0,
        )
    }
}

/// The heads of [`ParserFigures::cells`].
pub const HEADS: [&str; 10] = [
    "lines",
    "by ended paths",
    "branch sides",
    "paths ended",
    "states left",
    "queries",
    "work",
    "first path ended, s",
    "longest gap, s",
    "s",
];

fn percent((part, whole): (usize, usize)) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn ended_paths(totals: &TotalsRecord) -> u64 {
    totals.path_count() - totals.paths_of("excluded") - totals.truncated_paths()
}

/// The records of the parser's own files: the folder of its sources has the name of the program.
/// A program without a parser has our own file alone.
fn own<T>(files: BTreeMap<String, Vec<T>>, program: &str) -> Vec<T> {
    let folder = format!("./{program}/");
    let parser = files.keys().any(|file| file.starts_with(&folder));
    let kept = files.into_iter().filter(|(file, _)| !parser || file.starts_with(&folder));
    kept.flat_map(|(_, records)| records).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_rundir::{EndReason, SCHEMA};

    fn totals(exits: u64) -> TotalsRecord {
        let paths = [("exit", exits), ("excluded", 5), ("out-of-budget", 7)];
        let paths = paths.map(|(kind, count)| (kind.to_string(), count)).into();
        TotalsRecord { paths, ..Default::default() }
    }

    fn figures(samples: &[(u64, u64)]) -> ParserFigures {
        let sample = |&(elapsed_ms, exits): &(u64, u64)| SampleRecord {
            elapsed_ms,
            totals: totals(exits),
            ..Default::default()
        };
        let samples: Vec<SampleRecord> = samples.iter().map(sample).collect();
        let summary = RunSummary {
            schema: SCHEMA,
            ended: EndReason::MaxTime,
            complete: false,
            tests: 0,
            faults: Vec::new(),
            totals: totals(samples.last().map_or(0, |last| last.totals.paths_of("exit"))),
            seeds: None,
            shares: Vec::new(),
            markov: None,
            differences: None,
        };
        ParserFigures::of_time(&summary, &samples)
    }

    #[test]
    fn gaps_are_between_ends_of_paths() {
        let some = figures(&[(500, 0), (1000, 2), (2000, 2), (4000, 3), (4500, 9)]);
        assert_eq!((some.first_end, some.longest_gap), (Some(1.0), 3.0));
        assert_eq!((some.ended_paths, some.seconds), (9, 4.5));
        let frozen = figures(&[(1000, 2), (2000, 2), (9000, 2)]);
        assert_eq!((frozen.first_end, frozen.longest_gap), (Some(1.0), 8.0));
        let none = figures(&[(1000, 0), (3000, 0)]);
        assert_eq!((none.first_end, none.longest_gap), (None, 3.0));
        assert!(none.cells().contains("| never | 3.0 | 3.0"));
        assert_eq!(none.cells().matches(" | ").count() + 1, HEADS.len());
    }

    #[test]
    fn only_the_parsers_own_files_count() {
        let files = |names: [&str; 2]| names.map(|name| (name.to_owned(), vec![name.len()])).into();
        assert_eq!(own(files(["./yajl/src/a.c", "/b/parsers/yajl.c"]), "yajl"), [14]);
        assert_eq!(own(files(["/b/parsers/input.h", "/b/parsers/strtod.c"]), "strtod"), [18, 19]);
    }

    #[test]
    fn a_recorded_run_is_read() {
        let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/lab/tests/recorded");
        let figures = ParserFigures::read(&recorded, "none").expect("figures");
        assert!(figures.lines.0 > 0 && figures.lines.0 <= figures.lines.1, "{figures:?}");
        assert!(figures.ended_lines <= figures.lines.0 && figures.ended_paths > 0);
        assert!(figures.sides.0 <= figures.sides.1);
    }
}
