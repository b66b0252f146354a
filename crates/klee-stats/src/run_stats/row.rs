//! The columns of `run.stats`.

use std::time::Duration;

/// Defines the row together with its columns, so that the two cannot differ.
macro_rules! columns {
    ($($(#[$doc:meta])* $field:ident: $type:ty => $column:literal $affinity:ident,)*) => {
        /// A row of `run.stats`: the state of a run at one moment. Counts are totals since the
        /// run's start.
        #[derive(Clone, PartialEq, Eq, Debug, Default)]
        pub struct KleeStatsRow {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl KleeStatsRow {
            /// Names and types of the columns.
            pub(super) const COLUMNS: &[(&str, &str)] =
                &[$(($column, stringify!($affinity)),)* ("ArrayHashTime", "INTEGER")];

            /// The values, in the order of the columns.
            pub(super) fn values(&self) -> impl Iterator<Item = i64> {
                [$(self.$field.stored(),)* ARRAY_HASH_TIME].into_iter()
            }
        }
    };
}

/// KLEE measures this time only if it is built for that, and writes -1 otherwise.
const ARRAY_HASH_TIME: i64 = -1;

/// The representation of a value in the database.
trait Stored {
    fn stored(&self) -> i64;
}

impl Stored for u64 {
    fn stored(&self) -> i64 {
        i64::try_from(*self).unwrap_or(i64::MAX)
    }
}

impl Stored for Duration {
    fn stored(&self) -> i64 {
        i64::try_from(self.as_micros()).unwrap_or(i64::MAX)
    }
}

columns! {
    /// Instructions executed.
    instructions: u64 => "Instructions" INTEGER,
    /// Conditional branches of the program of which both sides were taken.
    full_branches: u64 => "FullBranches" INTEGER,
    /// Conditional branches of the program of which one side was taken.
    partial_branches: u64 => "PartialBranches" INTEGER,
    /// Conditional branches in the program.
    num_branches: u64 => "NumBranches" INTEGER,
    /// Processor time in user mode.
    user_time: Duration => "UserTime" REAL,
    /// Live states.
    num_states: u64 => "NumStates" INTEGER,
    /// Memory in use, in bytes.
    malloc_usage: u64 => "MallocUsage" INTEGER,
    /// Queries to the first layer of the solver.
    queries: u64 => "Queries" INTEGER,
    /// Queries that reached the SMT solver itself.
    solver_queries: u64 => "SolverQueries" INTEGER,
    /// The size of the queries that reached the SMT solver, in expressions.
    num_query_constructs: u64 => "NumQueryConstructs" INTEGER,
    /// Time since the run's start.
    wall_time: Duration => "WallTime" REAL,
    /// Instructions of the program that were executed.
    covered_instructions: u64 => "CoveredInstructions" INTEGER,
    /// Instructions of the program that were not executed yet.
    uncovered_instructions: u64 => "UncoveredInstructions" INTEGER,
    /// Time in the SMT solver itself.
    query_time: Duration => "QueryTime" INTEGER,
    /// Time in all layers of the solver.
    solver_time: Duration => "SolverTime" INTEGER,
    /// Time in the counterexample cache and the layers behind it.
    cex_cache_time: Duration => "CexCacheTime" INTEGER,
    /// Time for copying states.
    fork_time: Duration => "ForkTime" INTEGER,
    /// Time for finding the objects that symbolic pointers refer to.
    resolve_time: Duration => "ResolveTime" INTEGER,
    /// Queries that the query cache did not answer.
    query_cache_misses: u64 => "QueryCacheMisses" INTEGER,
    /// Queries that the query cache answered.
    query_cache_hits: u64 => "QueryCacheHits" INTEGER,
    /// Queries that the counterexample cache did not answer.
    query_cex_cache_misses: u64 => "QueryCexCacheMisses" INTEGER,
    /// Queries that the counterexample cache answered.
    query_cex_cache_hits: u64 => "QueryCexCacheHits" INTEGER,
    /// Forks that a limit prevented.
    inhibited_forks: u64 => "InhibitedForks" INTEGER,
    /// Calls of functions outside of the program.
    external_calls: u64 => "ExternalCalls" INTEGER,
    /// Heap objects that the program allocated.
    allocations: u64 => "Allocations" INTEGER,
    /// States created.
    states: u64 => "States" INTEGER,
    /// Forks at conditional branches.
    branches_conditional: u64 => "BranchesConditional" INTEGER,
    /// Forks at jumps to computed labels.
    branches_indirect: u64 => "BranchesIndirect" INTEGER,
    /// Forks at switches.
    branches_switch: u64 => "BranchesSwitch" INTEGER,
    /// Forks at calls through symbolic function pointers.
    branches_call: u64 => "BranchesCall" INTEGER,
    /// Forks at loads and stores with symbolic addresses.
    branches_mem_op: u64 => "BranchesMemOp" INTEGER,
    /// Forks for the objects that a symbolic pointer refers to.
    branches_resolve_pointer: u64 => "BranchesResolvePointer" INTEGER,
    /// Forks at allocations of symbolic size.
    branches_alloc: u64 => "BranchesAlloc" INTEGER,
    /// Forks at reallocations of symbolic size.
    branches_realloc: u64 => "BranchesRealloc" INTEGER,
    /// Forks at frees of symbolic pointers.
    branches_free: u64 => "BranchesFree" INTEGER,
    /// Forks where the program asks for a value while it follows a seed.
    branches_get_val: u64 => "BranchesGetVal" INTEGER,
    /// States that reached the end of their path.
    termination_exit: u64 => "TerminationExit" INTEGER,
    /// States that a limit or the user ended.
    termination_early: u64 => "TerminationEarly" INTEGER,
    /// States that ended because the solver gave up.
    termination_solver_error: u64 => "TerminationSolverError" INTEGER,
    /// States that ended with a fault of the program.
    termination_program_error: u64 => "TerminationProgramError" INTEGER,
    /// States that ended with a wrong use of KLEE's functions.
    termination_user_error: u64 => "TerminationUserError" INTEGER,
    /// States that ended at something unsupported.
    termination_execution_error: u64 => "TerminationExecutionError" INTEGER,
    /// States that the search itself ended, as when states are merged.
    termination_early_algorithm: u64 => "TerminationEarlyAlgorithm" INTEGER,
    /// States that ended silently at the program's request.
    termination_early_user: u64 => "TerminationEarlyUser" INTEGER,
}
