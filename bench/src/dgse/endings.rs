//! How two builds of a program end on the same inputs.

use std::collections::BTreeSet;
use std::rc::Rc;

use byway_base::{Fault, Input, Outcome};
use byway_engine::{
    ChangedCode, ClockKind, ComparedBuild, Config, Control, DeterministicEnv, Env, HostFiles,
    Invocation, Runner, combine_endings,
};
use byway_ir::Module;
use byway_solver::SolverOptions;

use super::exploration::{ReductionMode, Unexplored, configuration};

/// How the old and the new build end.
pub type EndingPair = (String, String);

/// The instructions after which a run counts as endless.
const MOST_INSTRUCTIONS: u64 = 10_000_000;

/// The different endings that inputs show on two builds.
pub fn shown(old: &Module, new: &Module, inputs: &[Vec<Input>]) -> BTreeSet<EndingPair> {
    let config = Config { max_instructions: Some(MOST_INSTRUCTIONS), ..Config::default() };
    let runners = [old, new].map(|build| Runner::new(build, config.clone()));
    let invocation = Invocation { args: vec![b"program".to_vec()], ..Invocation::default() };
    let mut pairs = BTreeSet::new();
    for inputs in inputs {
        let [old, new] = runners.each_ref().map(|runner| {
            let mut env = NamedInputs { inputs, fixed: DeterministicEnv::default() };
            ending(&runner.run(&invocation, &mut env).outcome)
        });
        if let (Some(old), Some(new)) = (old, new)
            && old != new
        {
            pairs.insert((old, new));
        }
    }
    pairs
}

/// The inputs that a search for combined endings finds, and those that it starts from.
pub fn combined(
    old: &Module,
    new: &Module,
    change: &ChangedCode,
    mut inputs: Vec<Vec<Input>>,
) -> Result<Vec<Vec<Input>>, Unexplored> {
    let build = |module| ComparedBuild { module, changed: Some(change.clone()), files: None };
    let solver = SolverOptions {
        check: false,
        log: None,
        interrupt: None,
        memory: None,
        on_error: Rc::new(|_| {}),
    };
    let (config, _) = configuration(ReductionMode::Reduced);
    let builds = [build(old), build(new)];
    let tick = &mut |_: &_| Control::Continue;
    let found =
        combine_endings(builds, &config, &inputs, solver, tick).map_err(Unexplored::Incomplete)?;
    if let Some(why) = found.totals.stopped {
        return Err(Unexplored::Incomplete(format!("stopped: {why:?}")));
    }
    inputs.extend(found.tests.into_iter().map(|it| it.test.inputs));
    Ok(inputs)
}

/// An ending in a few words; `None` if it shows nothing about the program.
fn ending(outcome: &Outcome) -> Option<String> {
    let line = |fault: &Fault| {
        let loc = fault.culprit().and_then(|frame| frame.loc.as_ref());
        loc.map_or_else(|| "?".to_owned(), |loc| format!("line {}", loc.line))
    };
    match outcome {
        Outcome::Exit(code) => Some(format!("exit code {}", *code as u8)),
        Outcome::Fault(fault) => Some(format!("{} on {}", fault.kind, line(fault))),
        _ => None,
    }
}

/// Inputs by their names; those that lack are zeros.
struct NamedInputs<'a> {
    inputs: &'a [Input],
    fixed: DeterministicEnv<'a>,
}

impl Env for NamedInputs<'_> {
    fn write(&mut self, fd: i32, bytes: &[u8]) -> Result<usize, i32> {
        self.fixed.write(fd, bytes)
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, i32> {
        self.fixed.read(buffer)
    }

    fn now(&mut self, clock: ClockKind) -> (i64, i64) {
        self.fixed.now(clock)
    }

    fn interrupted(&mut self) -> bool {
        false
    }

    fn input(&mut self, name: &str, size: u64) -> Option<Vec<u8>> {
        let given = self.inputs.iter().find(|it| it.name == name);
        Some(given.map_or_else(|| vec![0; size as usize], |it| it.bytes.clone()))
    }

    fn files(&mut self) -> Option<&mut dyn HostFiles> {
        None
    }
}
