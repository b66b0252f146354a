//! Seeds: which case each takes where paths split, in which order the paths they follow run,
//! and what became of each.
//!
//! Paths with seeds run before all others, each to its end, the one with the first seed
//! first. Where such a path splits, cases that a seed takes are known to be feasible; the
//! others stay pending until a searcher picks them, whatever the feasibility policy: all
//! seeds are followed before the first query.
//!
//! [`SeedQueue`] owns the order of the states that seeds follow, and the counts.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use byway_base::{ExprId, Outcome};
use byway_expr::{Evaluator, Pool};
use byway_search::{StateId, Until};
use rustc_hash::FxHashSet;

use super::frontier::Frontier;
use super::sink::ResultSink;
use crate::interp::Machine;
use crate::path_info::{ForkRequest, PathInfo};
use crate::reason::SeedLossReason;
use crate::seeds::{PathSeed, PathSeeds};
use crate::state::State;

/// How long a path with seeds runs before limits on states and memory are checked.
const TURN: Until = Until::END.at_most(NonZeroU64::new(100_000).expect("not zero"));

/// How many abandoned seeds are named for each reason.
const MAX_NAMED: u64 = 5;

/// Counts of seeds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeedTotals {
    /// Seeds given.
    pub taken: u64,
    /// Seeds followed to the end of their path.
    pub ended: u64,
    /// Seeds abandoned, by reason.
    pub left: BTreeMap<SeedLossReason, u64>,
    /// Paths that ended with a seed; several seeds can follow the same one.
    pub paths: u64,
    /// Seeds whose bytes were padded or cut to the sizes of the program's inputs.
    pub resized: u64,
    /// Seeds with bytes for no input of their path.
    pub unmatched: u64,
}

/// The states that seeds follow, by the number of their first seed.
#[derive(Default)]
pub(super) struct SeedQueue {
    states: BTreeMap<usize, StateId>,
    /// States with seeds have no precedence any more.
    is_over: bool,
    evaluator: Evaluator,
    pub totals: SeedTotals,
}

impl SeedQueue {
    /// The state that runs before a searcher picks one, and for how long.
    pub fn next(&mut self) -> Option<(StateId, Until)> {
        self.states.pop_first().map(|(_, state)| (state, TURN))
    }

    /// Whether states with seeds have no precedence any more.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Leaves the states with seeds to the searcher; returns how many there are.
    pub fn give_up(&mut self) -> u64 {
        self.is_over = true;
        self.states.len() as u64
    }

    /// Queues a state of the frontier, if given seeds follow it. A drawn one is the searcher's.
    pub fn add(&mut self, frontier: &Frontier, id: StateId) {
        let path = frontier.get(id).map(|state| &state.path);
        if let Some(first) = path.and_then(|path| path.seeds.first()).filter(|it| !it.seed.is_drawn)
        {
            self.states.insert(first.number, id);
        }
    }

    /// Removes a state that is dropped before its turn.
    pub fn remove(&mut self, path: &PathInfo) {
        if let Some(first) = path.seeds.first() {
            self.states.remove(&first.number);
        }
    }

    /// Removes all states, in the order of their seeds.
    pub fn take_states(&mut self) -> Vec<StateId> {
        std::mem::take(&mut self.states).into_values().collect()
    }

    /// Sorts states so that the last can be dropped first: states with seeds go last.
    pub fn sort_for_dropping(&self, ids: &mut [StateId]) {
        if !self.states.is_empty() {
            let seeded: FxHashSet<StateId> = self.states.values().copied().collect();
            ids.sort_by_key(|id| (!seeded.contains(id), *id));
        }
    }

