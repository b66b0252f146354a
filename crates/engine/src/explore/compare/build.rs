//! A build of the program, and its runs.

use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard};

use byway_base::{ExprId, Input, Limit, Outcome};
use byway_expr::{Model, Pool};
use byway_ir::Module;
use byway_search::reducer::{ConditionId, PathTrace, Reducer};

use super::super::follow::{ReplayRoot, witness_case};
use super::super::reduce::{
    Conditions, Reduction, SharedReduction, decision_at, end_of, fork_limit, is_failure, path_trace,
};
use super::super::results;
use super::super::workers::SharedFiles;
use super::super::{ExploreConfig, Limits};
use crate::bytecode::observation::ObservationLog;
use crate::dependence::{
    ChangedCode, DependenceTracker, GiveUpReason, LoggedDecision, ObservedCode, PathDependences,
    PathLog, StaticEffects,
};
use crate::env::HostFiles;
use crate::interp::{Machine, Step};
use crate::origin::PathOrigin;
use crate::program::Program;
use crate::state::State;
use crate::{Config, DeterministicEnv};

/// A build to compare with another.
pub struct ComparedBuild<'a> {
    /// Its code.
    pub module: &'a Module,
    /// The code that the other build has not, or has otherwise; `None` if it is not known: then all
    /// code may be such.
    pub changed: Option<ChangedCode>,
    /// The files of the host that are shown to the program.
    pub files: Option<&'a Mutex<dyn HostFiles + Send + 'a>>,
}

impl<'a> ComparedBuild<'a> {
    pub(super) fn lay_out(
        &self,
        config: &ExploreConfig,
        log: &Rc<PathLog>,
    ) -> Result<Program<'a>, String> {
        let engine = Config { forks: true, ..config.engine.clone() };
        let mut program =
            Program::new(self.module, &engine).map_err(|feature| feature.to_string())?;
        program.observe(Rc::clone(log) as Rc<dyn ObservationLog>);
        Ok(program)
    }

    pub(super) fn shared_files(&self) -> Option<SharedFiles<'a>> {
        self.files.map(SharedFiles)
    }
}

/// The instructions of a run, beyond twice those of the longest one that ended, after which it
/// counts as endless.
const LEEWAY: u64 = 10_000_000;

/// Runs a build on inputs, and finds out what its ending depends on.
pub(super) struct BuildRunner<'p, 'e> {
    machine: Machine<'p, 'e>,
    root: ReplayRoot,
    log: Rc<PathLog>,
    /// The walk along what all paths have in common.
    tracker: DependenceTracker<'p>,
    reduction: Arc<SharedReduction>,
    limits: Limits,
    max_instructions: u64,
    longest: u64,
    pub instructions: u64,
}

/// A run of a build.
pub(super) struct BuildPath {
    pub outcome: Outcome,
    /// The exit code, if the decisions do not determine it.
    pub exit_code: Option<ExprId>,
    /// Its decisions, with the ending as the only instruction.
    pub trace: PathTrace,
    /// The decisions that the ending depends on, output included, in the order of demand.
    pub ending: Vec<usize>,
    /// Whether output depends on some of them.
    pub has_output: bool,
    /// The inputs that it asked for.
    pub inputs: Vec<Input>,
    pub witness: Model,
    pub instructions: u64,
    /// Decisions whose other cases a limit forbids.
    pub limited: u64,
}

impl BuildPath {
    /// The conditions that led to the fault of the path, or excluded it.
    pub fn failure(&self) -> Option<Vec<ConditionId>> {
        let taken = |&index: &usize| self.trace.decisions[index].taken;
        Some(self.trace.failure.as_ref()?.iter().map(taken).collect())
    }
}

impl<'p, 'e> BuildRunner<'p, 'e> {
    /// Prepares a build, which makes its terms in `pool`.
    pub fn new(
        build: &ComparedBuild,
        program: &'p Program<'p>,
        log: Rc<PathLog>,
        env: &'e mut DeterministicEnv<'_>,
        config: &ExploreConfig,
        pool: &mut Pool,
    ) -> Result<BuildRunner<'p, 'e>, String> {
        let reduction = Arc::new(SharedReduction::new(Reduction::DgseAlways, program.module));
        let points_to = Arc::clone(&reduction.points_to);
        let effects = Rc::new(StaticEffects::new(program.module, points_to));
        let (checks, changed) = (config.engine.checks, build.changed.as_ref());
        let code = Rc::new(ObservedCode::new(program.module, &effects, checks, changed));
        let tracker = DependenceTracker::new(effects, code, program.module, program.globals());
        let mut machine = Machine::new(program, &config.engine, env);
        machine.exploring = true;
        std::mem::swap(pool, &mut machine.pool);
        let start = PathOrigin::Entry(&config.invocation).start(&mut machine);
        std::mem::swap(pool, &mut machine.pool);
        let start = start.map_err(|feature| feature.to_string())?;
        Ok(BuildRunner {
            machine,
            root: ReplayRoot::at(&start),
            log,
            tracker,
            reduction,
            limits: config.limits,
            max_instructions: config.engine.max_instructions.unwrap_or(u64::MAX),
            longest: 0,
            instructions: 0,
        })
    }

