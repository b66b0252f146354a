//! The exploration: the loop that owns the states, asks a searcher which runs next,
//! and has the solver decide which ways are possible.
//!
//! ```text
//! searcher.pick → run a state → Step::Fork  → [`fork`]: the witness goes its way free,
//!                                            the others are decided now or when picked
//!                               Step::End  → [`ending`]: a test, told to the observer
//!                               Step::Yield → back to the searcher
//! ```
//!
//! States that seeds follow run first, before the searcher is asked ([`seeds`]).

mod clock;
mod collect;
mod concolic;
mod config;
mod control_flow;
mod desk;
mod ending;
mod facts;
mod follow;
mod fork;
mod frontier;
mod jobs;
mod limit;
mod observe;
mod parties;
mod random;
mod seeds;
mod sides;
mod together;
mod world;

pub use config::{ExploreConfig, Feasibility, Limits, TestSelection};
pub use jobs::{WorkerPool, WorkerTotals, explore_in_jobs};
pub use observe::{
    BranchCoverage, Control, Coverage, Exploration, LineCoverage, Losses, Observer, PathEnd,
    SideCoverage, StopReason, Totals,
};
pub use random::RandomTotals;
pub use seeds::SeedTotals;
pub use sides::UntakenReasons;
pub use world::DeterministicEnv;

use std::time::Instant;

use byway_base::{Outcome, Rng, Work};
use byway_ir::Module;
use byway_search::{
    Action, Delta, Milestone, NewCoverage, Searcher, SearcherRequirements, StateId, Until,
};
use byway_solver::{Layer, Solver};
use rustc_hash::FxHashSet;

use crate::Config;
use crate::env::HostFiles;
use crate::interp::{Machine, Step};
use crate::program::Program;
use crate::seeds::PathSeeds;
use crate::state::State;
use clock::RunClock;
use desk::{LocalSink, ResultSink};
use facts::StateMetrics;
use follow::ReplayRoot;
use fork::ForkResult;
use frontier::Frontier;
use jobs::Worker;
use limit::MemoryLimit;
use seeds::SeedQueue;
use sides::BranchStats;

/// How many instructions run between two looks at whether to stop.
const QUANTUM: u64 = 1 << 20;

/// How many picks lie between two such looks at the most.
const ROUNDS_PER_TICK: u64 = 1 << 10;

/// Explores a program from its entry, showing it these files of the host; an error says
/// in one sentence why it cannot even begin.
pub fn explore(
    module: &Module,
    config: &ExploreConfig,
    searcher: &mut dyn Searcher,
    solver: byway_solver::SolverOptions,
    files: Option<&mut dyn HostFiles>,
    observer: &mut dyn Observer,
) -> Result<Exploration, String> {
    let mut desk = LocalSink::new(observer);
    explore_for(module, config, searcher, solver, files, &mut desk, None)
}

/// Explores, alone or as a member of several, and tells whoever sits at the desk.
fn explore_for<'a>(
    module: &Module,
    config: &'a ExploreConfig,
    searcher: &mut dyn Searcher,
    solver: byway_solver::SolverOptions,
    files: Option<&mut dyn HostFiles>,
    desk: &'a mut dyn ResultSink,
    member: Option<Worker<'a>>,
) -> Result<Exploration, String> {
    let wants = searcher.requirements();
    let mut program = Program::new(module, &Config { forks: true, ..config.engine.clone() })
        .map_err(|feature| feature.to_string())?;
    program.count_executions(wants.executions);
    let mut world = DeterministicEnv { files };
    let mut machine = Machine::new(&program, &config.engine, &mut world);
    machine.exploring = true;
    let solver = byway_solver::solver(&machine.pool, solver)
        .map_err(|error| format!("queries cannot be logged: {error}"))?;
    let mut explorer = Explorer {
        sides: BranchStats::new(program.sites().len()),
        frontier: Frontier::new(&program, StateMetrics::new(module, program.sites().len(), wants)),
        machine,
        solver,
        desk,
        config,
        totals: Totals::default(),
        clock: RunClock::new(
            member.as_ref().map_or_else(Instant::now, Worker::began),
            &config.limits,
        ),
        collect_at: config.collect_at,
        backend_calls: 0,
        memory: MemoryLimit::new(config.limits.memory),
        seeds: SeedQueue::default(),
        manner: wants,
        home: ReplayRoot::default(),
        paths_taken: FxHashSet::default(),
        member,
        stop: None,
    };
    explorer.desk.begin(module, program.sites());
    let start = crate::enter_program(&mut explorer.machine, &config.invocation)
        .map_err(|feature| feature.to_string())?;
    explorer.prepare_facts();
    explorer.explore(Box::new(start), searcher);
    Ok(Exploration { portfolio_shares: searcher.portfolio_shares(), ..explorer.finish() })
}

