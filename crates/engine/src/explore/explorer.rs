//! The loop: a searcher picks a state, the machine runs it, and the state forks, ends or
//! yields. [`Explorer`] composes the parts; each part owns its data.
//!
//! ```text
//! frontier → searcher.pick → machine.run → Step::Fork  → feasibility, fork → frontier
//!                                          Step::End   → results → sink
//!                                          Step::Yield → frontier
//! ```
//!
//! States that seeds follow run first, before the searcher picks ([`super::seed_queue`]). One
//! iteration is a *round*; at its end the pruner is asked ([`Explorer::prune`]).

use std::num::NonZeroU64;

use byway_base::{Outcome, Rng};
use byway_search::{
    Action, Delta, Milestone, NewCoverage, SearcherRequirements, StateId, TestEvidence, Until,
};
use byway_solver::UnknownReason;

use super::backward::{BackwardSearch, EnteredFunctions};
use super::branch_stats::BranchStats;
use super::budget::RunBudget;
use super::checkpoint::Checkpoints;
use super::clock::RunClock;
use super::collect::TermCollector;
use super::feasibility::{Decided, FeasibilityChecker};
use super::follow::ReplayRoot;
use super::fork::{ForkResult, Forker};
use super::frontier::Frontier;
use super::instruction_shares::{ForkCosts, InstructionShares, SharePosition};
use super::known_paths::{KnownPaths, path_key};
use super::markov_rewards::MarkovRewards;
use super::memory_limit::MemoryLimit;
use super::metrics::StateMetrics;
use super::random::RandomTests;
use super::reduce::ReducedSearch;
use super::results::{ConcludedState, PathResults, complete_digest, is_cut_short};
use super::seed_queue::SeedQueue;
use super::sink::ResultSink;
use super::undecided::UndecidedStates;
use super::workers::{Worker, WorkerResult};
use super::{Control, ExploreConfig, Feasibility, SearchStrategy, StopReason};
use crate::interp::{Machine, Step};
use crate::path_info::{ForkRequest, PathInfo};
use crate::program_chain::program_chain;
use crate::seeds::PathSeeds;
use crate::state::State;

/// The most picks between two ticks.
const ROUNDS_PER_TICK: u64 = 1 << 10;

/// XORed with the seed for the pruner's random numbers: a pruner that draws but drops nothing
/// does not change the searcher's picks.
const PRUNER_STREAM: u64 = 0x7072_756e_6572;

/// Instructions of a run that a unit of solver effort counts as. A state whose expensive
/// queries never fork returns to the searcher after ten milliseconds or one query, not after
/// all queries of 10,000 instructions.
const STEPS_PER_EFFORT: u64 = 100;

/// What one round passes on to the next.
pub(super) struct Rounds {
    number: u64,
    rng: Rng,
    pruner_rng: Rng,
    /// Empty between rounds; its lists keep their capacity.
    delta: Delta,
}

impl Rounds {
    pub fn new(seed: u64) -> Rounds {
        let (rng, pruner_rng) = (Rng::new(seed), Rng::new(seed ^ PRUNER_STREAM));
        Rounds { number: 0, rng, pruner_rng, delta: Delta::default() }
    }
}

/// An exploration in progress: all of it, or one worker's part.
pub(super) struct Explorer<'p, 'e, 'a> {
    pub machine: Machine<'p, 'e>,
    pub frontier: Frontier<'p>,
    pub feasibility: FeasibilityChecker,
    pub branch_stats: BranchStats,
    pub seeds: SeedQueue,
    pub undecided: UndecidedStates,
    pub results: PathResults<'a>,
    pub budget: RunBudget,
    pub memory: MemoryLimit,
    pub collector: TermCollector,
    /// What the last checkpoint has, if there are any.
    pub checkpoints: Option<Checkpoints>,
    /// What instructions took so far, if that is limited.
    pub shares: Option<Box<InstructionShares>>,
    pub root: ReplayRoot,
    pub random: RandomTests,
    pub worker: Worker<'a>,
    pub requirements: SearcherRequirements,
    /// States that partial paths found later are followed from.
    pub entered: EnteredFunctions,
    /// The backward search, on the worker that has one.
    pub backward: Option<Box<BackwardSearch<'p, 'e, 'a>>>,
    /// The reduction, if paths run from tasks.
    pub reduced: Option<Box<ReducedSearch<'p>>>,
    /// Paths that give no second test: those of a reduction which was given up, or of a campaign.
    pub known_paths: Option<KnownPaths>,
    /// Whether other runs explored before this one, or will.
    is_campaign: bool,
    /// What the tests since the last round show, if a pruner learns from it.
    pub evidence: Vec<TestEvidence>,
    /// For each target, whether the control flow graph leads there from the first state.
    pub reachable_from_start: Vec<bool>,
}

