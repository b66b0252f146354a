//! Reads the figures of a run directory (`docs/run-directory.md`).

use std::path::Path;

use serde_json::Value;

/// What a run directory says about its run.
#[derive(Debug, PartialEq)]
pub struct RunDir {
    /// Whether every path was explored.
    pub complete: bool,
    /// What was not explored, as it stands there.
    pub lost: String,
    /// Paths that ended, those left out that the program itself excluded.
    pub paths: u64,
    /// Paths that ended with a fault.
    pub faulty_paths: u64,
    /// Paths that were cut off before their end.
    pub partial_paths: u64,
    /// The most states that lived at once.
    pub max_states: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Queries of the solver.
    pub queries: u64,
    /// Those that no cheap layer answered: they took a search.
    pub searched_queries: u64,
    /// The most memory the process was seen to take, in bytes.
    pub process_memory: u64,
    /// Seconds from the first instruction to the end.
    pub explore_seconds: f64,
    /// Seconds of the processor, loading included.
    pub cpu_seconds: f64,
    /// Seconds in the solver.
    pub solver_seconds: f64,
    /// Those of them in the searches of its fast path and its backend.
    pub search_seconds: f64,
}

/// Outcomes of paths that were cut off.
const PARTIAL: [&str; 5] =
    ["out-of-budget", "dropped", "unsupported", "internal-error", "interrupted"];

/// The text of one of its files.
pub fn text(dir: &Path, name: &str) -> Result<String, String> {
    let path = dir.join(name);
    std::fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

impl RunDir {
    /// Reads a run that ended.
    pub fn read(dir: &Path) -> Result<Self, String> {
        let (summary, clock) = (text(dir, "summary.json")?, text(dir, "clock.jsonl")?);
        RunDir::parse(&summary, &clock).map_err(|e| format!("{}: {e}", dir.display()))
    }

    fn parse(summary: &str, clock: &str) -> Result<Self, String> {
        let json = |text: &str| serde_json::from_str::<Value>(text).map_err(|e| e.to_string());
        let summary = json(summary)?;
        let samples = clock.lines().skip(1).map(json).collect::<Result<Vec<_>, _>>()?;
        let last = samples.last().ok_or("the clock file has no sample")?;

        let number = |at: &str| get(&summary, at)?.as_u64().ok_or(format!("{at} is no count"));
        let paths = get(&summary, "/totals/paths")?.as_object().ok_or("paths are no table")?;
        let count = |kind: &str| paths.get(kind).and_then(Value::as_u64).unwrap_or(0);
        let ended: u64 = paths.values().filter_map(Value::as_u64).sum();
        let layers = get(&summary, "/totals/solver/layers")?.as_array().ok_or("no layers")?;
        // What no cheap layer answered comes to the fast path first.
        let searched = layers.iter().find(|layer| layer["name"] == "blast");
        let times =
            get(last, "/solver_ms")?.as_object().ok_or("the solver's times are no table")?;
        let milliseconds = |value: &Value| value.as_f64().unwrap_or(0.0);
        Ok(RunDir {
            complete: get(&summary, "/complete")?.as_bool().ok_or("complete is no truth value")?,
            lost: get(&summary, "/totals/lost")?.to_string(),
            paths: ended - count("excluded"),
            faulty_paths: count("fault"),
            partial_paths: PARTIAL.into_iter().map(count).sum(),
            max_states: number("/totals/max_states")?,
            instructions: number("/totals/instructions")?,
            queries: number("/totals/solver/queries")?,
            searched_queries: searched.and_then(|layer| layer["asked"].as_u64()).unwrap_or(0),
            process_memory: samples
                .iter()
                .filter_map(|sample| sample["process_memory"].as_u64())
                .max()
                .unwrap_or(0),
            explore_seconds: milliseconds(get(last, "/elapsed_ms")?) / 1e3,
            cpu_seconds: last.get("cpu_ms").map_or(0.0, milliseconds) / 1e3,
            solver_seconds: times.values().map(milliseconds).sum::<f64>() / 1e3,
            search_seconds: ["blast", "backend"]
                .into_iter()
                .map(|layer| times.get(layer).map_or(0.0, milliseconds) / 1e3)
                .sum(),
        })
    }
}

fn get<'v>(value: &'v Value, at: &str) -> Result<&'v Value, String> {
    value.pointer(at).ok_or_else(|| format!("{at} is missing"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUMMARY: &str = r#"{"complete": true, "totals": {"instructions": 500, "max_states": 6,
        "paths": {"exit": 7, "fault": 2, "excluded": 1, "dropped": 3}, "lost": {"unfinished": 0},
        "solver": {"queries": 40, "layers": [{"name": "known", "asked": 40, "answered": 31},
            {"name": "blast", "asked": 9, "answered": 7},
            {"name": "backend", "asked": 2, "answered": 2}]}}}"#;
    const CLOCK: &str = r#"{"schema": 1, "started_ms": 1, "load_ms": 80}
{"elapsed_ms": 1000, "process_memory": 9000000}
{"elapsed_ms": 1500, "cpu_ms": 900, "process_memory": 8000000, "solver_ms": {"known": 100.0, "blast": 0.5, "backend": 400.0}}"#;

    #[test]
    fn figures_are_read() {
        let read = RunDir::parse(SUMMARY, CLOCK).expect("sound");
        let expected = RunDir {
            complete: true,
            lost: r#"{"unfinished":0}"#.into(),
            paths: 12,
            faulty_paths: 2,
            partial_paths: 3,
            max_states: 6,
            instructions: 500,
            queries: 40,
            searched_queries: 9,
            process_memory: 9_000_000,
            explore_seconds: 1.5,
            cpu_seconds: 0.9,
            solver_seconds: 0.5005,
            search_seconds: 0.4005,
        };
        assert_eq!(read, expected);
    }

    #[test]
    fn what_is_missing_is_named() {
        let clock = CLOCK.replace("solver_ms", "other");
        assert!(RunDir::parse(SUMMARY, &clock).is_err_and(|e| e.contains("/solver_ms")));
        let summary = SUMMARY.replace("instructions", "other");
        assert!(RunDir::parse(&summary, CLOCK).is_err_and(|e| e.contains("/totals/instructions")));
        assert!(RunDir::parse("{", CLOCK).is_err());
    }
}