/// An exploration under way.
struct Explorer<'p, 'e, 'a> {
    machine: Machine<'p, 'e>,
    frontier: Frontier<'p>,
    solver: Box<dyn Solver>,
    desk: &'a mut dyn ResultSink,
    config: &'a ExploreConfig,
    sides: BranchStats,
    totals: Totals,
    clock: RunClock,
    /// Collect once there are so many terms.
    collect_at: usize,
    /// Calls of the solver's backend when the observer was last asked.
    backend_calls: u64,
    /// How much memory there is.
    memory: MemoryLimit,
    /// What runs before the searcher is asked.
    seeds: SeedQueue,
    /// What the searcher asked for once and for all.
    manner: SearcherRequirements,
    /// Where inputs set out that run from the start.
    home: ReplayRoot,
    /// The digests of the paths that random inputs took.
    paths_taken: FxHashSet<u64>,
    /// The part in it of this exploration, if it is one of several that share the work.
    member: Option<Worker<'a>>,
    /// Why to stop, once it is clear.
    stop: Option<StopReason>,
}

impl<'p> Explorer<'p, '_, '_> {
    fn explore(&mut self, mut state: Box<State>, searcher: &mut dyn Searcher) {
        let number = self.member.as_ref().map_or(0, Worker::number);
        let mut rng = Rng::new(self.config.seed.wrapping_add(number));
        self.set_out_from(&state);
        if number == 0 && !self.manner.random {
            state.path.seeds = PathSeeds::all(&self.config.seeds);
            self.totals.seeds.taken = self.config.seeds.len() as u64;
            let first = self.frontier.add(state);
            self.queue_seeded(first);
        }
        self.count_states(0);
        self.weigh_process();
        searcher.update(&Delta::all_of(&self.frontier), &self.frontier);
        let mut delta = Delta::default();
        for round in 1u64.. {
            if self.stop.is_some() {
                break;
            }
            if round.is_multiple_of(ROUNDS_PER_TICK) {
                self.tick();
            }
            let action = match self.next_seeded() {
                Some((state, until)) => Action::Run { state, until },
                None => searcher.pick(&self.frontier, &mut rng),
            };
            match action {
                Action::Stop if self.take_work(searcher) => {}
                Action::Stop => self.stop = self.stop.or(Some(StopReason::Done)),
                action => {
                    delta.clear();
                    self.act(action, &mut rng, &mut delta);
                    self.look_at_limits();
                    self.hold_memory(&mut delta);
                    self.give_work(&mut delta);
                    self.frontier.work = self.work();
                    self.update_facts(&delta);
                    searcher.update(&delta, &self.frontier);
                    self.collect_if_due();
                }
            }
        }
    }

    /// Does what a searcher says, and tells what came of it.
    fn act(&mut self, action: Action, rng: &mut Rng, delta: &mut Delta) {
        match action {
            Action::Run { state, until } => {
                delta.ran = Some(state);
                if let Some(found) = self.frontier.take(state) {
                    self.run(state, found, until, delta);
                }
            }
            Action::RandomTest => self.test_at_random(rng, delta),
            Action::Stop => {}
        }
    }

    /// Runs a state and puts it back, unless its path ends.
    fn run(&mut self, id: StateId, mut state: Box<State>, until: Until, delta: &mut Delta) {
        if state.path.pending.is_some() {
            let possible = self.decide(id, &mut state, delta);
            self.tick_if_solving();
            self.look_at_limits();
            if !possible {
                return;
            }
            if self.manner.concolic {
                match self.run_from_start(id, state, delta) {
                    Some(there) => state = there,
                    None => return,
                }
            }
        }
        self.machine.evaluator.forget();
        let mut left = until.steps.get();
        let ended = loop {
            let quantum = self.quantum(&state, left);
            let (step, took) = self.machine.run(&mut state, quantum);
            left = left.saturating_sub(took);
            self.totals.instructions += took;
            self.tell_news(id, &mut state, delta);
            match step {
                Step::End(outcome) => break Some(outcome),
                Step::Yield if self.path_is_too_long(&state) => break Some(Outcome::OutOfBudget),
                Step::Yield => {
                    self.tick();
                    if self.is_asked_for_work() {
                        left = 0;
                    }
                }
                // Before the first fork that follows wishes: met here, they are met for
                // free on every path behind it that leaves those bytes alone. The
                // instruction runs again, and asks for what the new witness says.
                Step::Fork(_) if state.path.has_new_preferences() => {
                    self.apply_preferences(&mut state.path);
                    self.machine.evaluator.forget();
                }
                Step::Fork(request) => {
                    let answered = self.answer(id, &mut state, &request, delta);
                    self.tick_if_solving();
                    match answered {
                        ForkResult::Forked
                            if until.milestone == Milestone::Fork || self.is_asked_for_work() =>
                        {
                            break None;
                        }
                        ForkResult::Alone | ForkResult::Forked => {}
                        ForkResult::Excluded => break Some(Outcome::Excluded),
                        ForkResult::Undecided => {
                            delta.unknown.push(id);
                            return;
                        }
                    }
                }
            }
            self.look_at_limits();
            if left == 0 || self.stop.is_some() {
                break None;
            }
        };
        match ended {
            Some(outcome) => {
                delta.ended.push(id);
                self.end(state, outcome);
                self.look_at_limits();
            }
            None => {
                self.frontier.put(id, state);
                self.queue_seeded(id);
            }
        }
    }

