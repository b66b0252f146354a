//! The backward search: call-chain-backward symbolic execution (CCBSE).
//!
//! ```text
//! targets ──→ paths start in the functions that contain them, input unconstrained
//!                │ one reaches the target: a partial path of its function
//!                ├──→ paths start in the callers, once per function
//!                └──→ a path that calls the function follows it (follow.rs)
//! ```
//!
//! It is an exploration of its own beside that of the program, with its own states, terms and
//! solver, so that nothing it finds is mistaken for a path of the program: it gives no tests, no
//! faults and no coverage, and loses nothing. Both share [`PartialPaths`], plain data. The
//! searcher of the program decides when it runs a turn (`Action::SearchBackward`).

mod call_chains;
mod entered;
mod follow;
mod partial_paths;
mod silent_sink;

use std::rc::Rc;

use byway_base::Work;
use byway_ir::analysis::ProgramPoint;
use byway_ir::{FuncId, Module};
use byway_search::{Delta, Searcher};

pub(super) use call_chains::CallChains;
pub(super) use entered::EnteredFunctions;
pub(super) use partial_paths::PartialPaths;
pub(super) use silent_sink::SilentSink;

use super::explorer::{Explorer, Rounds};
use super::{ExploreConfig, Limits, SearchStrategy, Target};
use crate::Invocation;
use crate::interp::{Machine, Step};
use crate::origin::PathOrigin;
use crate::partial_trace::PartialTrace;
use crate::program::Program;
use crate::state::State;
use crate::underconstrained::add_entry;

/// The work of a turn.
const TURN: u64 = 10_000;

/// The solver effort of a query, about a tenth of a second. Unconstrained input makes hard queries,
/// and work counts them like easy ones; a path that is lost here is one that proves nothing.
const QUERY_EFFORT: u64 = 1_000;

/// The most instructions of the code before `main`: a constructor may never end.
const STARTUP_INSTRUCTIONS: u64 = 10_000_000;

/// The most states it keeps: only the program's states are dropped to stay within a limit on
/// memory.
const MAX_STATES: usize = 20_000;

/// Which of the two explorations.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    /// From the program's entry.
    Forward,
    /// From the targets.
    Backward,
}

/// Counts of a backward search.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct BackwardTotals {
    /// Functions that paths started in.
    pub origins: u64,
    /// Partial paths kept.
    pub kept: u64,
    /// Partial paths that another path followed to the target.
    pub followed: u64,
    /// Attempts to follow one that failed.
    pub refuted: u64,
    /// The work of the backward search, part of the work of the exploration.
    pub work: Work,
}

impl BackwardTotals {
    /// Adds the counts of another search.
    pub(super) fn add(&mut self, other: &BackwardTotals) {
        let BackwardTotals { origins, kept, followed, refuted, work } = *other;
        self.origins += origins;
        self.kept += kept;
        self.followed += followed;
        self.refuted += refuted;
        self.work += work;
    }

    /// The counts since an earlier time.
    fn since(&self, before: &BackwardTotals) -> BackwardTotals {
        BackwardTotals {
            origins: self.origins - before.origins,
            kept: self.kept - before.kept,
            followed: self.followed - before.followed,
            refuted: self.refuted - before.refuted,
            work: self.work.since(before.work),
        }
    }
}

/// What a backward search needs before the program is laid out.
pub(super) struct BackwardPlan {
    /// The program with an entry for each function that paths can start in.
    pub module: Module,
    targets: Vec<FuncId>,
    chains: Rc<CallChains>,
    /// The functions that paths can start in, with their entries.
    entries: Vec<(FuncId, FuncId)>,
}

impl BackwardPlan {
    /// Plans a search backward from these targets.
    pub fn new(module: &Module, targets: &[Target]) -> BackwardPlan {
        let funcs = targets.iter().flat_map(|target| target.points.iter().map(|point| point.func));
        let targets: Vec<FuncId> = funcs.collect();
        let chains = Rc::new(CallChains::new(module, &targets));
        let mut module = module.clone();
        let mut entry = |&func: &FuncId| {
            let entry = add_entry(&mut module, func, None).ok()?;
            // The program itself starts as ever.
            module.funcs[entry].name = format!("__byway_origin.{}", module.funcs[func].name);
            Some((func, entry))
        };
        let entries = chains.candidates().iter().filter_map(&mut entry).collect();
        BackwardPlan { module, targets, chains, entries }
    }

    /// The points to watch: where the functions begin, and `main`.
    pub fn points(&self) -> Vec<ProgramPoint> {
        let funcs = self.entries.iter().map(|&(func, _)| func).chain(self.chains.main());
        funcs.filter_map(|func| entry_of(&self.module, func)).collect()
    }
}

/// A backward search in progress.
pub(super) struct BackwardSearch<'p, 'e, 'a> {
    explorer: Explorer<'p, 'e, 'a>,
    searcher: Box<dyn Searcher>,
    rounds: Rounds,
    paths: Rc<PartialPaths>,
    /// A state at the entry of `main`: start-up code has run.
    base: State,
}

