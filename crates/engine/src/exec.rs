//! Concrete runs: a program from its entry to its end, on given input.

use byway_base::{Outcome, Unsupported, UnsupportedFeature};
use byway_ir::Module;

use crate::bytecode::access_log::PointsToCheck;
use crate::interp::{Machine, Step};
use crate::origin::PathOrigin;
use crate::program::Program;
use crate::stop::Stop;
use crate::{Config, Env, Invocation};

/// The result of a concrete run.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// How the run ended.
    pub outcome: Outcome,
    /// Deterministic counts.
    pub stats: Stats,
    /// Features the runtime answered with "not implemented", and how often.
    pub warnings: Vec<(String, u64)>,
    /// The coverage sites of the user's code that the run reached, by their numbers in the
    /// program; empty unless [`Config::coverage`] is set.
    pub covered: Vec<u32>,
}

/// Deterministic counts of a run.
#[derive(Copy, Clone, Default, Debug)]
pub struct Stats {
    /// IR instructions executed, terminators included.
    pub instructions: u64,
    /// Calls executed, intrinsics included.
    pub calls: u64,
    /// Heap objects allocated.
    pub heap_allocations: u64,
}

/// Instructions between two checks of whether the user interrupts the run.
const QUANTUM: u64 = 1 << 20;

/// Runs a program concretely from its entry to its end.
pub fn run(module: &Module, config: &Config, call: &Invocation, env: &mut dyn Env) -> RunResult {
    Runner::new(module, config.clone()).run(call, env)
}

/// Runs a program concretely as [`run`] does, and compares what it accesses with the points-to
/// analysis.
pub fn check_points_to(
    module: &Module,
    config: &Config,
    call: &Invocation,
    env: &mut dyn Env,
) -> (RunResult, PointsToCheck) {
    let mut program = match Program::new(module, config) {
        Ok(program) => program,
        Err(feature) => {
            return (unsupported(feature), PointsToCheck { checked: 0, misses: Vec::new() });
        }
    };
    let log = program.log_accesses();
    let finished = run_program(&program, config, call, env);
    (finished, log.check(module, &crate::points_to(module)))
}

/// A program that is laid out once and run concretely any number of times. Functions compiled
/// by one run stay compiled for the next.
pub struct Runner<'m> {
    program: Result<Program<'m>, UnsupportedFeature>,
    config: Config,
}

impl<'m> Runner<'m> {
    /// A runner for a module; a module that cannot be laid out fails in every run.
    pub fn new(module: &'m Module, config: Config) -> Runner<'m> {
        Runner { program: Program::new(module, &config), config }
    }

    /// Runs the program from its entry to its end.
    pub fn run(&self, call: &Invocation, env: &mut dyn Env) -> RunResult {
        self.run_as(&self.config, call, env)
    }

    /// Runs the program for at most `limit` instructions.
    pub fn run_within(&self, limit: u64, call: &Invocation, env: &mut dyn Env) -> RunResult {
        let limit = self.config.max_instructions.map_or(limit, |max| max.min(limit));
        self.run_as(&Config { max_instructions: Some(limit), ..self.config.clone() }, call, env)
    }

    fn run_as(&self, config: &Config, call: &Invocation, env: &mut dyn Env) -> RunResult {
        match &self.program {
            Ok(program) => run_program(program, config, call, env),
            Err(feature) => unsupported(feature.clone()),
        }
    }
}

fn unsupported(feature: UnsupportedFeature) -> RunResult {
    let outcome = Outcome::Unsupported(Box::new(Unsupported { feature, stack: Vec::new() }));
    RunResult { outcome, stats: Stats::default(), warnings: Vec::new(), covered: Vec::new() }
}

fn run_program(
    program: &Program,
    config: &Config,
    call: &Invocation,
    env: &mut dyn Env,
) -> RunResult {
    let mut machine = Machine::new(program, config, env);
    let mut state = match PathOrigin::Entry(call).start(&mut machine) {
        Ok(state) => state,
        Err(feature) => return unsupported(feature),
    };
    let mut instructions = 0;
    let outcome = loop {
        let left = config.max_instructions.map_or(u64::MAX, |max| max - instructions);
        let (step, took) = machine.run(&mut state, QUANTUM.min(left));
        instructions += took;
        match step {
            Step::End(outcome) => break outcome,
            Step::Yield if config.max_instructions.is_some_and(|max| instructions >= max) => {
                break Outcome::OutOfBudget;
            }
            Step::Yield if machine.env().interrupted() => break Outcome::Interrupted,
            Step::Yield | Step::Watch(_) => {}
            Step::Fork(request) => break Stop::Fork(request).outcome(program, &state),
            Step::NoRoom(request) => break Stop::NoRoom(request).outcome(program, &state),
        }
    };
    let stats = Stats {
        instructions,
        calls: state.calls,
        heap_allocations: state.path.heap_allocations.into(),
    };
    let covered = state.path.sites().collect();
    RunResult { outcome, stats, warnings: machine.warnings.into_iter().collect(), covered }
}
