//! Reading what a run left behind, through the files of its directory (docs/run-directory.md).
//! Only what a report needs is read; a field that is missing is named.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use byway_base::SrcLoc;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::experiment::PartialTests;
use crate::problem::{Problem, Result};
use crate::result::{Coverage, Credit, Fault, Moment, Run, Sample, Share};

/// Samples that a result keeps.
const MOST_SAMPLES: usize = 300;

/// How a path ends that does not come to an end of its own.
const CUT_OFF: [&str; 3] = ["dropped", "out-of-budget", "interrupted"];

/// A run as its files tell it.
pub struct RunFiles {
    /// What it came to.
    pub run: Run,
    /// Its distinct faults.
    pub faults: Vec<Fault>,
    /// How far it was over time.
    pub samples: Vec<Sample>,
    /// Its paths by number.
    paths: BTreeMap<u64, PathEnd>,
}

struct PathEnd {
    /// The work of the run when it ended.
    work: u64,
    /// Whether it came to an end of its own.
    ended: bool,
    /// Whether it has a test.
    tested: bool,
}

#[derive(Deserialize)]
struct SummaryFile {
    ended: String,
    complete: bool,
    tests: u64,
    faults: Vec<FaultEntry>,
    totals: Totals,
}

#[derive(Deserialize)]
struct FaultEntry {
    kind: String,
    at: Option<SrcLoc>,
}

#[derive(Deserialize)]
struct Totals {
    work: u64,
    instructions: u64,
    paths: BTreeMap<String, u64>,
    forks: u64,
    states: u64,
    max_states: u64,
    max_memory: u64,
    solver: Solver,
}

#[derive(Deserialize)]
struct Solver {
    queries: u64,
}

#[derive(Deserialize)]
struct ClockLine {
    elapsed_ms: u64,
    cpu_ms: u64,
    totals: Totals,
}

#[derive(Deserialize)]
struct PathLine {
    path: u64,
    test: Option<String>,
    work: u64,
    outcome: OutcomeEntry,
}

#[derive(Deserialize)]
struct OutcomeEntry {
    kind: String,
}

/// `cover.json`, as `byway cover` writes it.
#[derive(Deserialize)]
struct CoverFile {
    how: String,
    tests: u64,
    left_out: u64,
    lost: BTreeMap<String, u64>,
    complete: bool,
    lines: Share,
    sides: Share,
    credit: Vec<CreditEntry>,
}

#[derive(Deserialize)]
struct CreditEntry {
    test: u64,
    lines: u64,
    sides: u64,
}

/// `coverage.json` and `branches.json`, the engine's own account.
#[derive(Deserialize)]
struct Files<T> {
    files: BTreeMap<String, Vec<T>>,
}

#[derive(Deserialize)]
struct LineEntry {
    first_path: Option<u64>,
}

#[derive(Deserialize)]
struct BranchEntry {
    sides: Vec<LineEntry>,
}

/// Whether a run directory is that of a run that ended.
pub fn is_whole(dir: &Path) -> bool {
    dir.join("summary.json").is_file()
}

impl RunFiles {
    /// Reads them.
    pub fn read(dir: &Path) -> Result<RunFiles> {
        let summary: SummaryFile = json(&dir.join("summary.json"))?;
        let clock: Vec<ClockLine> = lines(&dir.join("clock.jsonl"), 1)?;
        let paths: Vec<PathLine> = lines(&dir.join("paths.jsonl"), 0)?;
        let path = |line: PathLine| PathEnd {
            work: line.work,
            ended: !CUT_OFF.contains(&line.outcome.kind.as_str()),
            tested: line.test.is_some(),
        };
        let fault = |fault: FaultEntry| Fault {
            kind: fault.kind,
            at: fault.at.map_or(String::new(), |at| at.to_string()),
        };
        let sample = |line: &ClockLine| Sample {
            at: Moment {
                wall: line.elapsed_ms as f64,
                cpu: line.cpu_ms as f64,
                work: line.totals.work as f64,
            },
            states: line.totals.states,
        };
        let last = clock.last();
        Ok(RunFiles {
            run: Run {
                ended: summary.ended,
                complete: summary.complete,
                tests: summary.tests,
                paths: summary.totals.paths,
                work: summary.totals.work,
                instructions: summary.totals.instructions,
                forks: summary.totals.forks,
                queries: summary.totals.solver.queries,
                max_states: summary.totals.max_states,
                max_memory: summary.totals.max_memory,
                elapsed_ms: last.map_or(0, |line| line.elapsed_ms),
                cpu_ms: last.map_or(0, |line| line.cpu_ms),
            },
            faults: summary.faults.into_iter().map(fault).collect(),
            samples: thinned(clock.iter().map(sample).collect()),
            paths: paths.into_iter().map(|line| (line.path, path(line))).collect(),
        })
    }

