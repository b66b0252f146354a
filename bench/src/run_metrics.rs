//! The figures of a run directory that several benchmarks need.

use std::path::Path;

use byway_rundir::{RunReader, RunSummary, SampleRecord};

/// The figures of one run.
#[derive(Debug, PartialEq)]
pub struct RunMetrics {
    /// Every path was explored, and nothing was lost.
    pub complete: bool,
    /// The losses, as JSON.
    pub lost: String,
    /// Paths, without those that the program itself excluded.
    pub paths: u64,
    pub faulty_paths: u64,
    /// Paths that a limit, an interrupt or a drop cut short (`byway_rundir`).
    pub truncated_paths: u64,
    pub max_states: u64,
    pub instructions: u64,
    pub queries: u64,
    /// Queries that no cheap layer answered, so that they took a search.
    pub searched_queries: u64,
    /// The most memory of the process seen in a sample, in bytes.
    pub process_memory: u64,
    /// Seconds from the first instruction to the end.
    pub explore_seconds: f64,
    /// Processor seconds, including loading.
    pub cpu_seconds: f64,
    /// Seconds in the solver.
    pub solver_seconds: f64,
    /// Of these, seconds in the searches of its fast path and its backend.
    pub search_seconds: f64,
}

impl RunMetrics {
    /// Reads the directory of a run that has ended.
    pub fn read(dir: &Path) -> Result<Self, String> {
        let read = || {
            let run = RunReader::open(dir)?;
            Ok((run.ended_summary()?, run.samples()?))
        };
        let (summary, samples) = read().map_err(|e: byway_rundir::RunDirError| e.to_string())?;
        RunMetrics::new(&summary, &samples).map_err(|e| format!("{}: {e}", dir.display()))
    }

    /// Takes them from the summary and all samples.
    pub fn new(summary: &RunSummary, samples: &[SampleRecord]) -> Result<Self, String> {
        let last = samples.last().ok_or("the clock file has no sample")?;
        let times = last.solver_ms.as_ref().ok_or("the clock file has no solver times")?;
        let seconds = |layer: &str| times.get(layer).copied().unwrap_or(0.0) / 1e3;
        let totals = &summary.totals;
        Ok(RunMetrics {
            complete: summary.complete,
            lost: serde_json::to_string(&totals.lost).map_err(|e| e.to_string())?,
            paths: totals.path_count() - totals.paths_of("excluded"),
            faulty_paths: totals.paths_of("fault"),
            truncated_paths: totals.truncated_paths(),
            max_states: totals.max_states,
            instructions: totals.instructions,
            queries: totals.solver.queries,
            // A query that no cheap layer answers reaches the fast path first.
            searched_queries: totals.solver.asked("blast"),
            process_memory: samples.iter().map(|it| it.process_memory).max().unwrap_or(0),
            explore_seconds: last.elapsed_ms as f64 / 1e3,
            cpu_seconds: last.cpu_ms as f64 / 1e3,
            solver_seconds: times.values().sum::<f64>() / 1e3,
            search_seconds: seconds("blast") + seconds("backend"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_rundir::{EndReason, LayerRecord, TotalsRecord};

    #[test]
    fn figures_are_taken_from_summary_and_samples() {
        let layer =
            |name: &str, asked, answered| LayerRecord { name: name.into(), asked, answered };
        let mut totals = TotalsRecord { instructions: 500, max_states: 6, ..Default::default() };
        let paths =
            [("exit", 7), ("fault", 2), ("excluded", 1), ("dropped", 3), ("unsupported", 1)];
        totals.paths = paths.map(|(kind, count)| (kind.to_string(), count)).into();
        totals.solver.queries = 40;
        totals.solver.layers =
            vec![layer("known", 40, 31), layer("blast", 9, 7), layer("backend", 2, 2)];
        let summary = RunSummary {
            schema: byway_rundir::SCHEMA,
            ended: EndReason::Done,
            complete: true,
            tests: 0,
            faults: Vec::new(),
            totals,
            seeds: None,
            shares: Vec::new(),
            markov: None,
            differences: None,
        };
        let first =
            SampleRecord { elapsed_ms: 1000, process_memory: 9_000_000, ..Default::default() };
        let times = [("known", 100.0), ("blast", 0.5), ("backend", 400.0)];
        let last = SampleRecord {
            elapsed_ms: 1500,
            cpu_ms: 900,
            process_memory: 8_000_000,
            solver_ms: Some(times.map(|(layer, ms)| (layer.to_string(), ms)).into()),
            ..Default::default()
        };
        let metrics = RunMetrics::new(&summary, &[first.clone(), last]).expect("figures");
        assert!(metrics.complete && metrics.lost.contains("\"unfinished\":0"));
        assert_eq!((metrics.paths, metrics.faulty_paths, metrics.truncated_paths), (13, 2, 3));
        assert_eq!((metrics.queries, metrics.searched_queries), (40, 9));
        assert_eq!((metrics.instructions, metrics.max_states), (500, 6));
        assert_eq!((metrics.process_memory, metrics.cpu_seconds), (9_000_000, 0.9));
        assert_eq!((metrics.explore_seconds, metrics.solver_seconds), (1.5, 0.5005));
        assert_eq!(metrics.search_seconds, 0.4005);
        assert!(RunMetrics::new(&summary, &[first]).is_err_and(|e| e.contains("solver times")));
    }
}
