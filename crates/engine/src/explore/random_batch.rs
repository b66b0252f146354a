//! Random tests beside the exploration of states: batches of inputs that an [`InputExecutor`] runs,
//! and the states that follow the interesting ones.
//!
//! Every input takes one path, and of the states of an exploration at most one stands for it: the
//! one whose path condition it satisfies. That state needs no query, even if it is pending; it takes
//! the input as its witness and runs to its end. If none does, the path was explored, or lost: the input then
//! runs from the start and gives an ordinary test. One of several workers leaves it alone instead.

use std::num::NonZeroU64;
use std::sync::Arc;

use byway_expr::KnownPrefixes;
use byway_search::{Delta, Location, StateId, TestBatch, Until};
use rustc_hash::FxHashSet;

use super::SearchStrategy;
use super::explorer::Explorer;
use super::markov_rewards::NamedBlock;
use super::random::RandomRun;
use crate::seeds::PathSeeds;
use crate::{NovelInput, Seed};

/// The instructions for which a state follows an input. The searcher decides whether it goes on.
const LONGEST_RUN: NonZeroU64 = NonZeroU64::new(1_000_000).expect("not zero");

/// How many diverging inputs are named.
const MAX_NAMED: u64 = 5;

impl Explorer<'_, '_, '_> {
    /// Runs a batch of random inputs, and follows those that do something new.
    pub(super) fn random_tests(
        &mut self,
        count: NonZeroU64,
        strategy: &mut SearchStrategy,
        delta: &mut Delta,
    ) {
        let mut batch = TestBatch::default();
        if let Some(mut executor) = strategy.executor.take() {
            let learnt = std::mem::take(&mut self.random.learnt);
            let executed = executor.run(count.get(), &learnt, &mut || {
                self.tick();
                self.check_limits();
                !self.budget.is_stopped()
            });
            match executed {
                Ok(executed) => {
                    strategy.executor = Some(executor);
                    (batch.runs, batch.cost) = (executed.runs, executed.cost);
                    delta.executions = executed.executions;
                    self.budget.spend_elsewhere(executed.elsewhere);
                    let totals = &mut self.results.totals.random;
                    totals.drawn += executed.runs;
                    totals.cost += executed.cost;
                    executed.notes.iter().for_each(|note| self.results.message(note));
                    for novel in executed.novel {
                        self.follow_novel(&novel, &mut batch, delta);
                    }
                }
                Err(why) => self.results.message(&format!("random tests end: {why}")),
            }
        }
        delta.tests = Some(batch);
    }

    /// Explores the path of an input, if it covers what no state has reached, or is a fault.
    fn follow_novel(&mut self, novel: &NovelInput, batch: &mut TestBatch, delta: &mut Delta) {
        let is_open = |site: &u32| !self.machine.coverage.is_seen(*site);
        let open: Vec<u32> = novel.sites.iter().copied().filter(is_open).collect();
        if self.budget.is_stopped() || open.is_empty() && !novel.is_new_fault {
            return;
        }
        let state = self.state_of(&novel.seed);
        match state {
            Some(id) => self.follow_with(id, &novel.seed, batch, delta),
            None if self.worker.is_alone() => self.run_from_start(&novel.seed, delta),
            // Its state may be another worker's, which has random tests of its own.
            None => return,
        }
        self.results.totals.random.followed += 1;
        let reached = open.iter().any(|&site| self.machine.coverage.is_seen(site));
        let has_ended = state.is_none_or(|id| self.frontier.get(id).is_none());
        if let Some(&missed) = open.first()
            && !reached
            && has_ended
            && !self.budget.is_stopped()
        {
            self.count_divergence(&novel.seed, missed);
        }
    }

    /// Reports an input that the engine did not follow to a site which it executes elsewhere.
    fn count_divergence(&mut self, seed: &Seed, missed: u32) {
        let totals = &mut self.results.totals.random;
        totals.diverged += 1;
        if totals.diverged <= MAX_NAMED {
            let program = self.machine.program;
            let site = program.sites()[missed as usize];
            let block =
                NamedBlock::new(program.module, Location { func: site.func, block: site.to });
            let bytes = |(name, bytes): (&String, &Arc<[u8]>)| {
                let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("{name} {hex}")
            };
            let input: Vec<String> = seed.inputs.iter().map(bytes).collect();
            let text = format!(
                "a random input takes another path on the engine: it does not reach {block} with {}",
                input.join(", ")
            );
            self.results.message(&text);
        }
    }

    /// The state that stands for the path of an input: one whose path it has taken so far.
    fn state_of(&mut self, seed: &Arc<Seed>) -> Option<StateId> {
        let pool = &self.machine.pool;
        // States share nearly all of their inputs, so one model serves for all of them.
        let mut seeds = PathSeeds::only(seed);
        let (mut lists, mut filled) = (FxHashSet::default(), FxHashSet::default());
        for (_, path) in self.frontier.paths() {
            if !lists.insert(path.inputs.shared_address()) {
                continue;
            }
            for (place, input) in path.inputs.iter().enumerate() {
                if filled.insert(input) {
                    let object = pool.input_object(input);
                    seeds.fill(input, &object.name, object.size, place);
                }
            }
        }
        let model = seeds.first()?.model.clone();
        let mut values = self.random.evaluator.under(pool, &model);
        let mut known = KnownPrefixes::default();
        let mut found: Option<StateId> = None;
        for (id, path) in self.frontier.paths() {
            // A path that acted on values of its witness cannot take another one.
            let takes = !path.unrepeatable
                && path.seeds.first().is_none_or(|first| first.seed.is_drawn)
                && path.pending.is_none_or(|condition| values.holds(condition))
                && path.condition.holds_with(&mut known, |condition| values.holds(condition));
            if takes && found.is_none_or(|other| id < other) {
                found = Some(id);
            }
        }
        found
    }

    /// Gives an input to the state that stands for its path, and runs that to its end.
    fn follow_with(
        &mut self,
        id: StateId,
        seed: &Arc<Seed>,
        batch: &mut TestBatch,
        delta: &mut Delta,
    ) {
        let Some(mut state) = self.frontier.take(id) else { return };
        if self.undecided.is_suspended(id) {
            delta.resumed.push(id);
        }
        self.undecided.remove(id);
        let path = &mut state.path;
        if let Some(condition) = path.pending.take() {
            // It holds for the input, so adding it cannot fail.
            path.condition.add(&mut self.machine.pool, condition);
        }
        path.attempts = 0;
        path.seeds = PathSeeds::only(seed);
        path.fill_inputs(&self.machine.pool);
        path.preferences_applied = path.preferences.len() as u32;
        batch.followed.push(id);
        self.run(id, state, Until::END.at_most(LONGEST_RUN).deferring(), delta);
    }

    /// Runs an input from the start to its end, and reports its path if that covers something.
    fn run_from_start(&mut self, seed: &Arc<Seed>, delta: &mut Delta) {
        let Some(root) = self.root.state() else { return };
        let mut state = Box::new(root.clone());
        state.path.seeds = PathSeeds::only(seed);
        let id = self.frontier.fresh_id();
        delta.started.push(id);
        delta.ended.push(id);
        match self.run_alone(id, &mut state, None, delta) {
            RandomRun::Ended(outcome) => self.end_random(id, state, outcome, delta),
            RandomRun::Stopped => self.results.totals.losses.unfinished += 1,
        }
    }
}
