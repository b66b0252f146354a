//! Random inputs outside of an exploration: what an executor of them reports, and the one that
//! runs them concretely on the engine.
//!
//! An exploration asks an [`InputExecutor`] for a batch of random tests. The executor makes the
//! inputs, runs them, counts the coverage sites that they execute, and reports those that are
//! interesting. The exploration then follows these on its own states.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use byway_base::{Input, Outcome};
use byway_ir::Module;

use crate::deterministic_env::DeterministicEnv;
use crate::env::{ClockKind, Env, HostFiles};
use crate::interp::{Machine, Step};
use crate::origin::PathOrigin;
use crate::program::Program;
use crate::state::State;
use crate::{Config, Invocation, Seed};

/// Instructions between two checks of whether the user interrupts the runs.
const QUANTUM: u64 = 1 << 20;

/// Makes random inputs and runs them.
pub trait InputExecutor {
    /// Runs up to `count` inputs, fewer if `goes_on` returns false. `learnt` are inputs to derive
    /// others from: those since the last batch whose tests cover something new. An error means that
    /// no input can run any more; the text says why, in one sentence.
    fn run(
        &mut self,
        count: u64,
        learnt: &[Vec<Input>],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<ExecutedInputs, String>;
}

/// What a batch of inputs did.
#[derive(Clone, Debug, Default)]
pub struct ExecutedInputs {
    /// How many inputs ran.
    pub runs: u64,
    /// What they cost, in interpreted instructions that take as long.
    pub cost: u64,
    /// Executions of coverage sites, by their number. Those without any are omitted.
    pub executions: Vec<(u32, u64)>,
    /// The inputs that did something new, in the order in which they ran.
    pub novel: Vec<NovelInput>,
    /// Processor time that other processes took.
    pub elsewhere: Duration,
    /// What the user should know about how the inputs run.
    pub notes: Vec<String>,
}

/// An input that did something that no input of its executor did before.
#[derive(Clone, Debug)]
pub struct NovelInput {
    /// The input.
    pub seed: Arc<Seed>,
    /// The coverage sites that it is the first to execute.
    pub sites: Vec<u32>,
    /// Whether it ended with a fault of a new kind or at a new place.
    pub is_new_fault: bool,
}

/// Runs inputs concretely on the engine, one after the other.
pub struct ConcreteRuns<'m> {
    program: Program<'m>,
    config: Config,
    call: Invocation,
    /// The sites that a run has executed.
    known: Vec<bool>,
}

/// A concrete run of an input.
#[derive(Clone, Debug)]
pub struct ConcreteRun {
    /// How it ended.
    pub outcome: Outcome,
    /// The instructions that it took.
    pub instructions: u64,
    /// The objects that the program asked for, with the bytes that it got.
    pub inputs: Vec<Input>,
    /// The coverage sites that no run before it executed.
    pub new_sites: Vec<u32>,
}

impl<'m> ConcreteRuns<'m> {
    /// Lays out a program. `limit` is the most instructions of a run. The error is one sentence.
    pub fn new(
        module: &'m Module,
        config: &Config,
        call: Invocation,
        limit: u64,
    ) -> Result<ConcreteRuns<'m>, String> {
        let limit = config.max_instructions.map_or(limit, |own| own.min(limit));
        let config = Config { coverage: true, max_instructions: Some(limit), ..config.clone() };
        let mut program = Program::new(module, &config).map_err(|feature| feature.to_string())?;
        program.count_sites();
        let sites = program.sites().len();
        Ok(ConcreteRuns { program, config, call, known: vec![false; sites] })
    }

    /// Runs inputs until `next` returns none. `next` gets how the last run ended, and returns the
    /// bytes of all objects that the program asks for, in this order; what lies behind is zeros.
    /// `files` are shown to the program.
    pub fn run(
        &mut self,
        files: Option<&mut dyn HostFiles>,
        mut next: impl FnMut(Option<ConcreteRun>) -> Option<Vec<u8>>,
    ) -> Result<(), String> {
        let given = RefCell::new(GivenInput::default());
        let mut env = GivenEnv {
            given: &given,
            other: DeterministicEnv { files, ..DeterministicEnv::default() },
        };
        let mut machine = Machine::new(&self.program, &self.config, &mut env);
        let limit = self.config.max_instructions.unwrap_or(u64::MAX);
        (0..).zip(&self.known).filter(|(_, known)| **known).for_each(|(site, _)| {
            machine.coverage.credit_one(site);
        });
        let mut last = None;
        while let Some(bytes) = next(last.take()) {
            *given.borrow_mut() = GivenInput { bytes, ..GivenInput::default() };
            let start = PathOrigin::Entry(&self.call).start(&mut machine);
            let mut state = start.map_err(|feature| feature.to_string())?;
            let outcome = run_to_end(&mut machine, &mut state, limit);
            let new_sites = machine.coverage.credit(&state.path);
            new_sites.iter().for_each(|&site| self.known[site as usize] = true);
            machine.coverage.fresh.clear();
            machine.messages.clear();
            let inputs = std::mem::take(&mut given.borrow_mut().requested);
            let instructions = state.path.instructions;
            machine.recycle(&mut state);
            last = Some(ConcreteRun { outcome, instructions, inputs, new_sites });
        }
        Ok(())
    }

    /// Executions of coverage sites since the last call. Those without any are omitted.
    pub fn take_executions(&self) -> Vec<(u32, u64)> {
        self.program.take_site_executions().collect()
    }
}

/// Runs a state to its end or to a limit on its instructions.
fn run_to_end(machine: &mut Machine, state: &mut State, limit: u64) -> Outcome {
    loop {
        let left = limit.saturating_sub(state.path.instructions);
        let (step, _) = machine.run(state, QUANTUM.min(left));
        match step {
            Step::End(outcome) => return outcome,
            Step::Yield if state.path.instructions >= limit => return Outcome::OutOfBudget,
            Step::Yield | Step::Watch(_) => {}
            // What a concrete run cannot do on its own is left to the exploration.
            Step::Fork(_) | Step::NoRoom(_) => return Outcome::OutOfBudget,
        }
    }
}

/// The input of a run, and what the program asked for so far.
#[derive(Default)]
struct GivenInput {
    bytes: Vec<u8>,
    used: usize,
    requested: Vec<Input>,
}

/// The environment of an exploration, with a given input.
struct GivenEnv<'g, 'f> {
    given: &'g RefCell<GivenInput>,
    other: DeterministicEnv<'f>,
}

impl Env for GivenEnv<'_, '_> {
    fn write(&mut self, fd: i32, bytes: &[u8]) -> Result<usize, i32> {
        self.other.write(fd, bytes)
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, i32> {
        self.other.read(buffer)
    }

    fn now(&mut self, clock: ClockKind) -> (i64, i64) {
        self.other.now(clock)
    }

    fn input(&mut self, name: &str, size: u64) -> Option<Vec<u8>> {
        let mut given = self.given.borrow_mut();
        let size = size as usize;
        let from = given.used.min(given.bytes.len());
        let to = given.used.saturating_add(size).min(given.bytes.len());
        let mut bytes = given.bytes[from..to].to_vec();
        bytes.resize(size, 0);
        given.used = given.used.saturating_add(size);
        given.requested.push(Input { name: name.to_string(), bytes: bytes.clone() });
        Some(bytes)
    }

    fn files(&mut self) -> Option<&mut dyn HostFiles> {
        self.other.files()
    }
}