impl<'p, 'e, 'a> Explorer<'p, 'e, 'a> {
    pub fn new(
        machine: Machine<'p, 'e>,
        config: &'a ExploreConfig,
        requirements: SearcherRequirements,
        solver: Box<dyn byway_solver::Solver>,
        sink: &'a mut dyn ResultSink,
        worker: Worker<'a>,
    ) -> Self {
        let program = machine.program;
        let sites = program.sites().len();
        let mut metrics = StateMetrics::new(program.module, sites, requirements, &config.targets);
        let SearcherRequirements { concolic, random, random_tests, .. } = requirements;
        metrics.chain =
            random_tests.then(|| Box::new(program_chain(program.module, program.sites())));
        let policy = if concolic { Feasibility::Lazy } else { config.feasibility };
        let is_campaign = requirements.restarts || config.resume.is_some();
        Explorer {
            frontier: Frontier::new(program, metrics),
            feasibility: FeasibilityChecker::new(solver, policy),
            branch_stats: BranchStats::new(sites),
            seeds: SeedQueue::default(),
            undecided: UndecidedStates::default(),
            results: PathResults::new(
                sink,
                config,
                concolic || random || config.reduction.is_some(),
            ),
            budget: RunBudget::new(
                config,
                worker.count() as u64,
                RunClock::new(worker.began(), &config.limits),
            ),
            memory: MemoryLimit::new(config.limits.memory, worker.count() as u64),
            collector: TermCollector::new(config.collect_at),
            checkpoints: Checkpoints::new(config),
            shares: InstructionShares::new(config.limits.shares),
            root: ReplayRoot::default(),
            random: RandomTests::default(),
            known_paths: is_campaign.then(|| worker.known_paths()),
            is_campaign,
            worker,
            requirements,
            entered: EnteredFunctions::default(),
            backward: None,
            reduced: None,
            evidence: Vec::new(),
            reachable_from_start: Vec::new(),
            machine,
        }
    }

    /// Explores from a state; only the first worker has it in its frontier.
    pub fn explore(
        mut self,
        mut start: Box<State>,
        config: &ExploreConfig,
        strategy: &mut SearchStrategy,
    ) -> WorkerResult {
        let resume = config.resume.as_deref();
        let sites = self.machine.program.sites().len();
        for (site, _) in resume.iter().flat_map(|point| point.covered_of(sites)) {
            self.machine.coverage.credit_one(site);
            // Paths no longer record it, so nothing else would tell searchers.
            self.machine.coverage.see(site);
        }
        self.prepare_metrics();
        if self.requirements.evidence {
            self.machine.coverage.record_all();
        }
        self.watch_targets();
        let SearcherRequirements { concolic, random, random_tests, .. } = self.requirements;
        let is_replayed = concolic || random || random_tests || self.requirements.restarts;
        if !self.worker.is_alone() || is_replayed || self.reduced.is_some() || resume.is_some() {
            self.root = ReplayRoot::at(&start);
        }
        let has_states = resume.is_some_and(|point| point.states.is_some());
        if self.worker.is_first() && !self.requirements.random && !has_states {
            self.seeds.totals.taken = config.seeds.len() as u64;
            for seeds in PathSeeds::all(&config.seeds).of_first_states(config.engine.pin_seeds) {
                start.path.seeds = seeds;
                let first = self.frontier.add(start.clone());
                self.seeds.add(&self.frontier, first);
            }
        }
        self.reachable_from_start = self.reachable_targets();
        self.drop_start_if_unreachable();
        self.results.count_states(self.frontier.len());
        if let Some(resident) = self.resident() {
            self.memory.set_base(resident);
        }
        self.update_backward();
        strategy.update(&Delta::all_of(&self.frontier), &self.frontier);
        if let Some(point) = resume.filter(|_| self.worker.is_first()) {
            self.resume(point, strategy);
        }
        let mut rounds = Rounds::new(config.seed.wrapping_add(self.worker.number()));
        while self.round(&mut rounds, strategy) {}
        let markov = strategy.searcher.markov_report(&self.frontier);
        let chain = self.frontier.metrics.chain.take();
        let module = self.machine.program.module;
        let markov = markov.zip(chain);
        let markov = markov.map(|(report, chain)| MarkovRewards::new(report, &chain, module));
        WorkerResult { markov, ..self.finish(strategy) }
    }

