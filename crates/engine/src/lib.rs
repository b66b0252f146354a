//! The execution engine: runs a module of Byway's IR, instruction by instruction,
//! on memory of its own. It does no I/O: the world is reached only through [`Env`].
//!
//! A [`byway_ir::Module`] is laid out as a program (addresses for every symbol);
//! its functions are compiled to a register bytecode when first called; the
//! interpreter runs that on a copy-on-write state and says what happened.

mod bytecode;
mod call_paths;
mod config;
mod coverage;
mod env;
mod explore;
mod interp;
mod intrinsics;
mod memory;
mod path_info;
mod program;
mod reason;
mod seeds;
mod state;
mod stop;
mod value;

pub use config::{Checks, Config, Invocation, LongDoubles};
pub use env::{ClockKind, Env, HostFile, HostFiles};
pub use explore::{
    BranchCoverage, Control, Coverage, DeterministicEnv, Exploration, ExploreConfig, Feasibility,
    Limits, LineCoverage, Losses, Observer, PathEnd, RandomTotals, SeedTotals, SideCoverage,
    StopReason, TestSelection, Totals, UntakenReasons, WorkerPool, WorkerTotals, explore,
    explore_in_jobs,
};
pub use reason::{ConcretisationReason, SeedLossReason, UndecidedReason};
pub use seeds::Seed;

use byway_base::{Outcome, Unsupported, UnsupportedFeature};
use byway_ir::Module;

use interp::{Machine, Step};
use memory::{Memory, ObjectKind};
use program::Program;
use state::State;
use stop::{ExecResult, Stop};
use value::Value;

/// What a concrete run came to.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// How it ended.
    pub outcome: Outcome,
    /// What it took.
    pub stats: Stats,
    /// What was answered with "not implemented" on the way, and how often.
    pub warnings: Vec<(String, u64)>,
    /// The entries of functions and sides of branches of the user's code that it came
    /// by, by numbers that are the program's; none unless [`Config::coverage`] is on.
    pub covered: Vec<u32>,
}

/// Deterministic measures of a run.
#[derive(Copy, Clone, Default, Debug)]
pub struct Stats {
    /// IR instructions executed, terminators included.
    pub instructions: u64,
    /// Calls executed, intrinsics included.
    pub calls: u64,
    /// Heap objects made.
    pub heap_allocations: u64,
}

/// How many instructions run between two looks at whether the user wants to stop.
const QUANTUM: u64 = 1 << 20;

/// Where a program starts if the runtime is linked in, and if it is not.
const ENTRIES: [&str; 2] = ["__byway_start", "main"];

/// Runs a program concretely from its entry to its end.
pub fn run(module: &Module, config: &Config, call: &Invocation, env: &mut dyn Env) -> RunResult {
    Runner::new(module, config.clone()).run(call, env)
}

/// A program that is laid out once and run concretely any number of times: what one run
/// compiles, the next ones find.
pub struct Runner<'m> {
    program: Result<Program<'m>, UnsupportedFeature>,
    config: Config,
}

impl<'m> Runner<'m> {
    /// Of a module.
    pub fn new(module: &'m Module, config: Config) -> Runner<'m> {
        Runner { program: Program::new(module, &config), config }
    }

    /// Runs the program from its entry to its end.
    pub fn run(&self, call: &Invocation, env: &mut dyn Env) -> RunResult {
        self.run_as(&self.config, call, env)
    }

    /// Runs the program to its end, but for no more than so many instructions.
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

/// A state at the program's entry, its first call made.
fn enter_program(machine: &mut Machine, call: &Invocation) -> Result<State, UnsupportedFeature> {
    let module = machine.program.module;
    let defined =
        |name: &&str| module.func_by_name(name).filter(|&f| !module.funcs[f].is_declaration());
    let Some(entry) = ENTRIES.iter().find_map(defined) else {
        return Err(UnsupportedFeature::NoMain);
    };
    let mut state = State::new(machine.program.memory());
    let started = place_arguments(&mut state.memory, call).and_then(|argv| {
        let argc = call.args.len() as u64;
        let envp = argv + (argc + 1) * 8;
        machine.start(&mut state, entry, &[argc, argv, envp])
    });
    match started {
        Ok(()) => Ok(state),
        Err(_) => Err(UnsupportedFeature::ArgumentsTooLarge),
    }
}

fn run_program(
    program: &Program,
    config: &Config,
    call: &Invocation,
    env: &mut dyn Env,
) -> RunResult {
    let mut machine = Machine::new(program, config, env);
    let mut state = match enter_program(&mut machine, call) {
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
            Step::Yield => {}
            Step::Fork(request) => {
                break Stop::Fork(request).outcome(program, &state);
            }
        }
    };
    let stats =
        Stats { instructions, calls: state.calls, heap_allocations: state.heap_allocations };
    let covered = state.path.sites().collect();
    RunResult { outcome, stats, warnings: machine.warnings.into_iter().collect(), covered }
}

/// Lays out arguments, environment and the auxiliary vector in one object, as a
/// Linux process finds them: pointers first, then the strings. The auxiliary vector
/// leads to a list of options, the runtime's own, if there are any.
fn place_arguments(memory: &mut Memory, call: &Invocation) -> ExecResult<u64> {
    const AT_PAGESZ: u64 = 6;
    const AT_BYWAY_OPTIONS: u64 = 0x6279;
    const AUXV_WORDS: usize = 6;
    let lists = [&call.args, &call.env, &call.options];
    let pointers = |list: &Vec<Vec<u8>>| list.len() as u64 + 1;
    let words = lists.into_iter().map(pointers).sum::<u64>() + AUXV_WORDS as u64;
    let strings = lists.into_iter().flatten().map(|s| s.len() as u64 + 1).sum::<u64>();
    let size = words * 8 + strings;
    let base = memory.allocate(size, 16, ObjectKind::Arguments, None).ok_or_else(|| {
        stop::fault(
            byway_base::FaultKind::OutOfMemory,
            "the arguments do not fit into the program's memory",
        )
    })?;
    let auxv = base + (pointers(&call.args) + pointers(&call.env)) * 8;
    let options = auxv + AUXV_WORDS as u64 * 8;
    let mut text = base + words * 8;
    for (list, start) in lists.into_iter().zip([base, base + pointers(&call.args) * 8, options]) {
        for (slot, string) in (start..).step_by(8).zip(list) {
            memory.store::<8>(slot, Value::word(text))?;
            memory.write_bytes(text, string)?;
            text += string.len() as u64 + 1;
        }
    }
    let entries: [u64; AUXV_WORDS] = if call.options.is_empty() {
        [AT_PAGESZ, 4096, 0, 0, 0, 0]
    } else {
        [AT_PAGESZ, 4096, AT_BYWAY_OPTIONS, options, 0, 0]
    };
    for (slot, word) in (auxv..).step_by(8).zip(entries) {
        memory.store::<8>(slot, Value::word(word))?;
    }
    Ok(base)
}
