//! How far an experiment is: a line that is drawn over on a terminal, a line for each run
//! elsewhere; both with the time that is left.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use byway_base::quantity;

use crate::experiment::Experiment;
use crate::plan::Cell;
use crate::trial::Ended;

/// How far it is.
pub struct Progress<'a> {
    experiment: &'a Experiment,
    say: &'a dyn Fn(&str),
    /// The width of the terminal, if it is one.
    terminal: Option<usize>,
    began: Instant,
    /// Runs there are, and those that were there before.
    all: usize,
    skipped: usize,
    done: usize,
    failed: usize,
    jobs: usize,
    running: BTreeMap<usize, (String, Instant)>,
    /// The time that runs took, added up.
    took: Duration,
    drawn: bool,
}

impl<'a> Progress<'a> {
    /// For so many runs, of which some are there already.
    pub fn new(
        experiment: &'a Experiment,
        (all, skipped, jobs): (usize, usize, usize),
        terminal: Option<usize>,
        say: &'a dyn Fn(&str),
    ) -> Self {
        Progress {
            experiment,
            say,
            terminal,
            began: Instant::now(),
            all,
            skipped,
            done: 0,
            failed: 0,
            jobs,
            running: BTreeMap::new(),
            took: Duration::ZERO,
            drawn: false,
        }
    }

    fn name(&self, cell: &Cell) -> String {
        let program = &self.experiment.programs[cell.program].name;
        let strategy = &self.experiment.strategies[cell.strategy].name;
        format!("{program} {strategy} seed {}", cell.seed)
    }

    /// A run began.
    pub fn began(&mut self, index: usize, cell: &Cell) {
        self.running.insert(index, (self.name(cell), Instant::now()));
        self.draw();
    }

    /// A run ended.
    pub fn ended(&mut self, index: usize, cell: &Cell, ended: &Ended) {
        let took = self.running.remove(&index).map_or(Duration::ZERO, |(_, at)| at.elapsed());
        let how = match ended {
            Ended::Measured => {
                self.done += 1;
                self.took += took;
                format!("in {}", quantity::time(took))
            }
            Ended::Failed(problem) => {
                self.failed += 1;
                format!("failed: {}", problem.message)
            }
            Ended::Stopped => return,
        };
        if self.terminal.is_none() || matches!(ended, Ended::Failed(_)) {
            self.clear();
            let line = format!("lab: {}, {}, {how}", self.place(), self.name(cell));
            (self.say)(&format!("{line}{}\n", self.left_words()));
        }
        self.draw();
    }

    fn place(&self) -> String {
        format!("{} of {} runs", self.skipped + self.done + self.failed, self.all)
    }

    /// The time that is left, from what runs took so far; those that go on count as half.
    fn left(&self) -> Option<Duration> {
        let mean = self.took.checked_div(u32::try_from(self.done).ok()?)?;
        let waiting = self.all - self.skipped - self.done - self.failed - self.running.len();
        let left = mean.mul_f64(waiting as f64 + self.running.len() as f64 / 2.0);
        Some(left.div_f64(self.jobs as f64))
    }

    fn left_words(&self) -> String {
        let left = self.left().filter(|left| !left.is_zero());
        left.map_or(String::new(), |left| format!(", about {} left", quantity::time(left)))
    }

    /// Draws the line, on a terminal.
    pub fn draw(&mut self) {
        let Some(width) = self.terminal else { return };
        let failed =
            if self.failed > 0 { format!(", {} failed", self.failed) } else { String::new() };
        let running: Vec<&str> = self.running.values().map(|(name, _)| name.as_str()).collect();
        let line = format!(
            "{}{failed}, {} so far{}: {}",
            self.place(),
            quantity::time(self.began.elapsed()),
            self.left_words(),
            running.join("; ")
        );
        let shown: String = line.chars().take(width.saturating_sub(1)).collect();
        (self.say)(&format!("\r{shown}\x1b[K"));
        self.drawn = true;
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            (self.say)("\r\x1b[K");
        }
    }
}
