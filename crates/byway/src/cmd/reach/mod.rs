//! `byway reach`: explores a program for targets, and gives a verdict on each: reached, with a test
//! that a native run confirms; unreachable; or undecided, with the reasons.
//!
//! ```text
//! texts ──TargetIndex──▶ targets ──run::explore──▶ results ──[`verdict`]──▶ verdicts
//!                                                 tests ──[`confirm`]──▶ confirmed or not
//! ```
//!
//! [`decide`] does all of it but resolve the texts and print. It is for other commands that have
//! targets of their own (each a [`NamedTarget`]: a name, lines and points) and want the verdicts as
//! data.

mod config;
mod confirm;
mod flags;
mod table;
mod verdict;

use std::path::PathBuf;

use byway_engine::{NamedTarget, TargetIndex};
use byway_ir::Module;
use byway_rundir::{SCHEMA, TargetRecord, TargetsRecord, VerdictRecord, write_targets};

pub use config::ReachConfig;
pub use flags::{EXIT_CODES, ReachFlags, examples};

use crate::change::{self, DiffedProgram, RemovedCode};
use crate::cmd::run::{self, ExploredRun, PreparedProgram};
use crate::console::{Style, print, say_raw};
use crate::exit;
use crate::failure::{Failure, Result};

/// The verdicts on targets.
pub struct DecidedTargets {
    /// The run directory, absolute.
    pub run: PathBuf,
    /// One record for each target, in their order.
    pub targets: Vec<TargetRecord>,
    /// The exit code of `byway reach`.
    pub exit_code: u8,
}

/// `byway reach`: prints one line for each target.
pub fn reach(config: &ReachConfig) -> Result<u8> {
    let program = run::prepare(&config.run)?;
    let mut targets = run::targets(&program.loaded, &config.run.targets)?;
    if let Some(revision) = &config.since {
        targets.extend(changed_lines(&config.run.load.program, revision, &program.loaded.module)?);
        if targets.is_empty() {
            print(&format!("no line with code changed since {revision}\n"))?;
            return Ok(exit::SUCCESS);
        }
    }
    let decided = decide(config, &program, &targets)?;
    print(&table::render(&decided, Style::new(config.color)))?;
    Ok(decided.exit_code)
}

/// The lines with code that changed since a revision; says which have none.
fn changed_lines(sources: &[PathBuf], revision: &str, module: &Module) -> Result<Vec<NamedTarget>> {
    let changes = change::changed_since(sources, revision)?;
    let index = TargetIndex::new(module);
    let diffed = DiffedProgram::new(&changes, &index, RemovedCode::LineBefore);
    say_raw(&diffed.skipped());
    let mut targets = Vec::new();
    for file in &diffed.files {
        for &line in &file.lines {
            let target = index.line(&file.name, line).map_err(Failure::new)?;
            targets.push(NamedTarget { name: format!("{}:{line}", file.shown), ..target });
        }
    }
    Ok(targets)
}

/// Explores a program for these targets, confirms the tests that reach them, and writes
/// `targets.json` into the run directory.
pub fn decide(
    config: &ReachConfig,
    program: &PreparedProgram,
    targets: &[NamedTarget],
) -> Result<DecidedTargets> {
    let explored = run::explore(&config.run, program, targets, None)?;
    let run = std::path::absolute(&explored.dir).unwrap_or_else(|_| explored.dir.clone());
    let mut records = verdict::records(&explored, targets);
    if let Some(options) = &config.confirm {
        confirm::confirm(&run, targets, &mut records, options)?;
    }
    let record = TargetsRecord { schema: SCHEMA, targets: records };
    write_targets(&run, &record)?;
    let exit_code = exit_code(&explored, &record.targets);
    Ok(DecidedTargets { run, targets: record.targets, exit_code })
}

/// Writes the verdicts of a run with targets, without native confirmation.
pub fn record(explored: &ExploredRun, targets: &[NamedTarget]) -> Result<()> {
    let targets = verdict::records(explored, targets);
    Ok(write_targets(&explored.dir, &TargetsRecord { schema: SCHEMA, targets })?)
}

fn exit_code(explored: &ExploredRun, targets: &[TargetRecord]) -> u8 {
    let is_undecided =
        |target: &TargetRecord| matches!(target.verdict, VerdictRecord::Undecided { .. });
    match explored.exit_code {
        code @ (exit::BUG | exit::INTERRUPTED) => code,
        _ if targets.iter().any(is_undecided) => exit::INCOMPLETE,
        _ => exit::SUCCESS,
    }
}