    /// What `byway cover` measured of it.
    pub fn measured(&self, file: &Path) -> Result<Coverage> {
        let cover: CoverFile = json(file)?;
        if !cover.complete {
            return Err(Problem::new(format!("'{}' is not of all tests", file.display())));
        }
        let credit = cover.credit.iter().map(|credit| Credit {
            at: self.written(credit.test),
            lines: credit.lines,
            sides: credit.sides,
        });
        Ok(Coverage {
            how: cover.how,
            tests: cover.tests,
            left_out: cover.left_out,
            lost: cover.lost.values().sum(),
            lines: cover.lines,
            sides: cover.sides,
            credit: credit.collect(),
        })
    }

    /// What the engine says of it, in files whose names end as `measured` says. If tests of
    /// paths that had not ended do not count, what such a test was the first to cover does
    /// not, whether or not another test covers it too: the engine does not tell.
    pub fn own_account(
        &self,
        dir: &Path,
        measured: &[String],
        partial: PartialTests,
    ) -> Result<Coverage> {
        let wanted = |name: &str| {
            measured.is_empty() || measured.iter().any(|end| Path::new(name).ends_with(end))
        };
        let counts = |path: u64| {
            partial == PartialTests::Keep || self.paths.get(&path).is_some_and(|path| path.ended)
        };
        let lines: Files<LineEntry> = json(&dir.join("coverage.json"))?;
        let branches: Files<BranchEntry> = json(&dir.join("branches.json"))?;
        let lines = lines.files.into_iter().filter(|(name, _)| wanted(name));
        let lines: Vec<Option<u64>> =
            lines.flat_map(|(_, lines)| lines).map(|line| line.first_path).collect();
        let branches = branches.files.into_iter().filter(|(name, _)| wanted(name));
        let sides = branches.flat_map(|(_, branches)| branches).flat_map(|branch| branch.sides);
        let sides: Vec<Option<u64>> = sides.map(|side| side.first_path).collect();
        let mut credit: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
        let mut share = |firsts: &[Option<u64>], to: fn(&mut (u64, u64)) -> &mut u64| {
            let covered = firsts.iter().flatten().filter(|path| counts(**path));
            let covered = covered.map(|path| *to(credit.entry(*path).or_default()) += 1).count();
            Share { covered: covered as u64, total: firsts.len() as u64 }
        };
        let (lines, sides) = (share(&lines, |it| &mut it.0), share(&sides, |it| &mut it.1));
        if lines.total == 0 {
            return Err(Problem::new("nothing of the program is measured")
                .hint("'measured' names files by the end of their names"));
        }
        let left_out = match partial {
            PartialTests::Keep => 0,
            PartialTests::Drop => {
                let cut_off = |path: &&PathEnd| path.tested && !path.ended;
                self.paths.values().filter(cut_off).count() as u64
            }
        };
        Ok(Coverage {
            how: "the engine's own account".into(),
            tests: self.run.tests.saturating_sub(left_out),
            left_out,
            lost: 0,
            lines,
            sides,
            credit: credit
                .into_iter()
                .map(|(path, (lines, sides))| Credit { at: self.written(path), lines, sides })
                .collect(),
        })
    }

