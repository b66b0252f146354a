//! An experiment as its file describes it: programs, strategies, seeds, budget and
//! measure.

pub(crate) mod document;
mod read;
mod variables;

pub use read::read;
pub use variables::Variables;

use std::time::Duration;

/// A commented experiment on the programs of `examples`.
pub const EXAMPLE: &str = include_str!("example.toml");

/// An experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct Experiment {
    /// What it is called.
    pub name: String,
    /// Its purpose, shown in the report.
    pub description: String,
    /// The limits of each run.
    pub budget: ExperimentBudget,
    /// The seeds: each strategy explores each program once with each.
    pub seeds: Vec<u64>,
    /// The number of concurrent runs.
    pub jobs: usize,
    /// Who measures coverage.
    pub coverage: CoverageSource,
    /// What of the coverage is compared.
    pub measure: CoverageMeasure,
    /// Whether tests of paths that had not ended count.
    pub partial_tests: PartialTests,
    /// Whether run directories stay when they have been measured.
    pub keep_runs: bool,
    /// The strategy the others are compared with; the best one if `None`.
    pub baseline: Option<usize>,
    /// Options of all runs.
    pub options: OptionWords,
    /// The programs.
    pub programs: Vec<ProgramSpec>,
    /// The strategies.
    pub strategies: Vec<Strategy>,
}

/// Words, and the line of the file that they are on.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OptionWords {
    /// The words; empty if the key is absent.
    pub words: Vec<String>,
    /// The line.
    pub line: usize,
}

/// The limits of a run; at least one is set.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ExperimentBudget {
    /// Wall time.
    pub time: Option<Duration>,
    /// Processor time.
    pub cpu: Option<Duration>,
    /// In work.
    pub work: Option<u64>,
}

/// Who measures coverage.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CoverageSource {
    /// `byway cover`, on the program built natively.
    Gcov,
    /// The engine, as recorded in the run directory.
    Engine,
}

impl CoverageSource {
    /// Its name in experiments.
    pub const NAMES: [(&'static str, CoverageSource); 2] =
        [("gcov", CoverageSource::Gcov), ("engine", CoverageSource::Engine)];
}

/// What of the coverage is compared.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CoverageMeasure {
    /// Lines.
    Lines,
    /// Sides of branches.
    Branches,
}

impl CoverageMeasure {
    /// Its name in experiments.
    pub const NAMES: [(&'static str, CoverageMeasure); 2] =
        [("lines", CoverageMeasure::Lines), ("branches", CoverageMeasure::Branches)];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            CoverageMeasure::Lines => "lines",
            CoverageMeasure::Branches => "branch sides",
        }
    }
}

/// Whether tests of paths that had not ended count.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum PartialTests {
    /// They do.
    Keep,
    /// They do not.
    Drop,
}

impl PartialTests {
    /// Its name in experiments.
    pub const NAMES: [(&'static str, PartialTests); 2] =
        [("keep", PartialTests::Keep), ("drop", PartialTests::Drop)];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            PartialTests::Keep => "keep",
            PartialTests::Drop => "drop",
        }
    }
}

/// A program.
#[derive(Clone, PartialEq, Debug)]
pub struct ProgramSpec {
    /// What it is called.
    pub name: String,
    /// The line of the file that it is on.
    pub line: usize,
    /// The files it is made of.
    pub files: Vec<String>,
    /// The line on which they are named.
    pub files_line: usize,
    /// Options of its runs, such as its symbolic inputs.
    pub options: OptionWords,
    /// Arguments of its own.
    pub args: Vec<String>,
    /// An executable built with coverage, if `byway cover` should not build one, and the
    /// line on which it is named.
    pub coverage_build: Option<(String, usize)>,
    /// The directory of its `.gcno` files.
    pub notes: Option<String>,
    /// Where to look for sources.
    pub source_dirs: Vec<String>,
    /// The ends of the names of the sources that are measured; all if empty.
    pub measured: Vec<String>,
}

/// A strategy.
#[derive(Clone, PartialEq, Debug)]
pub struct Strategy {
    /// What it is called.
    pub name: String,
    /// The line of the file that it is on.
    pub line: usize,
    /// How it searches, as options of its runs.
    pub search: OptionWords,
    /// Their other options.
    pub options: OptionWords,
}
