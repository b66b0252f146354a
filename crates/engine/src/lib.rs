//! The execution engine: runs and explores a module of Byway's IR on memory of its own. It
//! does no I/O: the host is reached only through [`Env`], results go to an [`Observer`].
//!
//! A [`byway_ir::Module`] is laid out as a program, with an address for every symbol. Its
//! functions are compiled to a register bytecode when they are first called. The interpreter
//! runs that bytecode on a copy-on-write state and returns what happened: to [`run`] for
//! concrete runs, to [`explore`] for symbolic ones.

#![forbid(unsafe_code)]

mod branch_trace;
mod bytecode;
mod call_paths;
mod config;
mod coverage;
mod dependence;
mod deterministic_env;
mod env;
mod exec;
mod explore;
mod interp;
mod intrinsic;
mod memory;
mod origin;
mod partial_trace;
mod path_info;
mod points_to;
mod program;
mod program_chain;
mod pure_functions;
mod random_inputs;
mod reason;
mod seeds;
mod stack_arguments;
mod state;
mod stop;
mod target_index;
mod ubsan;
mod undefined;
mod underconstrained;
mod value;
mod watch;

pub use branch_trace::{BranchDecisions, BranchTrace};
pub use bytecode::PointsToCheck;
pub use bytecode::value_log::{RecordedValue, RecordedValues, ValueSite};
pub use config::{Checks, Config, Invocation, LongDoubles, UnsetMemory};
pub use coverage::{
    BranchCoverage, Coverage, CoverageSite, LineCoverage, SideCoverage, UntakenReasons,
};
pub use coverage::{straight_from, user_sites as coverage_sites};
pub use dependence::{ChangedCode, ChangedLines, GiveUpReason};
pub use deterministic_env::{DeterministicEnv, OutputReceiver};
pub use env::{ClockKind, Env, HostFile, HostFiles};
pub use exec::{RunResult, Runner, Stats, check_points_to, run};
pub use explore::{
    BackwardTotals, CampaignTotals, CheckpointChanges, CombinationStop, CombinationTotals,
    CombinedEndings, CombinedTest, ComparedBuild, Control, EarlierKnowledge, Exploration,
    ExploreConfig, FaultFilter, Feasibility, Limits, LocatedReward, Losses, MakeExecutor,
    MarkovRewards, NamedBlock, Observer, PathConditionLanguages, PathConditionText, PathEnd,
    PrecedingFault, RandomTotals, Reduction, ReductionTotals, ResumePoint, RetryTotals,
    SearchStrategy, SeedTotals, Share, ShareLimits, StopReason, Target, TargetOutcome,
    TargetTotals, TestSelection, Totals, UnfinishedTests, WorkerPool, WorkerTotals,
    combine_endings, explore, explore_in_jobs,
};
pub use interp::UNSET_PREFIX;
pub use intrinsic::is_supplied;
pub use points_to::points_to;
pub use pure_functions::{CALLING_EXTERNAL, ExternalCalls, PureCall, PureFunction, pure_function};
pub use random_inputs::{ConcreteRun, ConcreteRuns, ExecutedInputs, InputExecutor, NovelInput};
pub use reason::{ConcretisationReason, SeedLossReason, UndecidedReason};
pub use seeds::Seed;
pub use target_index::{NamedTarget, TargetIndex, TargetKind, normalised_path};
pub use underconstrained::{
    EntryError, InputShape, PointerTarget, ShapeKind, ShapeObject, ShapePointer,
    UnconstrainedOptions, add_entry, start_at,
};
