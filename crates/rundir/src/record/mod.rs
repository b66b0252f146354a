//! The records of a run directory, one module per file or group of files.

mod clock;
mod coverage;
mod differences;
mod learnt;
mod manifest;
mod markov;
mod path;
mod seeds;
mod shares;
mod summary;
mod targets;

pub use clock::{ClockStart, JobRecord, SampleRecord, SittingRecord};
pub use coverage::{BranchRecord, BranchesRecord, CoverageRecord, LineRecord, SideRecord};
pub use differences::{
    CombinationsRecord, DifferenceKind, DifferencesRecord, DifferingPart, TestDifference,
};
pub use learnt::LearntRecord;
pub use manifest::{
    ByteString, CampaignRecord, CompilerRecord, ConfigRecord, EntryRecord, LimitRecord,
    PlannedRunRecord, ProgramFile, ProgramRecord, RunManifest,
};
pub use markov::{BlockRecord, BlockRewardRecord, MarkovRecord, NextBlockRecord};
pub use path::{FaultRecord, OutcomeRecord, PathRecord};
pub use seeds::{SeedCounts, SeedSettings};
pub use shares::{SharesRecord, SliceRecord};
pub use summary::{
    BackwardCounts, CampaignCounts, CoverageCounts, EndReason, FaultCount, LayerRecord,
    LossesRecord, RandomCounts, ReductionCounts, RetryCounts, RunSummary, SolverRecord,
    TargetCounts, TotalsRecord,
};
pub use targets::{TargetLine, TargetRecord, TargetsRecord, VerdictRecord};
