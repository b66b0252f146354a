//! Executes the runs that have no result yet, several at once, and shows the progress.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::time::{Duration, Instant};

use byway_base::quantity;
use byway_progress::{JobEvent, ProgressLine, ProgressMode, run_jobs};

use crate::cell_runner::{CellRunner, CellStatus};
use crate::error::LabError;
use crate::experiment::Experiment;
use crate::plan::Cell;

/// The result of executing runs.
#[derive(Default)]
pub struct ExecutedRuns {
    /// The runs that failed, by index, and why.
    pub failed: Vec<(usize, LabError)>,
    /// Whether the user stopped the lab.
    pub stopped: bool,
}

/// Executes these runs; `skipped` others have a result already.
pub fn execute(
    runner: &CellRunner<'_>,
    cells: &[&Cell],
    skipped: usize,
    terminal: bool,
) -> ExecutedRuns {
    let jobs = runner.experiment.jobs;
    let mut progress = LabProgress::new(runner.experiment, (cells.len(), skipped), terminal);
    let mut executed = ExecutedRuns::default();
    let start = |()| |index: usize| Ok::<CellStatus, Infallible>(runner.run(cells[index]));
    let workers = vec![(); jobs];
    let Ok(()) = run_jobs(workers, cells.len(), runner.interrupted, start, |event| match event {
        JobEvent::Started(index) => progress.started(index, cells[index]),
        JobEvent::Finished(index, status) => {
            progress.finished(index, cells[index], &status);
            match status {
                CellStatus::Measured => {}
                CellStatus::Failed(error) => executed.failed.push((index, error)),
                CellStatus::Stopped => executed.stopped = true,
            }
        }
        JobEvent::Tick => progress.draw(),
    });
    executed.stopped |= (runner.interrupted)();
    executed.failed.sort_by_key(|(index, _)| *index);
    executed
}

/// On a terminal, one line that is redrawn; elsewhere, a line for each run. Both have an
/// estimate of the time left.
struct LabProgress<'a> {
    experiment: &'a Experiment,
    line: ProgressLine,
    terminal: bool,
    /// Runs of the experiment, and those that had a result before.
    total: usize,
    skipped: usize,
    done: usize,
    failed: usize,
    running: BTreeMap<usize, (String, Instant)>,
    /// The duration of all measured runs, added up.
    took: Duration,
}

impl<'a> LabProgress<'a> {
    fn new(experiment: &'a Experiment, (missing, skipped): (usize, usize), terminal: bool) -> Self {
        // Without a terminal a line is printed for each run, and none in between.
        let mode = if terminal { ProgressMode::Terminal } else { ProgressMode::Hidden };
        LabProgress {
            experiment,
            line: ProgressLine::new(mode),
            terminal,
            total: missing + skipped,
            skipped,
            done: 0,
            failed: 0,
            running: BTreeMap::new(),
            took: Duration::ZERO,
        }
    }

    fn name(&self, cell: &Cell) -> String {
        let program = &self.experiment.programs[cell.program].name;
        let strategy = &self.experiment.strategies[cell.strategy].name;
        format!("{program} {strategy} seed {}", cell.seed)
    }

    fn started(&mut self, index: usize, cell: &Cell) {
        self.running.insert(index, (self.name(cell), Instant::now()));
        self.draw();
    }

    fn finished(&mut self, index: usize, cell: &Cell, status: &CellStatus) {
        let took = self.running.remove(&index).map_or(Duration::ZERO, |(_, at)| at.elapsed());
        let result = match status {
            CellStatus::Measured => {
                self.done += 1;
                self.took += took;
                format!("in {}", quantity::time(took))
            }
            CellStatus::Failed(error) => {
                self.failed += 1;
                format!("failed: {}", error.message)
            }
            CellStatus::Stopped => return,
        };
        if !self.terminal || matches!(status, CellStatus::Failed(_)) {
            let (count, name, left) = (self.count(), self.name(cell), self.time_left_text());
            self.line.print(&format!("lab: {count}, {name}, {result}{left}"));
        }
        self.draw();
    }

    fn count(&self) -> String {
        format!("{} of {} runs", self.skipped + self.done + self.failed, self.total)
    }

    /// An estimate from the mean duration so far; a run under way counts as half.
    fn time_left(&self) -> Option<Duration> {
        let mean = self.took.checked_div(u32::try_from(self.done).ok()?)?;
        let waiting = self.total - self.skipped - self.done - self.failed - self.running.len();
        let left = mean.mul_f64(waiting as f64 + self.running.len() as f64 / 2.0);
        Some(left.div_f64(self.experiment.jobs as f64))
    }

    fn time_left_text(&self) -> String {
        let left = self.time_left().filter(|left| !left.is_zero());
        left.map_or(String::new(), |left| format!(", about {} left", quantity::time(left)))
    }

    fn draw(&mut self) {
        let failed =
            if self.failed > 0 { format!(", {} failed", self.failed) } else { String::new() };
        let running: Vec<&str> = self.running.values().map(|(name, _)| name.as_str()).collect();
        let text = format!(
            "{}{failed}, {} so far{}: {}",
            self.count(),
            quantity::time(self.line.began().elapsed()),
            self.time_left_text(),
            running.join("; ")
        );
        self.line.update(Instant::now(), |_| text);
    }
}