    /// Takes the seeds off a state and sorts them by the case each takes; empty if there are
    /// none. `taken` is the case of the witness, which is the first seed; if that takes none,
    /// the next seed that takes one replaces it.
    pub fn split(
        &mut self,
        machine: &mut Machine,
        state: &mut State,
        request: &ForkRequest,
        taken: &mut Option<usize>,
        sink: &mut dyn ResultSink,
    ) -> Vec<PathSeeds> {
        if state.path.seeds.is_empty() {
            return Vec::new();
        }
        let (seeds, held) = state.path.seeds.take();
        let mut by_case = vec![Vec::new(); request.cases.len()];
        for (position, seed) in seeds.into_iter().enumerate() {
            let case = match position {
                0 => taken.ok_or(SeedLossReason::Assumption),
                _ => self.case_of(&machine.pool, &seed, &held, request),
            };
            match case {
                Err(reason) => self.abandon(&seed, reason, sink),
                Ok(index) => {
                    if taken.is_none() {
                        *taken = Some(index);
                        state.path.witness = seed.model.clone();
                        machine.evaluator.forget();
                    }
                    by_case[index].push(seed);
                }
            }
        }
        by_case.into_iter().map(PathSeeds::from).collect()
    }

    /// The case a seed takes, if it satisfies what the path was concretised to.
    fn case_of(
        &mut self,
        pool: &Pool,
        seed: &PathSeed,
        held: &[ExprId],
        request: &ForkRequest,
    ) -> Result<usize, SeedLossReason> {
        let mut values = self.evaluator.under(pool, &seed.model);
        if !held.iter().all(|&condition| values.holds(condition)) {
            return Err(SeedLossReason::Concretised);
        }
        let case = request.cases.iter().position(|case| values.holds(case.condition));
        case.ok_or(SeedLossReason::Assumption)
    }

    /// Counts seeds whose path ends; the label of the first.
    pub fn end(
        &mut self,
        pool: &Pool,
        mut seeds: PathSeeds,
        outcome: &Outcome,
        sink: &mut dyn ResultSink,
    ) -> Option<String> {
        let first = seeds.first()?;
        if first.seed.is_drawn {
            return None;
        }
        let label = first.seed.label.clone();
        let abandoned = match outcome {
            Outcome::Exit(_) | Outcome::Fault(_) => None,
            Outcome::Unsupported(_) => Some(SeedLossReason::Unsupported),
            Outcome::InternalError(_) => Some(SeedLossReason::InternalError),
            Outcome::Excluded => Some(SeedLossReason::Assumption),
            Outcome::Dropped(_) | Outcome::OutOfBudget | Outcome::Interrupted => {
                Some(SeedLossReason::Limit)
            }
        };
        let (seeds, held) = seeds.take();
        for (position, seed) in seeds.iter().enumerate() {
            let mut values = self.evaluator.under(pool, &seed.model);
            let follows = position == 0 || held.iter().all(|&condition| values.holds(condition));
            match abandoned.or((!follows).then_some(SeedLossReason::Concretised)) {
                Some(reason) => self.abandon(seed, reason, sink),
                None => {
                    self.totals.ended += 1;
                    self.count(seed, sink);
                }
            }
        }
        self.totals.paths += 1;
        Some(label)
    }

    /// A limit cuts off the case that these seeds take.
    pub fn abandon_at_limit(&mut self, mut seeds: PathSeeds, sink: &mut dyn ResultSink) {
        for seed in &seeds.take().0 {
            self.abandon(seed, SeedLossReason::Limit, sink);
        }
    }

    /// Counts how a seed's bytes fit the inputs of its path.
    fn count(&mut self, seed: &PathSeed, sink: &mut dyn ResultSink) {
        self.totals.resized += u64::from(!seed.fits);
        let Some(why) = seed.mismatch() else { return };
        self.totals.unmatched += 1;
        if self.totals.unmatched <= MAX_NAMED {
            let label = &seed.seed.label;
            sink.message(&format!("seed '{label}' has bytes for no input: {why}"));
        }
    }

    fn abandon(&mut self, seed: &PathSeed, reason: SeedLossReason, sink: &mut dyn ResultSink) {
        if seed.seed.is_drawn {
            return;
        }
        self.count(seed, sink);
        let count = self.totals.left.entry(reason).or_default();
        *count += 1;
        if *count <= MAX_NAMED {
            let label = &seed.seed.label;
            sink.message(&format!("seed '{label}' is abandoned: {reason}"));
        }
    }
}
