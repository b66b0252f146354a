//! The directory a run leaves behind: what is in it, how it is written as the run
//! goes, and how it is read again. `docs/run-directory.md` describes it for readers
//! outside this program.
//!
//! A run may be killed at any moment: a test is there whole or not at all, and of a
//! file of lines only the last line can be torn. What tells the time of day or how
//! long something took stands in one file of its own; everything else is the same in
//! every run with the same program, options, seed and limit on work.

mod directory;
mod error;
mod lines;
mod reader;
mod record;
mod writer;
mod writer_thread;

pub use directory::RunDirectory;
pub use error::{Result, RunDirError};
pub use reader::{ClockData, RunReader};
pub use record::{
    BranchRecord, BranchesRecord, ByteString, ClockStart, CompilerRecord, ConfigRecord,
    CoverageCounts, CoverageRecord, EndReason, FaultCount, FaultRecord, JobRecord, LayerRecord,
    LimitRecord, LineRecord, LossesRecord, OutcomeRecord, PathRecord, ProgramFile, ProgramRecord,
    RandomCounts, RunManifest, RunSummary, SampleRecord, SeedCounts, SeedSettings, SharesRecord,
    SideRecord, SliceRecord, SolverRecord, TotalsRecord,
};
pub use writer::RunWriter;

/// The version of all this. It rises when a reader of the old form would misread the
/// new one.
pub const SCHEMA: u32 = 1;

const MANIFEST: &str = "manifest.json";
const TESTS: &str = "tests";
const PATHS: &str = "paths.jsonl";
const FAULTS: &str = "faults.jsonl";
const SUMMARY: &str = "summary.json";
const COVERAGE: &str = "coverage.json";
const BRANCHES: &str = "branches.json";
const CLOCK: &str = "clock.jsonl";

/// The file of the test of the path with this number.
pub fn test_name(path: u64) -> String {
    format!("{path:06}.{}", byway_testcase::ktest::EXTENSION)
}
