//! Random inputs for searchers that mix them with solving: what makes them and what runs them.
//!
//! ```text
//! exploration ──▶ RandomInputs ─ inputs ─▶ NativeBackend       the program compiled, in a sandbox
//!             ◀── executions,              InterpretedBackend  on the engine, concretely
//!                 novel inputs
//! ```
//!
//! An input is one string of bytes: those of all objects in the order in which the program asks
//! for them. A third each are uniform bytes, uniform bytes with words of the program's
//! comparisons, and mutations of the inputs that tests found to cover something new.

mod interpreted;
mod native;
mod sources;

use std::sync::Arc;

use byway_base::Input;
use byway_engine::{ExecutedInputs, InputExecutor, NovelInput, Seed};
use byway_ir::Module;
use byway_native::inputs::{InputBatch, InputDictionary, InputGenerator, InputSource};

use interpreted::InterpretedBackend;
use native::{NativeBackend, NativeBuild};
pub use sources::RandomInputSources;

/// Inputs longer than this are cut: what lies behind is zeros.
const MOST_BYTES: usize = 1 << 16;

/// The length of the first input. It shows how much the program asks for.
const FIRST_BYTES: usize = 4096;

/// Runs inputs of a program.
pub trait InputBackend {
    /// Runs the inputs of a batch until `goes_on` returns false.
    fn run(
        &mut self,
        batch: &InputBatch,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<BackendResult, String>;
}

/// What a batch of inputs did.
#[derive(Default)]
pub struct BackendResult {
    /// As in [`ExecutedInputs`], with the objects of each input.
    pub executed: ExecutedInputs,
    /// The inputs that did something new.
    pub novel: Vec<NovelExecution>,
    /// The most bytes that a run asked for.
    pub consumed: usize,
}

/// An input that did something new.
pub struct NovelExecution {
    /// The objects that the program asked for.
    pub inputs: Vec<Input>,
    /// The coverage sites that it is the first to execute.
    pub sites: Vec<u32>,
    /// Whether it is the first to end with this fault.
    pub is_new_fault: bool,
}

/// Makes random inputs and runs them.
pub struct RandomInputs<'m> {
    backend: Box<dyn InputBackend + 'm>,
    generator: InputGenerator,
    sources: Vec<InputSource>,
    /// The number of inputs made so far.
    made: u64,
}

impl<'m> RandomInputs<'m> {
    /// Random inputs for a program, run by a backend. Equal seeds give equal inputs.
    pub fn new(
        module: &Module,
        backend: Box<dyn InputBackend + 'm>,
        sources: &[InputSource],
        seed: u64,
    ) -> RandomInputs<'m> {
        let dictionary = InputDictionary::of_program(module);
        let generator = InputGenerator::new(FIRST_BYTES, dictionary, seed);
        RandomInputs { backend, generator, sources: sources.to_vec(), made: 0 }
    }

    /// The source of the next input.
    fn next_source(&mut self) -> InputSource {
        let source = self.sources[(self.made % self.sources.len() as u64) as usize];
        self.made += 1;
        match source {
            InputSource::Mutation if self.generator.corpus().is_empty() => InputSource::Uniform,
            source => source,
        }
    }

    fn run_batch(
        &mut self,
        count: u64,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<BackendResult, String> {
        let mut batch = InputBatch::new();
        for _ in 0..count {
            let source = self.next_source();
            let (length, generator) = (self.generator.length(), &mut self.generator);
            if !batch.push_with(length, |room| generator.fill(source, room)) {
                break;
            }
        }
        self.backend.run(&batch, goes_on)
    }

    /// Makes longer inputs if the program asked for more.
    fn adapt_length(&mut self, consumed: usize) {
        let length = consumed.min(MOST_BYTES);
        if length > self.generator.length() || self.made == 1 {
            self.generator.resize(length);
        }
    }

    fn learn(&mut self, inputs: &[Input]) {
        let bytes: Vec<u8> = inputs.iter().flat_map(|input| input.bytes.iter().copied()).collect();
        self.adapt_length(bytes.len());
        self.generator.add(&bytes);
    }
}

impl InputExecutor for RandomInputs<'_> {
    fn run(
        &mut self,
        count: u64,
        learnt: &[Vec<Input>],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<ExecutedInputs, String> {
        learnt.iter().for_each(|inputs| self.learn(inputs));
        // The first input shows how long they are.
        let count = if self.made == 0 { 1 } else { count };
        let BackendResult { mut executed, novel, consumed } = self.run_batch(count, goes_on)?;
        if consumed == 0 && self.generator.length() == FIRST_BYTES && executed.runs > 0 {
            return Err("the program asks for no input".into());
        }
        self.adapt_length(consumed);
        executed.novel.extend(novel.into_iter().map(|run| {
            self.learn(&run.inputs);
            let NovelExecution { inputs, sites, is_new_fault } = run;
            NovelInput { seed: Arc::new(Seed::drawn(&inputs)), sites, is_new_fault }
        }));
        Ok(executed)
    }
}
