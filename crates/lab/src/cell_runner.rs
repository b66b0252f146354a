//! Executes one cell of the matrix: two child processes explore and measure, then the run
//! directory is read.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use byway_native::child::{self, ChildEnding, ChildLimits, ChildResult};
use byway_rundir::RunReader;

use crate::error::{LabError, Result};
use crate::experiment::{Experiment, PartialTests};
use crate::host::Digester;
use crate::measurements::RunMeasurements;
use crate::plan::Cell;
use crate::result::{BywayBuild, CellResult, SCHEMA};
use crate::store::{self, ResultStore};

/// Bytes kept of a child's output: enough to see why it failed.
const MAX_OUTPUT: usize = 64 << 10;
/// Lines of it that are shown.
const SHOWN_LINES: usize = 6;

/// Executes cells; shared by all threads.
pub struct CellRunner<'a> {
    pub experiment: &'a Experiment,
    /// The directory of the experiment's file: the working directory of the children.
    pub dir: &'a Path,
    pub store: &'a ResultStore,
    /// The path of `byway`.
    pub executable: &'a Path,
    /// Identifies that executable in results.
    pub build: &'a BywayBuild,
    pub digest: Digester<'a>,
    pub interrupted: &'a (dyn Fn() -> bool + Sync),
    /// Held while a run directory is moved into the store: programs that differ only in how they
    /// are measured share runs.
    pub moving: Mutex<()>,
}

/// The result of executing a cell.
pub enum CellStatus {
    /// The result is stored.
    Measured,
    Failed(LabError),
    /// The user stopped the lab.
    Stopped,
}

impl CellRunner<'_> {
    /// Explores, measures and stores the result.
    pub fn run(&self, cell: &Cell) -> CellStatus {
        match self.attempt(cell) {
            Ok(true) => CellStatus::Measured,
            Ok(false) => CellStatus::Stopped,
            Err(error) => CellStatus::Failed(error),
        }
    }

    /// Returns whether the cell was measured; otherwise the user stopped it.
    fn attempt(&self, cell: &Cell) -> Result<bool> {
        self.check_inputs(cell)?;
        let kept = self.store.run(&cell.run_key);
        let draft = self.store.draft(&cell.key)?;
        let exists = RunReader::has_ended(&kept);
        let run = if exists { kept.clone() } else { draft.join("run") };
        let measured = self.explore_and_measure(cell, &run, !exists, &draft);
        // A run that could not be measured is not kept, unless it was before.
        let moved = match (&measured, exists, self.experiment.keep_runs) {
            (Ok(true), false, true) => {
                let _moving = self.moving.lock().unwrap_or_else(PoisonError::into_inner);
                match RunReader::has_ended(&kept) {
                    true => Ok(()),
                    false => self.store.keep_run(&cell.run_key, &run, self.build),
                }
            }
            _ => Ok(()),
        };
        store::remove(&draft)?;
        moved.and(measured)
    }

    fn explore_and_measure(
        &self,
        cell: &Cell,
        run: &Path,
        explore: bool,
        draft: &Path,
    ) -> Result<bool> {
        if explore {
            let output = run.display().to_string();
            let (options, rest) = cell.run.split_at(1);
            let words = options.iter().map(String::as_str).chain(["--output-dir", &output]);
            let words = words.chain(rest.iter().map(String::as_str));
            // Exit code 1 means that faults were found.
            if !self.child(words, draft, &[0, 1])? {
                return Ok(false);
            }
        }
        let run_data = RunMeasurements::read(run)?;
        let program = &self.experiment.programs[cell.program];
        let partial: PartialTests = self.experiment.partial_tests;
        let coverage = match &cell.cover {
            None => run_data.engine_coverage(&program.measured, partial)?,
            Some(options) => {
                let output: PathBuf = draft.join("cover");
                let (run, to) = (run.display().to_string(), output.display().to_string());
                let words = ["cover", &run, "--output-dir", &to, "--jobs", "1"];
                let words = words.into_iter().chain(options.iter().map(String::as_str));
                if !self.child(words, draft, &[0])? {
                    return Ok(false);
                }
                run_data.native_coverage(&output.join("cover.json"))?
            }
        };
        let result = CellResult {
            schema: SCHEMA,
            build: match explore {
                true => self.build.clone(),
                false => self.store.build_of(&cell.run_key),
            },
            command: cell.run.clone(),
            run: run_data.figures,
            faults: run_data.faults,
            samples: run_data.samples,
            coverage,
        };
        // The result would be stored under the key of files that have changed.
        self.check_inputs(cell)?;
        self.store.keep(&cell.key, &result)?;
        Ok(true)
    }

    /// Fails if an input of the run has changed since its key was computed.
    fn check_inputs(&self, cell: &Cell) -> Result<()> {
        let results = self.store.dir();
        let results = results.canonicalize().unwrap_or(results.to_path_buf());
        cell.inputs.iter().try_for_each(|input| input.check(&results, self.digest))
    }

    /// Runs `byway`; returns false if the user stopped it, and fails on an exit code not in `good`.
    fn child<'w>(
        &self,
        words: impl Iterator<Item = &'w str>,
        draft: &Path,
        good: &[i32],
    ) -> Result<bool> {
        let words: Vec<&str> = words.collect();
        let mut command = Command::new(self.executable);
        // The temporary files of a killed child are removed with the draft.
        command.args(&words).current_dir(self.dir).env("TMPDIR", draft);
        child::die_with_parent(&mut command);
        let limits = ChildLimits { time: Duration::MAX, output: MAX_OUTPUT };
        let finished = child::run(&mut command, limits, &mut |_| !(self.interrupted)())
            .map_err(|error| LabError::io("start", self.executable, &error))?;
        match finished.ending {
            ChildEnding::Stopped | ChildEnding::TimedOut => Ok(false),
            ChildEnding::Exited(status)
                if status.code().is_some_and(|code| good.contains(&code)) =>
            {
                Ok(true)
            }
            ChildEnding::Exited(status) => {
                let error = LabError::new(format!("'byway {}' failed: {status}", words[0]));
                Err(error.detail(last_lines(&finished)))
            }
        }
    }
}

fn last_lines(finished: &ChildResult) -> String {
    let text = String::from_utf8_lossy(&finished.stderr).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n")
}