impl<'p, 'e, 'a> BackwardSearch<'p, 'e, 'a> {
    /// Starts paths in the functions that contain a target. `None` if the program does not get
    /// to `main`.
    pub fn new(
        mut explorer: Explorer<'p, 'e, 'a>,
        searcher: Box<dyn Searcher>,
        plan: &BackwardPlan,
        seed: u64,
    ) -> Option<BackwardSearch<'p, 'e, 'a>> {
        let base = state_at_main(&mut explorer.machine)?;
        explorer.prepare_metrics();
        explorer.watch_targets();
        let paths = PartialPaths::new(Rc::clone(&plan.chains), plan.entries.clone());
        plan.targets.iter().for_each(|&func| paths.start(func));
        let paths = Rc::new(paths);
        paths.candidates().for_each(|func| watch_entry(explorer.machine.program, func));
        explorer.frontier.backward.partial_paths = Some(Rc::clone(&paths));
        Some(BackwardSearch { explorer, searcher, rounds: Rounds::new(seed), paths, base })
    }

    /// The partial paths found so far.
    pub fn paths(&self) -> &Rc<PartialPaths> {
        &self.paths
    }

    /// Runs until a turn's work is done.
    pub fn run_turn(&mut self) {
        let end = self.explorer.work() + Work(TURN);
        while self.explorer.work() < end && self.has_work() {
            self.start_origins();
            let mut strategy = SearchStrategy::new(&mut *self.searcher);
            self.explorer.round(&mut self.rounds, &mut strategy);
            self.explorer.follow_from_entries(&mut Delta::default());
        }
    }

    /// Whether there are states left.
    pub fn has_work(&self) -> bool {
        let has_states = self.explorer.frontier.len() > 0 || self.paths.has_unstarted();
        has_states && !self.explorer.budget.is_stopped()
    }

    pub fn totals(&self) -> BackwardTotals {
        let own = self.explorer.results.totals.backward;
        BackwardTotals { origins: self.paths.started(), work: self.explorer.work(), ..own }
    }

    /// A test of the program reaches these targets.
    pub fn close(&mut self, targets: &[u32]) {
        self.explorer.close_targets(targets);
    }

    fn start_origins(&mut self) {
        let mut started = Vec::new();
        for (origin, entry) in self.paths.take_unstarted() {
            let mut state = State { stack: Vec::new(), ..self.base.clone() };
            if self.explorer.machine.start(&mut state, entry, &[]).is_ok() {
                state.path.partial = Some(Rc::new(PartialTrace::new(origin)));
                state.path.instructions = 0;
                started.push(self.explorer.frontier.add(Box::new(state)));
            }
        }
        if !started.is_empty() {
            let mut strategy = SearchStrategy::new(&mut *self.searcher);
            self.explorer.publish(&mut strategy, &Delta { started, ..Delta::default() });
        }
    }
}

impl Explorer<'_, '_, '_> {
    /// Lets the backward search run a turn.
    pub(super) fn search_backward(&mut self, delta: &mut Delta) {
        if let Some(backward) = &mut self.backward {
            let before = backward.totals();
            backward.run_turn();
            let (after, totals) = (backward.totals(), &mut self.results.totals.backward);
            totals.add(&after.since(&before));
            // The first were started before any turn.
            totals.origins = after.origins;
        }
        self.update_backward();
        self.follow_from_entries(delta);
        self.tick();
    }

    /// Brings what searchers see of the backward search up to date.
    pub(super) fn update_backward(&mut self) {
        let Some(backward) = &self.backward else { return };
        let (view, program) = (&mut self.frontier.backward, self.machine.program);
        view.has_work = backward.has_work();
        if view.partial_paths.is_none() {
            backward.paths().candidates().for_each(|func| watch_entry(program, func));
        }
        let paths = Rc::clone(backward.paths());
        for func in paths.take_new() {
            watch_entry(program, func);
            let point = entry_of(program.module, func);
            point.into_iter().for_each(|point| self.frontier.metrics.targets.attract(point));
        }
        self.frontier.backward.partial_paths = Some(paths);
    }

    pub(super) fn backward_work(&self) -> Work {
        self.backward.as_ref().map_or(Work::ZERO, |backward| backward.explorer.work())
    }
}

/// The configuration of the backward search beside an exploration: the same limits on time, none
/// on memory, and no input.
pub(super) fn config_of(config: &ExploreConfig) -> ExploreConfig {
    let effort = config.limits.solver_effort;
    let limits = Limits {
        work: None,
        solver_effort: Some(effort.map_or(QUERY_EFFORT, |own| own.min(QUERY_EFFORT))),
        states: Some(MAX_STATES),
        depth: None,
        memory: None,
        ..config.limits
    };
    ExploreConfig { limits, seeds: Vec::new(), ..config.clone() }
}

/// Runs the start-up code of the program to the entry of `main`, without any input.
fn state_at_main(machine: &mut Machine) -> Option<State> {
    let (program, invocation) = (machine.program, Invocation::default());
    let mut state = PathOrigin::Entry(&invocation).start(machine).ok()?;
    let main = program.module.func_by_name("main")?;
    let watches = program.watches();
    let watch = watches.at(entry_of(program.module, main)?)?;
    let was_active = watches.is_active(watch);
    watches.set_active(watch, true);
    let mut left = STARTUP_INSTRUCTIONS;
    let is_there = loop {
        let (step, took) = machine.run(&mut state, left);
        left = left.saturating_sub(took);
        match step {
            Step::Watch(at) if at == watch => break true,
            Step::Watch(_) | Step::Yield if left > 0 => {}
            _ => break false,
        }
    };
    watches.set_active(watch, was_active);
    is_there.then_some(state)
}

/// The point where a function begins.
fn entry_of(module: &Module, func: FuncId) -> Option<ProgramPoint> {
    let block = module.funcs[func].blocks.keys().next()?;
    Some(ProgramPoint { func, block, inst: 0 })
}

/// Turns on the watch at a function's entry.
fn watch_entry(program: &Program, func: FuncId) {
    let watches = program.watches();
    if let Some(watch) = entry_of(program.module, func).and_then(|point| watches.at(point)) {
        watches.set_active(watch, true);
    }
}
