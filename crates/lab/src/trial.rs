//! One run: explored and measured by two child processes, then read.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use byway_native::child::{self, ChildEnding, ChildLimits, ChildResult};

use crate::experiment::{Experiment, PartialTests};
use crate::host::Digester;
use crate::plan::Cell;
use crate::problem::{Problem, Result};
use crate::result::{Build, Outcome, SCHEMA};
use crate::rundir::{self, RunFiles};
use crate::store::{self, Store};

/// What of a child's words is kept: enough to see why it failed.
const MAX_WORDS: usize = 64 << 10;
/// How many lines of them are shown.
const SHOWN_LINES: usize = 6;

/// What every run needs.
pub struct Trials<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// The directory of its file, where children are started.
    pub dir: &'a Path,
    /// Where results go.
    pub store: &'a Store,
    /// `byway`.
    pub executable: &'a Path,
    /// What stands for it.
    pub build: &'a Build,
    /// Makes digests.
    pub digest: Digester<'a>,
    /// Whether the user asked to stop.
    pub interrupted: &'a (dyn Fn() -> bool + Sync),
    /// Held while a run is moved to where it is kept: programs that differ in how they are
    /// measured share their runs.
    pub moving: Mutex<()>,
}

/// How a run went.
pub enum Ended {
    /// It is measured and kept.
    Measured,
    /// It could not be; why.
    Failed(Problem),
    /// The user asked to stop.
    Stopped,
}

impl Trials<'_> {
    /// Makes a run, measures it and keeps the result.
    pub fn make(&self, cell: &Cell) -> Ended {
        match self.attempt(cell) {
            Ok(true) => Ended::Measured,
            Ok(false) => Ended::Stopped,
            Err(problem) => Ended::Failed(problem),
        }
    }

    /// Whether it was measured, and not stopped.
    fn attempt(&self, cell: &Cell) -> Result<bool> {
        self.check_inputs(cell)?;
        let kept = self.store.run(&cell.run_key);
        let draft = self.store.draft(&cell.key)?;
        let there = rundir::is_whole(&kept);
        let run = if there { kept.clone() } else { draft.join("run") };
        let measured = self.explore_and_measure(cell, &run, !there, &draft);
        // A run that failed to be measured is worth keeping only if it was kept before.
        let moved = match (&measured, there, self.experiment.keep_runs) {
            (Ok(true), false, true) => {
                let _moving = self.moving.lock().unwrap_or_else(PoisonError::into_inner);
                match rundir::is_whole(&kept) {
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
            // Exit code 1 says that there are faults.
            if !self.child(words, draft, &[0, 1])? {
                return Ok(false);
            }
        }
        let files = RunFiles::read(run)?;
        let program = &self.experiment.programs[cell.program];
        let partial: PartialTests = self.experiment.partial_tests;
        let coverage = match &cell.cover {
            None => files.own_account(run, &program.measured, partial)?,
            Some(options) => {
                let output: PathBuf = draft.join("cover");
                let (run, to) = (run.display().to_string(), output.display().to_string());
                let words = ["cover", &run, "--output-dir", &to, "--jobs", "1"];
                let words = words.into_iter().chain(options.iter().map(String::as_str));
                if !self.child(words, draft, &[0])? {
                    return Ok(false);
                }
                files.measured(&output.join("cover.json"))?
            }
        };
        let outcome = Outcome {
            schema: SCHEMA,
            build: match explore {
                true => self.build.clone(),
                false => self.store.build_of(&cell.run_key),
            },
            command: cell.run.clone(),
            run: files.run,
            faults: files.faults,
            samples: files.samples,
            coverage,
        };
        // It would be kept for good, under a key that stands for what the files were.
        self.check_inputs(cell)?;
        self.store.keep(&cell.key, &outcome)?;
        Ok(true)
    }

    /// Complains if something that the run depends on has changed since its key was made.
    fn check_inputs(&self, cell: &Cell) -> Result<()> {
        let place = self.store.place();
        let place = place.canonicalize().unwrap_or(place.to_path_buf());
        cell.inputs.iter().try_for_each(|input| input.check(&place, self.digest))
    }

    /// Starts `byway`; whether it ended with one of these codes, and was not stopped.
    fn child<'w>(
        &self,
        words: impl Iterator<Item = &'w str>,
        draft: &Path,
        good: &[i32],
    ) -> Result<bool> {
        let words: Vec<&str> = words.collect();
        let mut command = Command::new(self.executable);
        // What it leaves behind when it is killed goes with the draft.
        command.args(&words).current_dir(self.dir).env("TMPDIR", draft);
        child::die_with_parent(&mut command);
        let limits = ChildLimits { time: Duration::MAX, output: MAX_WORDS };
        let finished = child::run(&mut command, limits, &mut |_| !(self.interrupted)())
            .map_err(|error| Problem::io("start", self.executable, &error))?;
        match finished.ending {
            ChildEnding::Stopped | ChildEnding::TimedOut => Ok(false),
            ChildEnding::Exited(status)
                if status.code().is_some_and(|code| good.contains(&code)) =>
            {
                Ok(true)
            }
            ChildEnding::Exited(status) => {
                let problem = Problem::new(format!("'byway {}' failed: {status}", words[0]));
                Err(problem.detail(last_words(&finished)))
            }
        }
    }
}

fn last_words(finished: &ChildResult) -> String {
    let text = String::from_utf8_lossy(&finished.stderr).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n")
}