    /// Runs what the searcher picks; returns whether the exploration continues.
    pub fn round(&mut self, rounds: &mut Rounds, strategy: &mut SearchStrategy) -> bool {
        if self.budget.is_stopped() {
            return false;
        }
        self.abandon_reduction(strategy);
        rounds.number += 1;
        if rounds.number.is_multiple_of(ROUNDS_PER_TICK) {
            self.tick();
        }
        let action = match self.next_seed() {
            Some((state, until)) => Action::Run { state, until },
            None if self.budget.limits().seeds_only => Action::Stop,
            None => strategy.searcher.pick(&self.frontier, &mut rounds.rng),
        };
        let mut delta = std::mem::take(&mut rounds.delta);
        let query_cost = self.feasibility.query_cost();
        match action {
            Action::Run { state, until } => self.run_picked(state, until, &mut delta),
            Action::RandomTest => self.random_test(&mut rounds.rng, &mut delta),
            Action::RandomTests { count } => self.random_tests(count, strategy, &mut delta),
            Action::SearchBackward => self.search_backward(&mut delta),
            Action::Stop if self.budget.limits().seeds_only => {
                let is_done = self.frontier.len() == 0;
                self.budget.stop(if is_done { StopReason::Done } else { StopReason::Seeds });
            }
            Action::Stop
                if self.retry_undecided(strategy)
                    || self.start_over_if_due(strategy, true, &mut rounds.pruner_rng)
                    || self.take_work(strategy) => {}
            Action::Stop => self.budget.stop(StopReason::Done),
        }
        if action != Action::Stop {
            delta.effort = self.feasibility.query_cost() - query_cost;
            delta.executions.extend(self.machine.program.take_site_executions());
            delta.evidence.append(&mut self.evidence);
            self.check_limits();
            self.drop_unreachable(&mut delta);
            self.limit_memory(&mut delta);
            self.give_work(&mut delta);
            self.publish(strategy, &delta);
            self.prune(strategy, &mut rounds.pruner_rng);
            self.checkpoint_if_due(strategy);
            self.collect_if_due();
            delta.clear();
        }
        rounds.delta = delta;
        true
    }

    /// Updates searcher and pruner with what happened.
    pub fn publish(&mut self, strategy: &mut SearchStrategy, delta: &Delta) {
        self.frontier.work = self.work();
        self.update_metrics(delta);
        strategy.update(delta, &self.frontier);
    }

    /// Decides a state if it is pending, then runs it.
    fn run_picked(&mut self, id: StateId, until: Until, delta: &mut Delta) {
        delta.ran = Some(id);
        self.undecided.remove(id);
        if self.frontier.get(id).is_some_and(|state| self.is_lost_to_targets(state)) {
            // Its targets were closed while it waited; the end of the round drops it.
            return;
        }
        if self.reduced.is_some() {
            return self.run_task(id, delta);
        }
        if let Some(state) = self.frontier.take(id)
            && let Some(state) = self.decide(id, state, until, delta)
        {
            self.run(id, state, until, delta);
        }
    }

    /// Decides a pending state; `None` if it does not run.
    fn decide(
        &mut self,
        id: StateId,
        mut state: Box<State>,
        until: Until,
        delta: &mut Delta,
    ) -> Option<Box<State>> {
        if state.path.pending.is_none() {
            return Some(state);
        }
        let attempts = std::mem::take(&mut state.path.attempts);
        let mut query = self.budget.query_again(attempts);
        if attempts == 0 && until.effort != NonZeroU64::MAX {
            query.effort =
                Some(query.effort.map_or(until.effort.get(), |own| own.min(until.effort.get())));
        }
        let effort = self.feasibility.effort();
        let decided = self.feasibility.decide(&mut self.machine.pool, &mut state.path, query);
        if let Some(shares) = &mut self.shares {
            let at = SharePosition::of(self.machine.program, &state);
            shares.add(at, ForkCosts { forks: 0, effort: self.feasibility.effort() - effort });
        }
        if decided == Decided::Infeasible {
            let (program, stats) = (self.machine.program, &mut self.branch_stats);
            stats.count_waiting(program, &state, |reasons| &mut reasons.infeasible);
            delta.infeasible.push(id);
        }
        self.undecided.totals.decided +=
            u64::from(attempts > 0 && !matches!(decided, Decided::Undecided(_)));
        self.tick_if_solving();
        self.check_limits();
        match decided {
            Decided::Undecided(reason) => {
                state.path.attempts = attempts;
                self.suspend_undecided(id, state, reason, delta);
                None
            }
            Decided::Feasible if self.requirements.concolic => self.replay_solved(id, state, delta),
            Decided::Feasible => Some(state),
            Decided::Infeasible => None,
        }
    }

