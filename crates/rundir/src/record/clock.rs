//! `clock.jsonl`: everything that depends on time.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{ByteString, TotalsRecord};

/// The first line of `clock.jsonl`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ClockStart {
    /// [`SCHEMA`](crate::SCHEMA).
    pub schema: u32,
    /// When exploration began, in milliseconds since 1970.
    pub started_ms: u64,
    /// Time spent loading the program.
    pub load_ms: u64,
}

/// A line of `sittings.jsonl`: the run went on after it had ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SittingRecord {
    /// [`SCHEMA`](crate::SCHEMA).
    pub schema: u32,
    /// When it went on, in milliseconds since 1970.
    pub started_ms: u64,
    /// The options that were given then, in addition to those before.
    pub options: Vec<ByteString>,
    /// In a campaign: the number of its run, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<u64>,
    /// Processor time of the sittings before.
    pub cpu_ms: u64,
    /// Paths that had ended.
    pub paths: u64,
    /// States that it went on with; `None` if there was no checkpoint, so that it began at the
    /// program's start.
    pub states: Option<u64>,
}

/// Every other line of `clock.jsonl`: the state of the run at one time.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SampleRecord {
    /// Time since exploration began.
    pub elapsed_ms: u64,
    /// Processor time of the whole process, all threads added up.
    #[serde(default)]
    pub cpu_ms: u64,
    /// Resident memory of the process in bytes.
    pub process_memory: u64,
    /// The maximum of that so far.
    #[serde(default)]
    pub max_process_memory: u64,
    /// Tests written.
    pub tests: u64,
    /// Distinct faults.
    pub faults: u64,
    /// Sums over the run so far.
    pub totals: TotalsRecord,
    /// On the last line of a run that ended: the solver's time by layer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver_ms: Option<BTreeMap<String, f64>>,
    /// On the last line of a run with several workers: each worker's counters. They differ
    /// between equal runs, so they are here and not in the summary.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jobs: Vec<JobRecord>,
}

/// The counters of one worker.
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
