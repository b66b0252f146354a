//! The run directory: what `byway run` writes while it explores, and how programs read it.
//!
//! ```text
//! RunDirectory ──▶ RunWriter ──▶ manifest, tests, paths, faults, clock, summary, coverage
//!                                    │
//!                                RunReader ──▶ byway's reports, lab, bench
//! ```
//!
//! `docs/run-directory.md` describes the files for other programs. The records in
//! [`record`](crate) are the only definition of them: byway, lab and bench all use these. The
//! crate knows neither engine nor solver; byway converts their results into records.
//!
//! # Guarantees
//!
//! A run may be killed at any time. Every file that is one JSON object, and every test, is
//! written under another name and renamed, so it is complete or absent. Records are appended to
//! `.jsonl` files in whole lines, so at most the last line is incomplete, and readers ignore it.
//! Only `clock.jsonl` depends on time: the other files are identical in every run with the same
//! program, options, seed and work budget.
//!
//! # Truncated paths
//!
//! A path is *truncated* if a limit of the path or of the run, an interrupt, or a drop ended it
//! before the program did: its outcome is `out-of-budget`, `interrupted` or `dropped`
//! ([`OutcomeRecord::is_truncated`]). A path that needs something Byway does not support is not
//! truncated: it ends there in every run, whatever its limits. `--partial-tests` and all figures of
//! truncated paths use this definition.

#![forbid(unsafe_code)]

mod checkpoint;
mod directory;
mod error;
mod learnt;
mod lines;
mod reader;
mod record;
mod run_so_far;
mod test_pack;
mod writer;
mod writer_thread;

pub use checkpoint::{CheckpointRecord, SavedStates};
pub use directory::RunDirectory;
pub use error::{Result, RunDirError};
pub use reader::{ClockData, RunReader};
pub use record::{
    BackwardCounts, BranchRecord, BranchesRecord, ByteString, CampaignCounts, CampaignRecord,
    ClockStart, CombinationsRecord, CompilerRecord, ConfigRecord, CoverageCounts, CoverageRecord,
    DifferenceKind, DifferencesRecord, DifferingPart, EndReason, EntryRecord, FaultCount,
    FaultRecord, JobRecord, LayerRecord, LearntRecord, LimitRecord, LineRecord, LossesRecord,
    OutcomeRecord, PathRecord, PlannedRunRecord, ProgramFile, ProgramRecord, RandomCounts,
    ReductionCounts, RetryCounts, RunManifest, RunSummary, SampleRecord, SeedCounts, SeedSettings,
    SharesRecord, SideRecord, SittingRecord, SliceRecord, SolverRecord, TargetCounts, TargetLine,
    TargetRecord, TargetsRecord, TestDifference, TotalsRecord, VerdictRecord,
};
pub use record::{BlockRecord, BlockRewardRecord, MarkovRecord, NextBlockRecord};
pub use run_so_far::RunSoFar;
pub use writer::{RunWriter, write_combination, write_differences, write_targets};

/// The version of the whole directory. It rises when a reader of the old version would misread
/// the new one; fields may be added without that.
pub const SCHEMA: u32 = 1;

const MANIFEST: &str = "manifest.json";
const TESTS: &str = "tests";
const TEST_PACK: &str = "tests.pack";
const PATHS: &str = "paths.jsonl";
const FAULTS: &str = "faults.jsonl";
const SUMMARY: &str = "summary.json";
const COVERAGE: &str = "coverage.json";
const BRANCHES: &str = "branches.json";
const CLOCK: &str = "clock.jsonl";
const CHECKPOINT: &str = "checkpoint";
const LEARNT: &str = "learnt.jsonl";
const SITTINGS: &str = "sittings.jsonl";
const TARGETS: &str = "targets.json";
const DIFFERENCES: &str = "differences.jsonl";
const COMBINATIONS: &str = "combinations";

/// The name of the test file of the path with this number.
pub fn test_name(path: u64) -> String {
    format!("{path:06}.{}", byway_testcase::ktest::EXTENSION)
}
