//! Reads what a report needs from a run directory and from `byway cover`'s record.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use byway_rundir::{FaultCount, PathRecord, RunReader, SampleRecord};
use serde::Deserialize;

use crate::error::{LabError, Result};
use crate::experiment::PartialTests;
use crate::result::{
    CoverageCredit, CoverageShare, FoundFault, MeasuredCoverage, Moment, RunFigures, RunSample,
};

/// Samples that a result keeps.
const MAX_SAMPLES: usize = 300;

/// What a run's directory says about it.
pub struct RunMeasurements {
    pub figures: RunFigures,
    /// The distinct faults.
    pub faults: Vec<FoundFault>,
    pub samples: Vec<RunSample>,
    paths: BTreeMap<u64, EndedPath>,
    directory: RunReader,
}

/// What is needed of a path.
struct EndedPath {
    /// The work of the whole run when it ended.
    work: Option<u64>,
    truncated: bool,
    has_test: bool,
}

/// `cover.json`, which `byway cover` writes.
#[derive(Deserialize)]
struct CoverFile {
    how: String,
    tests: u64,
    left_out: u64,
    lost: BTreeMap<String, u64>,
    complete: bool,
    lines: CoverageShare,
    sides: CoverageShare,
    credit: Vec<CreditEntry>,
}

#[derive(Deserialize)]
struct CreditEntry {
    test: u64,
    lines: u64,
    sides: u64,
}

impl RunMeasurements {
    /// Reads the directory of a run that has ended.
    pub fn read(dir: &Path) -> Result<RunMeasurements> {
        let directory = RunReader::open(dir)?;
        let summary = directory.ended_summary()?;
        let samples = directory.samples()?;
        let mut paths = BTreeMap::new();
        for record in directory.paths()? {
            let PathRecord { path, test, outcome, work, .. } = record?;
            let truncated = outcome.is_truncated();
            paths.insert(path, EndedPath { work, truncated, has_test: test.is_some() });
        }
        let fault = |FaultCount { kind, at, .. }| FoundFault {
            kind,
            at: at.map_or(String::new(), |at| at.to_string()),
        };
        let sample = |record: &SampleRecord| RunSample {
            at: Moment {
                wall: record.elapsed_ms as f64,
                cpu: record.cpu_ms as f64,
                work: record.totals.work as f64,
            },
            states: record.totals.states,
        };
        let last = samples.last();
        Ok(RunMeasurements {
            figures: RunFigures {
                ended: summary.ended.name().into(),
                complete: summary.complete,
                tests: summary.tests,
                paths: summary.totals.paths,
                work: summary.totals.work,
                instructions: summary.totals.instructions,
                forks: summary.totals.forks,
                queries: summary.totals.solver.queries,
                max_states: summary.totals.max_states,
                max_memory: summary.totals.max_memory,
                elapsed_ms: last.map_or(0, |sample| sample.elapsed_ms),
                cpu_ms: last.map_or(0, |sample| sample.cpu_ms),
            },
            faults: summary.faults.into_iter().map(fault).collect(),
            samples: thinned(samples.iter().map(sample).collect()),
            paths,
            directory,
        })
    }

    /// The coverage in `byway cover`'s record.
    pub fn native_coverage(&self, file: &Path) -> Result<MeasuredCoverage> {
        let text = fs::read(file).map_err(|error| LabError::io("read", file, &error))?;
        let cover: CoverFile = serde_json::from_slice(&text)
            .map_err(|error| LabError::new(format!("'{}' is damaged: {error}", file.display())))?;
        if !cover.complete {
            return Err(LabError::new(format!("'{}' does not cover all tests", file.display())));
        }
        let credit = cover.credit.iter().map(|credit| CoverageCredit {
            at: self.written(credit.test),
            lines: credit.lines,
            sides: credit.sides,
        });
        Ok(MeasuredCoverage {
            how: cover.how,
            tests: cover.tests,
            left_out: cover.left_out,
            lost: cover.lost.values().sum(),
            lines: cover.lines,
            sides: cover.sides,
            credit: credit.collect(),
        })
    }

    /// The engine's own coverage, in files whose paths end with an entry of `measured`.
    ///
    /// If truncated tests are dropped, so is everything that such a test was the first to
    /// cover, even if another test covers it too: the engine records only the first.
    pub fn engine_coverage(
        &self,
        measured: &[String],
        partial: PartialTests,
    ) -> Result<MeasuredCoverage> {
        let selected = |name: &str| {
            measured.is_empty() || measured.iter().any(|end| Path::new(name).ends_with(end))
        };
        let counts = |path: u64| {
            partial == PartialTests::Keep || self.paths.get(&path).is_some_and(|it| !it.truncated)
        };
        let missing = || LabError::new("the run directory has no coverage");
        let lines = self.directory.coverage()?.ok_or_else(missing)?.files;
        let branches = self.directory.branches()?.ok_or_else(missing)?.files;
        let lines = lines.into_iter().filter(|(name, _)| selected(name));
        let lines: Vec<Option<u64>> =
            lines.flat_map(|(_, lines)| lines).map(|line| line.first_path).collect();
        let branches = branches.into_iter().filter(|(name, _)| selected(name));
        let sides = branches.flat_map(|(_, branches)| branches).flat_map(|branch| branch.sides);
        let sides: Vec<Option<u64>> = sides.map(|side| side.first_path).collect();
        let mut credit: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
        let mut share = |firsts: &[Option<u64>], to: fn(&mut (u64, u64)) -> &mut u64| {
            let covered = firsts.iter().flatten().filter(|path| counts(**path));
            let covered = covered.map(|path| *to(credit.entry(*path).or_default()) += 1).count();
            CoverageShare { covered: covered as u64, total: firsts.len() as u64 }
        };
        let (lines, sides) = (share(&lines, |it| &mut it.0), share(&sides, |it| &mut it.1));
        if lines.total == 0 {
            return Err(LabError::new("no line of the program is measured")
                .hint("'measured' names files by the end of their paths"));
        }
        let left_out = match partial {
            PartialTests::Keep => 0,
            PartialTests::Drop => {
                let dropped = |path: &&EndedPath| path.has_test && path.truncated;
                self.paths.values().filter(dropped).count() as u64
            }
        };
        Ok(MeasuredCoverage {
            how: "the engine's own account".into(),
            tests: self.figures.tests.saturating_sub(left_out),
            left_out,
            lost: 0,
            lines,
            sides,
            credit: credit
                .into_iter()
                .map(|(path, (lines, sides))| CoverageCredit {
                    at: self.written(path),
                    lines,
                    sides,
                })
                .collect(),
        })
    }

