//! Sums over a run: at its end in `summary.json`, on the way in `clock.jsonl`.

use std::collections::BTreeMap;

use byway_base::SrcLoc;
use serde::{Deserialize, Serialize};

use super::{SeedCounts, SharesRecord};

/// `summary.json`: what a run came to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunSummary {
    /// The version of the whole directory.
    pub schema: u32,
    /// Why the run ended.
    pub ended: EndReason,
    /// Whether every path was explored, and nothing lost.
    pub complete: bool,
    /// Tests written.
    pub tests: u64,
    /// The distinct faults, and on how many paths each was found.
    pub faults: Vec<FaultCount>,
    /// The sums.
    pub totals: TotalsRecord,
    /// What became of seeds, if any were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<SeedCounts>,
    /// How searchers shared the work, for each that is made of such.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<SharesRecord>,
}

/// Why a run ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// There was nothing left to explore.
    Done,
    /// The limit on work was reached.
    MaxWork,
    /// The limit on time was reached.
    MaxTime,
    /// The limit on processor time.
    MaxCpu,
    /// As many tests as wanted were written.
    MaxTests,
    /// As many faults as wanted were found.
    MaxFaults,
    /// The user asked.
    Interrupted,
    /// The directory could not be written any more.
    WriteFailed,
    /// It did not: it was killed, or runs still. No file says so; readers do.
    CutShort,
}

/// How often a fault was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FaultCount {
    /// Its number in `faults.jsonl`.
    pub id: u64,
    /// The name of its kind.
    pub kind: String,
    /// The place that is to blame.
    pub at: Option<SrcLoc>,
    /// On how many paths it was found.
    pub count: u64,
}

/// Sums over a run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TotalsRecord {
    /// Work done.
    pub work: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Those of them by which inputs came to the branch they were solved for.
    #[serde(default)]
    pub followed: u64,
    /// Paths by the kind of their outcome.
    pub paths: BTreeMap<String, u64>,
    /// Forks.
    pub forks: u64,
    /// States that live.
    pub states: u64,
    /// Those of them whose feasibility is not decided.
    pub pending: u64,
    /// The most states that lived at once.
    pub max_states: u64,
    /// Bytes of states, terms and the solver, as accounted.
    pub memory: u64,
    /// The most of that.
    pub max_memory: u64,
    /// How often the process itself came to the limit on memory.
    #[serde(default)]
    pub memory_shortages: u64,
    /// What the solver did.
    pub solver: SolverRecord,
    /// What tests cover.
    pub coverage: CoverageCounts,
    /// What was lost.
    pub lost: LossesRecord,
    /// What became of random inputs, if any were run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub random: Option<RandomCounts>,
}

/// What became of random inputs.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // as in `byway_engine::RandomTotals`
pub struct RandomCounts {
    pub drawn: u64,
    pub repeated: u64,
}

/// What the solver did.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // as in `byway_solver::Statistics`
pub struct SolverRecord {
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    /// Queries without an answer, by the reason.
    pub unknown: BTreeMap<String, u64>,
    /// Answers that a bare backend was asked about and confirmed.
    pub confirmed: u64,
    /// Answers that a bare backend contradicted.
    pub disagreements: u64,
    /// Layer by layer, in the order they are asked.
    pub layers: Vec<LayerRecord>,
    pub conjuncts: u64,
    pub conjuncts_kept: u64,
    pub effort: u64,
    pub translated: u64,
    pub instances: u64,
    pub conjuncts_shared: u64,
    pub conjuncts_asserted: u64,
}

/// How many queries reached a layer of the solver, and how many ended there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // the line above says it
pub struct LayerRecord {
    pub name: String,
    pub asked: u64,
    pub answered: u64,
}

/// How much of the user's code the tests cover.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // as in `byway_engine::Coverage`
pub struct CoverageCounts {
    pub lines: u32,
    pub lines_total: u32,
    pub branches: u32,
    pub branches_total: u32,
}

/// What was not explored, and why.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LossesRecord {
    /// States given up, by the limit.
    pub dropped: BTreeMap<String, u64>,
    /// States the solver could not decide, by the reason.
    pub undecided: BTreeMap<String, u64>,
    /// Inputs that did not come to the branch they were solved for.
    #[serde(default)]
    pub diverged: u64,
    /// Values fixed to one of several, by what they were used for.
    pub concretised: BTreeMap<String, u64>,
    /// What is missing, by name: each ended a path.
    pub unsupported: BTreeMap<String, u64>,
    /// What was answered with "not implemented", by name.
    pub warnings: BTreeMap<String, u64>,
    /// States that lived when the run was stopped.
    pub unfinished: u64,
}

impl TotalsRecord {
    /// All paths that ended.
    pub fn path_count(&self) -> u64 {
        self.paths.values().sum()
    }

    /// Whether nothing was left out.
    pub fn nothing_lost(&self) -> bool {
        let whole = |kind: &String| matches!(kind.as_str(), "exit" | "fault" | "excluded");
        self.random.is_none()
            && self.lost == LossesRecord::default()
            && self.paths.keys().all(whole)
    }
}

/// `coverage.json`: line by line, what the tests cover of the user's own code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CoverageRecord {
    /// The version of the whole directory.
    pub schema: u32,
    /// The files, by name.
    pub files: BTreeMap<String, Vec<LineRecord>>,
}

/// A line with code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LineRecord {
    /// Its number.
    pub line: u32,
    /// The first path whose test runs it.
    pub first_path: Option<u64>,
    /// The sides of branches on it.
    pub branches: u32,
    /// Those of them that some test takes.
    pub taken: u32,
}

/// The first line of `clock.jsonl`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ClockStart {
    /// The version of the whole directory.
    pub schema: u32,
    /// When exploring began, in milliseconds since 1970.
    pub started_ms: u64,
    /// How long loading the program had taken.
    pub load_ms: u64,
}

/// Every other line of `clock.jsonl`: how far the run was.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SampleRecord {
    /// Time since exploring began.
    pub elapsed_ms: u64,
    /// The processor's time of the whole process so far, all its threads together.
    #[serde(default)]
    pub cpu_ms: u64,
    /// Memory of the process in bytes.
    pub process_memory: u64,
    /// The most of that so far.
    #[serde(default)]
    pub max_process_memory: u64,
    /// Tests written.
    pub tests: u64,
    /// Distinct faults.
    pub faults: u64,
    /// The sums.
    pub totals: TotalsRecord,
    /// On the last line of a run that ended: the solver's time by layer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver_ms: Option<BTreeMap<String, f64>>,
    /// On the last line of a run that several jobs shared: what each did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jobs: Vec<JobRecord>,
}

/// What one of several jobs did. It is not the same each time, and so belongs to the clock.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // as in `byway_engine::WorkerTotals`
pub struct JobRecord {
    pub paths: u64,
    pub instructions: u64,
    pub forks: u64,
    pub queries: u64,
    pub given: u64,
    pub taken: u64,
    pub followed: u64,
    pub diverged: u64,
    pub idle_ms: u64,
}
