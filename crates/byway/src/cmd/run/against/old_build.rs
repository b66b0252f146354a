//! The old build of `--against`, and its own exploration.

use byway_engine::{ChangedCode, TargetIndex};

use super::super::{ExploredRun, PreparedProgram, RunConfig, explore, prepare};
use crate::change::{DiffedProgram, ProgramChange, RemovedCode};
use crate::console;
use crate::exit;
use crate::failure::Result;
use crate::git::Changes;

/// The directory of the old build's run, in the run directory.
pub const OLD_RUN: &str = "against";

/// The old build.
pub struct OldBuild {
    config: RunConfig,
    pub program: PreparedProgram,
    /// The code that the change removed or replaced.
    change: Option<ProgramChange>,
}

impl OldBuild {
    /// Loads the old build as the program is loaded; `changes` are those since then, if known.
    pub fn load(config: &RunConfig, changes: Option<Changes>) -> Result<OldBuild> {
        let mut config = config.clone();
        config.load.program = std::mem::take(&mut config.change.against);
        let program = prepare(&config)?;
        let module = &program.loaded.module;
        let change = changes.map(|changes| {
            let index = TargetIndex::new(module);
            let diffed = DiffedProgram::new(&changes.reversed(), &index, RemovedCode::FirstBehind);
            let mut change = ProgramChange::default();
            change.add_diff(&diffed, &index).map(|()| change)
        });
        let change = change.transpose()?.filter(|change| !change.is_empty());
        Ok(OldBuild { config, program, change })
    }

    /// The code that the change removed or replaced, if it is known.
    pub fn changed_code(&self) -> Option<ChangedCode> {
        Some(self.change.as_ref()?.code(&self.program.loaded.module))
    }

    /// Whether the change removed or replaced code of it.
    pub fn is_changed(&self) -> bool {
        self.change.is_some()
    }

    /// Explores what the removed code can affect: it exists only in this build. Writes a run
    /// directory of its own into that of the new build's run.
    pub fn explore(&mut self, new: &ExploredRun) -> Result<()> {
        let Some(change) = &self.change else { return Ok(()) };
        if new.exit_code == exit::INTERRUPTED {
            return Ok(());
        }
        console::say(
            "byway: exploring the old build, for code that the change removed or replaced",
        );
        self.config.output = Some(new.dir.join(OLD_RUN));
        explore(&self.config, &self.program, &[], Some(change))?;
        Ok(())
    }
}