    /// The reducer that completes the endings of the build.
    pub fn reducer(&self) -> MutexGuard<'_, Box<dyn Reducer + Send>> {
        self.reduction.reducer()
    }

    /// The reduction, for the numbers of conditions.
    pub fn reduction(&self) -> &Arc<SharedReduction> {
        &self.reduction
    }

    /// Accounted bytes of the build's objects.
    pub fn memory(&self) -> u64 {
        self.machine.program.account().total()
    }

    /// Runs an input to the end; inputs that it lacks are zeros.
    pub fn run(
        &mut self,
        inputs: &[Input],
        pool: &mut Pool,
        conditions: &mut Conditions,
    ) -> Option<BuildPath> {
        std::mem::swap(pool, &mut self.machine.pool);
        let path = self.run_in_own_pool(inputs, conditions);
        std::mem::swap(pool, &mut self.machine.pool);
        path
    }

    fn run_in_own_pool(
        &mut self,
        inputs: &[Input],
        conditions: &mut Conditions,
    ) -> Option<BuildPath> {
        let mut state = self.start(inputs)?;
        self.log.take();
        let mut tracker = self.tracker.clone();
        let (mut decisions, mut limited) = (Vec::new(), 0);
        self.machine.evaluator.forget();
        let most = self.longest.saturating_mul(2).saturating_add(LEEWAY);
        let most = most.min(self.max_instructions);
        let outcome = loop {
            let left = most.saturating_sub(state.path.instructions).max(1);
            let (step, took) = self.machine.run(&mut state, left);
            self.instructions += took;
            match step {
                Step::End(outcome) => break outcome,
                Step::Yield if state.path.instructions >= most => break Outcome::OutOfBudget,
                Step::Yield | Step::Watch(_) => {}
                Step::NoRoom(_) => break Outcome::Dropped(Limit::Memory),
                Step::Fork(request) => {
                    tracker.walk(&self.log.take());
                    if self.root.advance(&state) {
                        self.tracker = tracker.clone();
                    }
                    let taken = witness_case(&mut self.machine, &state, &request);
                    let limit = fork_limit(&state, &self.limits);
                    limited += u64::from(limit.is_some() && request.cases.len() > 1);
                    let decision =
                        decision_at(&mut self.machine, conditions, &state, &request, taken, limit);
                    let (index, inst) = (decisions.len() as u32, decision.site.inst);
                    let is_check = decision.is_check;
                    self.log.decide(LoggedDecision { index, inst, is_check });
                    decisions.push(decision);
                    state.path.depth += 1;
                    let Some(taken) = taken else { break Outcome::Excluded };
                    state.path.answered(request.key, taken);
                }
            }
        };
        // The explorations of the builds reported what the program says and covers.
        self.machine.messages.clear();
        self.machine.coverage.fresh.clear();
        self.machine.evaluator.forget();
        if outcome != Outcome::OutOfBudget {
            self.longest = self.longest.max(state.path.instructions);
        }
        tracker.walk(&self.log.take());
        let known = match state.path.concretised.is_empty() {
            true => tracker.finish(end_of(&self.machine, &state)),
            false => Err(GiveUpReason::Concretised),
        };
        let known = known
            .unwrap_or_else(|_| PathDependences::complete(decisions.iter().map(|it| it.is_check)));
        let mut ending = known.end.clone();
        ending.extend(known.output.iter().filter(|it| !known.end.contains(it)));
        let has_output = !known.output.is_empty();
        let mut trace = path_trace(decisions, known, is_failure(&outcome));
        trace.decisions.iter_mut().for_each(|it| it.is_observed &= it.is_check);
        trace.dependences = match trace.failure {
            Some(_) => Vec::new(),
            None => vec![ending.clone()],
        };
        let inputs = results::inputs(&self.machine.pool, &state.path);
        let path = BuildPath {
            outcome,
            exit_code: state.path.exit_code,
            trace,
            ending,
            has_output,
            inputs,
            witness: state.path.witness.clone(),
            instructions: state.path.instructions,
            limited,
        };
        self.machine.recycle(&mut state);
        Some(path)
    }

    /// A state at the root that follows an input. A replay gives the bytes of the inputs made
    /// before its root by their order, which another build may have otherwise.
    fn start(&self, inputs: &[Input]) -> Option<Box<State>> {
        let root = self.root.state()?;
        let made = results::inputs(&self.machine.pool, &root.path).into_iter();
        let given = made.map(|made| {
            let given = inputs.iter().find(|it| it.name == made.name && fits(it, &made));
            given.cloned().unwrap_or(made)
        });
        let given: Vec<Input> = given.collect();
        let others = inputs.iter().filter(|it| given.iter().all(|own| own.name != it.name));
        let all: Vec<Input> = given.iter().chain(others).cloned().collect();
        self.root.start_replay(&all)
    }
}

fn fits(given: &Input, made: &Input) -> bool {
    given.bytes.len() == made.bytes.len()
}
