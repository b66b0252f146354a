//! `run.stats` and `run.istats`.

use std::path::Path;
use std::time::Duration;

use byway_klee_stats::istats::{self, KleeProfile};
use byway_klee_stats::run_stats::{KleeStatsRow, KleeStatsWriter};
use byway_rundir::{Result, RunDirError, SampleRecord};

use super::covered_code::{CodeCounts, CoveredCode};

/// The name of the database.
const STATISTICS: &str = "run.stats";

/// Appends rows to `run.stats`.
pub struct KleeStatistics(KleeStatsWriter);

impl KleeStatistics {
    pub fn create(directory: &Path) -> Result<KleeStatistics> {
        let path = directory.join(STATISTICS);
        KleeStatsWriter::create(&path).map(KleeStatistics).map_err(|error| failed(&error))
    }

    pub fn append(&mut self, sample: &SampleRecord, code: CodeCounts) -> Result<()> {
        self.0.append(&row(sample, code)).map_err(|error| failed(&error))
    }

    pub fn finish(self) -> Result<()> {
        self.0.finish().map_err(|error| failed(&error))
    }
}

fn failed(error: &impl std::fmt::Display) -> RunDirError {
    RunDirError::new(format!("cannot write {STATISTICS}: {error}"))
}

/// A row from statistics of Byway. Forks are in the column that is closest to what was
/// decided; what Byway does not count is zero.
fn row(sample: &SampleRecord, code: CodeCounts) -> KleeStatsRow {
    let totals = &sample.totals;
    let paths = |kind: &str| totals.paths.get(kind).copied().unwrap_or(0);
    let forks = |kind: &str| totals.forks_by.get(kind).copied().unwrap_or(0);
    let layer = |name: &str| totals.solver.layers.iter().find(|layer| layer.name == name);
    let (asked, answered) = layer("cache").map_or((0, 0), |it| (it.asked, it.answered));
    let below_cache = ["blast", "backend"].into_iter().filter_map(layer);
    let milliseconds = |names: &[&str]| {
        let times = sample.solver_ms.iter().flatten();
        let sum = times.filter(|(name, _)| names.is_empty() || names.contains(&name.as_str()));
        Duration::try_from_secs_f64(sum.map(|(_, ms)| ms / 1e3).sum()).unwrap_or_default()
    };
    let dropped: u64 = totals.lost.dropped.values().sum();
    let undecided: u64 = totals.lost.undecided.values().sum();
    KleeStatsRow {
        instructions: totals.instructions,
        full_branches: code.full_branches,
        partial_branches: code.partial_branches,
        num_branches: code.branches,
        user_time: Duration::from_millis(sample.cpu_ms),
        num_states: totals.states,
        malloc_usage: sample.process_memory,
        queries: totals.solver.queries,
        solver_queries: below_cache.map(|it| it.answered).sum(),
        num_query_constructs: totals.solver.conjuncts_kept,
        wall_time: Duration::from_millis(sample.elapsed_ms),
        covered_instructions: code.covered_instructions,
        uncovered_instructions: code.instructions - code.covered_instructions,
        query_time: milliseconds(&["blast", "backend"]),
        solver_time: milliseconds(&[]),
        cex_cache_time: milliseconds(&["cache", "blast", "backend"]),
        query_cache_misses: asked - answered.min(asked),
        query_cache_hits: answered,
        query_cex_cache_misses: asked - answered.min(asked),
        query_cex_cache_hits: answered,
        inhibited_forks: dropped,
        states: totals.forks + 1,
        branches_conditional: forks("branch"),
        branches_indirect: forks("jump"),
        branches_switch: forks("switch"),
        branches_call: forks("call"),
        branches_mem_op: forks("check") + forks("block"),
        branches_resolve_pointer: forks("object"),
        branches_alloc: forks("size"),
        branches_get_val: forks("choice"),
        termination_exit: paths("exit"),
        termination_early: paths("out-of-budget") + paths("interrupted") + paths("dropped"),
        termination_solver_error: undecided,
        termination_program_error: paths("fault"),
        termination_execution_error: paths("unsupported") + paths("internal-error"),
        termination_early_user: paths("excluded"),
        ..KleeStatsRow::default()
    }
}

/// Writes `run.istats`.
pub fn write_profile(directory: &Path, program: &str, code: &CoveredCode) -> Result<()> {
    let path = directory.join(istats::FILE);
    let profile = KleeProfile {
        program: program.to_string(),
        object: "assembly.ll".into(),
        functions: code.profile(),
    };
    profile.write(&path).map_err(|error| RunDirError::io("write", &path, &error))
}
