//! Which row of each run is printed: the last, or that at which runs are compared.

use byway_klee_stats::run_stats::RecordedStats;

use super::columns::number;
use super::flags::KleeStatsFlags;
use crate::failure::{Failure, Result};

/// A column whose values never decrease: its name, those of its data, and the data's unit.
struct Progress {
    name: &'static str,
    columns: &'static [&'static str],
    unit: f64,
}

const PROGRESS: &[Progress] = &[
    Progress { name: "Instrs", columns: &["Instructions"], unit: 1.0 },
    Progress { name: "Time", columns: &["WallTime"], unit: 1e6 },
    Progress { name: "Queries", columns: &["Queries", "NumQueries"], unit: 1.0 },
    Progress { name: "ICov", columns: &["CoveredInstructions"], unit: 1.0 },
];

impl Progress {
    fn at(&self, run: &RecordedStats, row: usize) -> Option<f64> {
        let value = self.columns.iter().find_map(|column| number(run, row, column));
        value.map(|value| value / self.unit)
    }

    /// The first row beyond a value; the last if the run did not get there.
    fn row_beyond(&self, run: &RecordedStats, value: f64) -> usize {
        let beyond = |row: &usize| self.at(run, *row).is_some_and(|at| at > value);
        (0..run.rows.len()).find(beyond).unwrap_or(last(run))
    }
}

/// The row to print of each run.
pub fn rows(runs: &[RecordedStats], flags: &KleeStatsFlags) -> Result<Vec<usize>> {
    let Some(name) = &flags.compare_by else { return Ok(runs.iter().map(last).collect()) };
    let name = name.split('(').next().unwrap_or(name);
    let progress = PROGRESS.iter().find(|it| it.name == name).ok_or_else(|| {
        let names: Vec<&str> = PROGRESS.iter().map(|it| it.name).collect();
        Failure::new(format!("runs cannot be compared by '{name}'"))
            .hint(format!("compare by one of {}", names.join(", ")))
    })?;
    let ends = runs.iter().map(|run| progress.at(run, last(run)));
    let value = match flags.compare_at.as_deref() {
        None => ends.take(1).flatten().next(),
        Some("last") => ends.flatten().reduce(f64::min),
        Some(text) => Some(text.parse().map_err(|_| {
            Failure::new(format!("'--compare-at {text}' is neither a number nor 'last'"))
        })?),
    };
    let value = value.ok_or_else(|| Failure::new(format!("no run has values of '{name}'")))?;
    Ok(runs.iter().map(|run| progress.row_beyond(run, value)).collect())
}

fn last(run: &RecordedStats) -> usize {
    run.rows.len().saturating_sub(1)
}