    /// Keeps a state that the solver gave up on for another attempt, or removes it if more
    /// effort would not help.
    pub fn suspend_undecided(
        &mut self,
        id: StateId,
        mut state: Box<State>,
        reason: UnknownReason,
        delta: &mut Delta,
    ) {
        // A random test may still take the path of a state that no solver decides.
        if self.requirements.random_tests
            || UndecidedStates::is_worth_keeping(reason, self.budget.limits())
        {
            state.path.attempts = state.path.attempts.saturating_add(1);
            self.undecided.add(id, &state.path);
            delta.suspended.push(id);
            self.frontier.put(id, state);
        } else {
            self.count_undecided(&state, reason);
            delta.unknown.push(id);
        }
    }

    pub fn count_undecided(&mut self, state: &State, reason: UnknownReason) {
        self.results.totals.losses.count_undecided(reason);
        let (program, stats) = (self.machine.program, &mut self.branch_stats);
        stats.count_waiting(program, state, |reasons| &mut reasons.undecided);
    }

    /// Lets the searcher pick an undecided state again; returns whether there is one.
    fn retry_undecided(&mut self, strategy: &mut SearchStrategy) -> bool {
        let Some(id) = self.undecided.retry(self.budget.limits()) else { return false };
        self.publish(strategy, &Delta { resumed: vec![id], ..Delta::default() });
        true
    }

    /// Runs a state and puts it back, unless its path ends.
    pub fn run(&mut self, id: StateId, mut state: Box<State>, until: Until, delta: &mut Delta) {
        self.machine.evaluator.forget();
        self.begin_run();
        let (mut until, mut left) = self.until_finished(&state, until, until.steps.get());
        let ended = loop {
            let effort = self.feasibility.effort();
            let (step, took) = self.run_machine(id, &mut state, left, delta);
            left = left.saturating_sub(took);
            match step {
                Step::End(outcome) => break Some(outcome),
                Step::NoRoom(request) => {
                    if !self.make_room_for(request, &mut state, delta) {
                        break Some(self.drop_running());
                    }
                    // A suspended instruction is completed before the state can wait.
                    left = left.max(1);
                    self.tick();
                }
                Step::Watch(watch) => {
                    if self.reach_watch(&mut state, watch) {
                        (until, left) = self.until_finished(&state, until, left);
                    }
                    self.follow_at(id, &state, watch, delta);
                }
                Step::Yield if self.budget.is_path_too_long(&state.path) => {
                    self.results.totals.losses.too_long += 1;
                    break Some(Outcome::OutOfBudget);
                }
                Step::Yield => {
                    self.tick();
                    if self.worker.is_asked_for_work(self.frontier.len()) {
                        left = 0;
                    }
                }
                // Preferences applied before the first fork hold for free on every path behind
                // it that leaves their bytes alone. The instruction then runs again, and its
                // request is for the new witness.
                Step::Fork(_) if state.path.has_new_preferences() => {
                    let (machine, budget) = (&mut self.machine, &self.budget);
                    self.feasibility.apply_preferences(machine, &mut state.path, || budget.query());
                    self.machine.evaluator.forget();
                }
                Step::Fork(request) => match self.fork(id, &mut state, &request, until, delta) {
                    ForkResult::Forked
                        if until.milestone == Milestone::Fork
                            || self.worker.is_asked_for_work(self.frontier.len()) =>
                    {
                        break None;
                    }
                    ForkResult::Forked if self.is_lost_to_targets(&state) => break None,
                    ForkResult::Single | ForkResult::Forked => {}
                    ForkResult::Excluded => break Some(Outcome::Excluded),
                    ForkResult::Undecided(reason) => {
                        return self.suspend_undecided(id, state, reason, delta);
                    }
                },
            }
            let effort = self.feasibility.effort() - effort;
            left = left.saturating_sub(effort.saturating_mul(STEPS_PER_EFFORT));
            self.check_limits();
            if !self.limit_memory_of_run(&state, delta) {
                break Some(self.drop_running());
            }
            if left == 0 || self.budget.is_stopped() {
                break None;
            }
        };
        self.end_run();
        match ended {
            Some(outcome) => {
                delta.ended.push(id);
                delta.newly_tested += self.end(state, outcome);
                self.check_limits();
            }
            None => {
                self.end_finishing(&state);
                self.frontier.put(id, state);
                self.seeds.add(&self.frontier, id);
            }
        }
    }

