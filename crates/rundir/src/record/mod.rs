//! The records a run directory is made of, as they stand in its files.

mod branches;
mod manifest;
mod path;
mod seeds;
mod shares;
mod totals;

pub use branches::{BranchRecord, BranchesRecord, SideRecord};
pub use manifest::{Compiler, LimitRecord, Manifest, Program, ProgramFile, Settings, Text};
pub use path::{FaultRecord, OutcomeRecord, PathRecord};
pub use seeds::{SeedCounts, SeedSettings};
pub use shares::{SharesRecord, SliceRecord};
pub use totals::{
    ClockStart, CoverageCounts, CoverageRecord, Ended, FaultCount, JobRecord, LayerRecord,
    LineRecord, Lost, RandomCounts, Sample, Solver, Summary, Totals,
};
