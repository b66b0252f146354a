//! Decides how the random inputs of a run are run, and makes what runs them for each worker.

use std::sync::{Mutex, OnceLock};
use std::time::Instant;

use byway_base::Input;
use byway_engine::{ExecutedInputs, HostFiles, InputExecutor};
use byway_ir::Module;

use super::{InputBackend, InterpretedBackend, NativeBackend, NativeBuild, RandomInputs};
use crate::cmd::run::RunConfig;
use crate::load::Loaded;

/// XORed with the seed of a run, so that inputs are not those of the searcher's choices.
const INPUT_STREAM: u64 = 0x696e_7075_7473;

/// What random inputs of a run are made of and run by.
///
/// The program is compiled when the first batch is to run: most explorations end before that.
pub struct RandomInputSources<'m> {
    config: &'m RunConfig,
    module: &'m Module,
    /// The program compiled for this machine, or one sentence about why inputs run on the engine.
    native: OnceLock<Result<NativeBuild, String>>,
}

impl<'m> RandomInputSources<'m> {
    /// Sources of random inputs for a program. Nothing is compiled yet.
    pub fn new(config: &'m RunConfig, loaded: &'m Loaded) -> RandomInputSources<'m> {
        RandomInputSources { config, module: &loaded.module, native: OnceLock::new() }
    }

    /// What runs the random inputs of a worker.
    pub fn executor<'s>(&'s self, worker: usize, files: SharedHostFiles<'s>) -> LateExecutor<'s> {
        LateExecutor { sources: self, worker, files, inputs: None }
    }

    /// The inputs of a worker, and why they run on the engine if they do. The error is one sentence.
    fn start<'s>(&'s self, late: &LateExecutor<'s>) -> Started<'s> {
        let config = self.config;
        let native = self.native.get_or_init(|| build(config, self.module));
        let native = native.as_ref().map_err(String::clone).and_then(NativeBackend::start);
        let (backend, why): (Box<dyn InputBackend>, _) = match (native, config.interprets_inputs) {
            (Ok(native), _) => (Box::new(native), None),
            (Err(why), is_chosen) => {
                let interpreted =
                    InterpretedBackend::new(self.module, &config.explore, late.files)?;
                (Box::new(interpreted), (!is_chosen).then_some(why))
            }
        };
        let seed = (config.explore.seed ^ INPUT_STREAM).wrapping_add(late.worker as u64);
        Ok((RandomInputs::new(self.module, backend, &config.random_inputs, seed), why))
    }
}

/// The files of the host that are shown to the program.
type SharedHostFiles<'s> = Option<&'s Mutex<dyn HostFiles + Send + 's>>;

type Started<'s> = Result<(RandomInputs<'s>, Option<String>), String>;

/// The random inputs of a worker, which start with the first batch.
pub struct LateExecutor<'s> {
    sources: &'s RandomInputSources<'s>,
    worker: usize,
    files: SharedHostFiles<'s>,
    inputs: Option<RandomInputs<'s>>,
}

impl<'s> LateExecutor<'s> {
    fn inputs(&mut self, notes: &mut Vec<String>) -> Result<&mut RandomInputs<'s>, String> {
        let inputs = match self.inputs.take() {
            Some(inputs) => inputs,
            None => {
                let (inputs, why) = self.sources.start(self)?;
                notes.extend(why.map(|why| format!("random inputs run on the engine: {why}")));
                inputs
            }
        };
        Ok(self.inputs.insert(inputs))
    }
}

impl InputExecutor for LateExecutor<'_> {
    fn run(
        &mut self,
        count: u64,
        learnt: &[Vec<Input>],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<ExecutedInputs, String> {
        let (began, mut notes) = (Instant::now(), Vec::new());
        let inputs = self.inputs(&mut notes)?;
        let starting = began.elapsed();
        let executed = inputs.run(count, learnt, goes_on)?;
        let elsewhere = executed.elsewhere + starting;
        Ok(ExecutedInputs { elsewhere, notes, ..executed })
    }
}

fn build(config: &RunConfig, module: &Module) -> Result<NativeBuild, String> {
    if config.interprets_inputs {
        return Err("--interpret-inputs".into());
    }
    if config.entry.is_some() {
        return Err("functions with unconstrained parameters are called by no native code".into());
    }
    if !config.host_files.is_empty() {
        return Err("natively they would not see the files of --host-files".into());
    }
    NativeBuild::new(&config.load, module, &config.explore)
}