    /// Runs a state for one quantum and reports messages and new coverage.
    pub fn run_machine(
        &mut self,
        id: StateId,
        state: &mut State,
        left: u64,
        delta: &mut Delta,
    ) -> (Step, u64) {
        let workers = self.worker.count() as u64;
        let quantum = self.budget.quantum(
            left,
            &state.path,
            workers,
            self.results.totals.instructions,
            || self.work_of_all(),
        );
        let quantum = quantum.min(self.allow_memory());
        let (step, took) = self.machine.run(state, quantum);
        self.results.totals.instructions += took;
        let coverage = &mut self.machine.coverage;
        if !coverage.fresh.is_empty() {
            self.worker.publish_coverage(&coverage.fresh);
            state.path.new_coverage_at = NonZeroU64::new(state.path.instructions);
        }
        let sites = self.machine.program.sites();
        for site in coverage.fresh.drain(..) {
            self.frontier.metrics.mark_reached(site);
            let location = sites[site as usize].location();
            delta.new_coverage.push(NewCoverage { state: id, location });
        }
        for message in self.machine.messages.drain(..) {
            self.results.message(&message);
        }
        (step, took)
    }

    fn fork(
        &mut self,
        id: StateId,
        state: &mut State,
        request: &ForkRequest,
        until: Until,
        delta: &mut Delta,
    ) -> ForkResult {
        let at = self.shares.as_ref().map(|_| SharePosition::of(self.machine.program, state));
        let over_share = self.share_exceeded(state, at);
        let before = self.fork_costs();
        let policy = if until.defers { Feasibility::Lazy } else { self.feasibility.policy() };
        let mut forker = Forker {
            machine: &mut self.machine,
            frontier: &mut self.frontier,
            feasibility: &mut self.feasibility,
            branch_stats: &mut self.branch_stats,
            seeds: &mut self.seeds,
            undecided: &mut self.undecided,
            results: &mut self.results,
            other_states: self.worker.other_states(self.budget.limits()),
            budget: &self.budget,
            policy,
            profiles_constraints: self.requirements.random_tests,
            over_share,
        };
        let result = forker.fork(id, state, request, delta);
        let costs = self.fork_costs().since(before);
        if let Some((shares, at)) = self.shares.as_mut().zip(at) {
            shares.add(at, costs);
        }
        self.tick_if_solving();
        result
    }

    /// Whether a path did not end before, in an earlier run or sitting.
    pub fn is_new(&self, path: &PathInfo, is_cut_short: bool) -> bool {
        let key = path_key(path.digest, is_cut_short);
        self.known_paths.as_ref().is_none_or(|known| known.add(key))
    }

    /// Ends the path of a decided state. Returns how many sites its test is the first to cover.
    pub fn end(&mut self, mut state: Box<State>, outcome: Outcome) -> u64 {
        complete_digest(self.machine.program, &mut state, &outcome);
        if !self.is_new(&state.path, is_cut_short(&outcome)) {
            self.results.totals.campaign.repeated += u64::from(self.is_campaign);
            self.seeds.remove(&state.path);
            self.machine.recycle(&mut state);
            return 0;
        }
        if self.requirements.random_tests && matches!(outcome, Outcome::Fault(_)) {
            self.random.note_path(state.path.digest);
        }
        self.report(state, outcome)
    }

    /// Reports a path whose digest is complete, as [`Self::end`] does.
    pub fn report(&mut self, mut state: Box<State>, outcome: Outcome) -> u64 {
        let targets = &mut self.frontier.metrics.targets;
        let reaches_open = targets.has_reached(&state.path);
        if let Outcome::Fault(fault) = &outcome {
            targets.end_at_fault(self.machine.program, &state, fault);
        }
        let concluded = self.results.conclude(
            ConcludedState { state: &mut state, outcome, reaches_open },
            &mut self.machine,
            &mut self.feasibility,
            &mut self.seeds,
            &self.budget,
        );
        if self.requirements.evidence {
            self.keep_evidence(&state.path);
        }
        self.machine.recycle(&mut state);
        self.close_targets(concluded.targets());
        self.update_totals();
        let newly_tested = concluded.newly_tested();
        if let Some(test) = concluded.test()
            && self.requirements.random_tests
            && newly_tested > 0
        {
            self.random.learnt.push(test.inputs.clone());
        }
        if self.results.report(concluded) == Control::Stop {
            self.budget.stop(StopReason::Stopped);
        }
        newly_tested
    }
}