    /// How many instructions may run before the next look at the limits.
    fn quantum(&self, state: &State, left: u64) -> u64 {
        let work = self
            .config
            .limits
            .work
            .map_or(u64::MAX, |max| self.share_of(max.since(self.work_of_all()).0));
        let path = self.config.engine.max_instructions;
        let path = path.map_or(u64::MAX, |max| max.saturating_sub(state.path.instructions));
        left.min(QUANTUM).min(work).min(path).max(1)
    }

    fn path_is_too_long(&self, state: &State) -> bool {
        let max = self.config.engine.max_instructions;
        max.is_some_and(|max| state.path.instructions >= max)
    }

    fn work(&self) -> Work {
        let instructions = Work::of_instructions(self.totals.instructions);
        instructions + Work::of_solver_calls(self.calls_of_backend())
    }

    /// The queries that no cheap layer answered; who answers them in the end is the
    /// solver's business.
    fn calls_of_backend(&self) -> u64 {
        self.solver.statistics().layer(Layer::Blast).asked
    }

    /// Queries can take long: whoever watches hears of them too.
    fn tick_if_solving(&mut self) {
        let calls = self.calls_of_backend();
        if std::mem::replace(&mut self.backend_calls, calls) != calls {
            self.tick();
        }
    }

    fn look_at_limits(&mut self) {
        let limits = &self.config.limits;
        if limits.work.is_some_and(|max| self.work_of_all() >= max) {
            self.stop.get_or_insert(StopReason::Work);
        }
        if let Some(why) = self.clock.ends(limits) {
            self.stop.get_or_insert(why);
        }
        self.stop_together();
    }

    /// Tells what the program said and which blocks are new.
    fn tell_news(&mut self, id: StateId, state: &mut State, delta: &mut Delta) {
        let sites = self.machine.program.sites();
        if !self.machine.coverage.fresh.is_empty() {
            self.tell_coverage();
            let path = &mut state.path;
            path.new_coverage_at = Some(path.instructions);
        }
        for site in self.machine.coverage.fresh.drain(..) {
            self.frontier.facts.see(site);
            delta
                .new_coverage
                .push(NewCoverage { state: id, location: sites[site as usize].location() });
        }
        for message in self.machine.messages.drain(..) {
            self.desk.message(&message);
        }
    }

    fn tick(&mut self) {
        self.hear_coverage();
        self.memory.look_at_process();
        self.bring_up_to_date();
        if self.desk.tick(&self.totals) == Control::Stop {
            self.stop.get_or_insert(StopReason::Stopped);
        }
    }

    /// Counts the states there are, beside those in the store so many that run.
    fn count_states(&mut self, running: u64) {
        self.totals.max_states = self.totals.max_states.max(self.frontier.len() as u64 + running);
    }

    /// Brings the totals that are kept elsewhere up to date.
    fn bring_up_to_date(&mut self) {
        self.totals.work = self.work();
        self.totals.states = self.frontier.len() as u64;
        self.totals.pending = self.frontier.pending();
        self.totals.memory = self.accounted();
        self.totals.max_memory = self.totals.max_memory.max(self.totals.memory);
        self.totals.solver = *self.solver.statistics();
        self.totals.coverage = self.desk.coverage();
    }

    /// How paths end that are under way when the exploration stops.
    fn outcome_of_rest(&self) -> Outcome {
        match self.stop {
            Some(StopReason::Stopped) => Outcome::Interrupted,
            _ => Outcome::OutOfBudget,
        }
    }

    /// Ends what is left, and sums up.
    fn finish(mut self) -> Exploration {
        let why = self.stop.unwrap_or(StopReason::Done);
        let outcome = self.outcome_of_rest();
        for id in byway_search::View::states(&self.frontier) {
            let Some(state) = self.frontier.take(id) else { continue };
            self.totals.losses.unfinished += 1;
            self.sides.count_waiting(self.machine.program, &state, |side| &mut side.waiting);
            if state.path.pending.is_none() {
                self.end(state, outcome.clone());
            }
        }
        self.totals.losses.warnings = std::mem::take(&mut self.machine.warnings);
        self.bring_up_to_date();
        self.desk.flush(&self.totals);
        let (program, tracker) = (self.machine.program, &self.machine.coverage);
        let first_path = |site| self.desk.first_path(site);
        Exploration {
            stop_reason: why,
            lines: self.desk.lines(),
            branches: self.sides.tell(program.module, program.sites(), tracker, &first_path),
            solver_clock: self.solver.clock(),
            jobs: self.member.iter().map(|member| member.totals(&self.totals)).collect(),
            totals: self.totals,
            portfolio_shares: Vec::new(),
        }
    }
}