    /// When a path's test was written. The work is recorded; the clocks are interpolated between
    /// the samples before and after.
    fn written(&self, path: u64) -> Moment {
        let work =
            self.paths.get(&path).and_then(|path| path.work).unwrap_or(self.figures.work) as f64;
        let next = self.samples.partition_point(|sample| sample.at.work < work);
        let before = next.checked_sub(1).map_or(Moment::default(), |index| self.samples[index].at);
        let Some(after) = self.samples.get(next).map(|sample| sample.at) else {
            return Moment { work, ..before };
        };
        let span = after.work - before.work;
        let part = if span > 0.0 { (work - before.work) / span } else { 1.0 };
        let between = |from: f64, to: f64| from + (to - from) * part;
        Moment { wall: between(before.wall, after.wall), cpu: between(before.cpu, after.cpu), work }
    }
}

/// At most [`MAX_SAMPLES`] of the samples, including the last.
fn thinned(samples: Vec<RunSample>) -> Vec<RunSample> {
    let step = samples.len().div_ceil(MAX_SAMPLES).max(1);
    let last = samples.len().wrapping_sub(1);
    let kept = |index: usize| index.is_multiple_of(step) || index == last;
    samples.into_iter().enumerate().filter(|(index, _)| kept(*index)).map(|(_, it)| it).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// A run of examples/tlv.c, stopped after 1,500 of work, as byway wrote it.
    fn recorded() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded")
    }

    #[test]
    fn a_recorded_run_is_read() {
        let files = RunMeasurements::read(&recorded()).expect("a run");
        assert_eq!((files.figures.ended.as_str(), files.figures.complete), ("max-work", false));
        assert_eq!(
            (files.figures.work, files.figures.tests, files.figures.max_states),
            (1500, 8, 11)
        );
        assert_eq!(files.figures.paths.get("out-of-budget"), Some(&11));
        assert_eq!(files.samples.len(), 3);
        assert_eq!(files.samples[0].at, Moment { wall: 1.0, cpu: 22.0, work: 327.0 });
    }

    #[test]
    fn native_coverage_is_credited_when_tests_were_written() {
        let files = RunMeasurements::read(&recorded()).expect("a run");
        let coverage =
            files.native_coverage(&recorded().join("cover/cover.json")).expect("measured");
        assert_eq!((coverage.tests, coverage.left_out, coverage.lost), (7, 1, 0));
        assert_eq!(coverage.lines, CoverageShare { covered: 29, total: 31 });
        assert_eq!(coverage.sides, CoverageShare { covered: 13, total: 15 });
        let sum: u64 = coverage.credit.iter().map(|credit| credit.lines).sum();
        assert_eq!(sum, 29);
        let works: Vec<f64> = coverage.credit.iter().map(|credit| credit.at.work).collect();
        assert_eq!(works, [327.0, 476.0, 622.0, 761.0, 913.0, 1062.0, 1410.0]);
        // Between the samples at 476 and 1,500 of work, a millisecond of the processor apart.
        let last = coverage.credit.last().expect("credit").at;
        assert_eq!(last.wall, 10.0);
        assert!((last.cpu - (22.0 + 934.0 / 1024.0)).abs() < 1e-9, "{last:?}");
    }

    #[test]
    fn the_engines_coverage_counts_selected_files() {
        let files = RunMeasurements::read(&recorded()).expect("a run");
        let of = |measured: &[&str], partial| {
            let measured: Vec<String> = measured.iter().map(|name| name.to_string()).collect();
            files.engine_coverage(&measured, partial)
        };
        let kept = of(&[], PartialTests::Keep).expect("an account");
        assert_eq!(kept.lines, CoverageShare { covered: 24, total: 25 });
        assert_eq!((kept.tests, kept.left_out), (8, 0));
        let dropped = of(&["tlv.c"], PartialTests::Drop).expect("an account");
        assert_eq!(dropped.lines, CoverageShare { covered: 23, total: 25 });
        assert_eq!(dropped.sides, CoverageShare { covered: 13, total: 15 });
        assert_eq!((dropped.tests, dropped.left_out), (7, 1));
        assert!(of(&["other.c"], PartialTests::Keep).is_err());
    }

    #[test]
    fn a_missing_directory_is_reported() {
        let why = RunMeasurements::read(Path::new("nowhere")).err().expect("no run").to_string();
        assert!(why.contains("cannot read 'nowhere'"), "{why}");
    }

    #[test]
    fn samples_are_thinned_but_the_last_is_kept() {
        let samples = |count: u64| {
            let sample = |states| RunSample { at: Moment::default(), states };
            thinned((0..count).map(sample).collect())
        };
        assert_eq!(samples(0).len(), 0);
        assert_eq!(samples(300).len(), 300);
        let thin = samples(1000);
        assert!(thin.len() <= MAX_SAMPLES && thin.last().is_some_and(|it| it.states == 999));
    }
}
