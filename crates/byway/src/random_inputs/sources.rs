//! Decides how the random inputs of a run are run, and makes what runs them for each worker.

use std::sync::Mutex;

use byway_engine::{HostFiles, InputExecutor};
use byway_ir::Module;

use super::{InterpretedBackend, NativeBackend, NativeBuild, RandomInputs};
use crate::cmd::run::RunConfig;
use crate::console;
use crate::load::Loaded;

/// XORed with the seed of a run, so that inputs are not those of the searcher's choices.
const INPUT_STREAM: u64 = 0x696e_7075_7473;

/// What random inputs of a run are made of and run by.
pub struct RandomInputSources<'m> {
    config: &'m RunConfig,
    module: &'m Module,
    /// The program compiled for this machine; `None` if inputs run on the engine.
    native: Option<NativeBuild>,
}

impl<'m> RandomInputSources<'m> {
    /// Builds the program natively if the searcher runs random inputs and it is possible. Says
    /// where inputs run on the engine instead.
    pub fn prepare(config: &'m RunConfig, loaded: &'m Loaded) -> RandomInputSources<'m> {
        let module = &loaded.module;
        let is_needed = byway_search::build(&config.search)
            .is_ok_and(|searcher| searcher.requirements().random_tests);
        let native = match is_needed && !config.interprets_inputs {
            false => None,
            true => match build(config, module) {
                Ok(build) => Some(build),
                Err(why) => {
                    console::say(&format!("byway: random inputs run on the engine: {why}"));
                    None
                }
            },
        };
        RandomInputSources { config, module, native }
    }

    /// What runs the random inputs of a worker. The error is one sentence.
    pub fn executor<'s>(
        &'s self,
        worker: usize,
        files: Option<&'s Mutex<dyn HostFiles + Send + 's>>,
    ) -> Result<Box<dyn InputExecutor + 's>, String> {
        let native = self.native.as_ref().and_then(|build| match NativeBackend::start(build) {
            Ok(backend) => Some(backend),
            Err(why) => {
                console::say(&format!("byway: random inputs run on the engine: {why}"));
                None
            }
        });
        let seed = (self.config.explore.seed ^ INPUT_STREAM).wrapping_add(worker as u64);
        let sources = &self.config.random_inputs;
        let backend: Box<dyn super::InputBackend> = match native {
            Some(native) => Box::new(native),
            None => Box::new(InterpretedBackend::new(self.module, &self.config.explore, files)?),
        };
        Ok(Box::new(RandomInputs::new(self.module, backend, sources, seed)))
    }
}

fn build(config: &RunConfig, module: &Module) -> Result<NativeBuild, String> {
    if config.entry.is_some() {
        return Err("functions with unconstrained parameters are called by no native code".into());
    }
    if !config.host_files.is_empty() {
        return Err("natively they would not see the files of --host-files".into());
    }
    NativeBuild::new(&config.load, module, &config.explore)
}
