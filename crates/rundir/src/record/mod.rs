//! The records a run directory is made of, as they stand in its files.

mod branches;
mod manifest;
mod path;
mod seeds;
mod shares;
mod totals;

pub use branches::{BranchRecord, BranchesRecord, SideRecord};
pub use manifest::{
    ByteString, CompilerRecord, ConfigRecord, LimitRecord, ProgramFile, ProgramRecord, RunManifest,
};
pub use path::{FaultRecord, OutcomeRecord, PathRecord};
pub use seeds::{SeedCounts, SeedSettings};
pub use shares::{SharesRecord, SliceRecord};
pub use totals::{
    ClockStart, CoverageCounts, CoverageRecord, EndReason, FaultCount, JobRecord, LayerRecord,
    LineRecord, LossesRecord, RandomCounts, RunSummary, SampleRecord, SolverRecord, TotalsRecord,
};