    /// When a path's test was written: the work is known, the clocks are read off between
    /// the samples around it.
    fn written(&self, path: u64) -> Moment {
        let work = self.paths.get(&path).map_or(self.run.work, |path| path.work) as f64;
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

/// No more samples than are needed for a curve, the last among them.
fn thinned(samples: Vec<Sample>) -> Vec<Sample> {
    let step = samples.len().div_ceil(MOST_SAMPLES).max(1);
    let last = samples.len().wrapping_sub(1);
    let kept = |index: usize| index % step == 0 || index == last;
    samples.into_iter().enumerate().filter(|(index, _)| kept(*index)).map(|(_, it)| it).collect()
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = fs::read(path).map_err(|error| Problem::io("read", path, &error))?;
    serde_json::from_slice(&text).map_err(|error| damaged(path, &error))
}

/// The lines of a file after the first so many; one that is torn is no line.
fn lines<T: DeserializeOwned>(path: &Path, skip: usize) -> Result<Vec<T>> {
    let text = fs::read_to_string(path).map_err(|error| Problem::io("read", path, &error))?;
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let read = |line| serde_json::from_str(line).map_err(|error| damaged(path, &error));
    whole.skip(skip).map(read).collect()
}

fn damaged(path: &Path, error: &serde_json::Error) -> Problem {
    Problem::new(format!("'{}' is not as expected: {error}", path.display()))
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
        let files = RunFiles::read(&recorded()).expect("a run");
        assert_eq!((files.run.ended.as_str(), files.run.complete), ("max-work", false));
        assert_eq!((files.run.work, files.run.tests, files.run.max_states), (1500, 8, 11));
        assert_eq!(files.run.paths.get("out-of-budget"), Some(&11));
        assert_eq!(files.samples.len(), 3);
        assert_eq!(files.samples[0].at, Moment { wall: 1.0, cpu: 22.0, work: 327.0 });
    }

    #[test]
    fn native_coverage_is_credited_when_tests_were_written() {
        let files = RunFiles::read(&recorded()).expect("a run");
        let coverage = files.measured(&recorded().join("cover/cover.json")).expect("measured");
        assert_eq!((coverage.tests, coverage.left_out, coverage.lost), (7, 1, 0));
        assert_eq!(coverage.lines, Share { covered: 29, total: 31 });
        assert_eq!(coverage.sides, Share { covered: 13, total: 15 });
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
    fn the_engines_account_is_of_the_files_that_count() {
        let files = RunFiles::read(&recorded()).expect("a run");
        let of = |measured: &[&str], partial| {
            let measured: Vec<String> = measured.iter().map(|name| name.to_string()).collect();
            files.own_account(&recorded(), &measured, partial)
        };
        let kept = of(&[], PartialTests::Keep).expect("an account");
        assert_eq!(kept.lines, Share { covered: 24, total: 25 });
        assert_eq!((kept.tests, kept.left_out), (8, 0));
        let dropped = of(&["tlv.c"], PartialTests::Drop).expect("an account");
        assert_eq!(dropped.lines, Share { covered: 23, total: 25 });
        assert_eq!(dropped.sides, Share { covered: 13, total: 15 });
        assert_eq!((dropped.tests, dropped.left_out), (7, 1));
        assert!(of(&["other.c"], PartialTests::Keep).is_err());
    }

    #[test]
    fn what_is_missing_is_named() {
        let why = RunFiles::read(Path::new("nowhere")).err().expect("no run").to_string();
        assert!(why.contains("cannot read 'nowhere/summary.json'"), "{why}");
    }

    #[test]
    fn few_samples_are_kept_and_the_last() {
        let samples = |count: u64| {
            let sample = |states| Sample { at: Moment::default(), states };
            thinned((0..count).map(sample).collect())
        };
        assert_eq!(samples(0).len(), 0);
        assert_eq!(samples(300).len(), 300);
        let thin = samples(1000);
        assert!(thin.len() <= MOST_SAMPLES && thin.last().is_some_and(|it| it.states == 999));
    }
}
