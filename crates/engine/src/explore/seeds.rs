//! Seeds: which way each goes where paths part, in which order the paths they follow
//! run, and what became of each.
//!
//! Paths with seeds run before all others, each to its end, the one with the first
//! seed first. Where such a path parts, ways that a seed goes are known to be
//! possible; the others stay undecided until a searcher picks them, whatever the
//! feasibility: so all seeds are through before the solver is asked anything.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use byway_base::{ExprId, Outcome};
use byway_expr::Evaluator;
use byway_search::{StateId, Until};
use rustc_hash::FxHashSet;

use super::Explorer;
use crate::path_info::{ForkRequest, PathInfo};
use crate::reason::SeedLossReason;
use crate::seeds::{PathSeed, PathSeeds};
use crate::state::State;

/// How long a path with seeds runs before limits on states and memory are looked at.
const TURN: Until = Until::END.at_most(NonZeroU64::new(100_000).expect("not zero"));

/// How many seeds are told by name that were left behind for one reason.
const TOLD: u64 = 5;

/// What became of seeds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeedTotals {
    /// Seeds there were.
    pub taken: u64,
    /// Those that were followed to where their path ended by itself.
    pub ended: u64,
    /// Those that were not, by the reason.
    pub left: BTreeMap<SeedLossReason, u64>,
    /// Paths that ended with a seed; several can follow the same one.
    pub paths: u64,
    /// Seeds whose bytes were padded or cut to the sizes of the program's inputs.
    pub resized: u64,
}

/// The states that seeds follow, and a place to evaluate terms under them.
#[derive(Default)]
pub(super) struct SeedQueue {
    /// States by the number of their first seed.
    states: BTreeMap<usize, StateId>,
    pub(super) evaluator: Evaluator,
}

impl Explorer<'_, '_, '_> {
    /// The state that runs before a searcher is asked, and how long.
    pub(super) fn next_seeded(&mut self) -> Option<(StateId, Until)> {
        self.seeds.states.pop_first().map(|(_, state)| (state, TURN))
    }

    /// A state is in the store: if seeds follow it, its turn will come.
    pub(super) fn queue_seeded(&mut self, id: StateId) {
        let path = self.frontier.get(id).map(|state| &state.path);
        if let Some(first) = path.and_then(|path| path.seeds.first()) {
            self.seeds.states.insert(first.number, id);
        }
    }

    /// A state is given up before its turn.
    pub(super) fn unqueue_seeded(&mut self, path: &PathInfo) {
        if let Some(first) = path.seeds.first() {
            self.seeds.states.remove(&first.number);
        }
    }

    /// Orders states of which the last is given up first: seeds are worth keeping.
    pub(super) fn order_to_drop(&self, ids: &mut [StateId]) {
        if !self.seeds.states.is_empty() {
            let seeded: FxHashSet<StateId> = self.seeds.states.values().copied().collect();
            ids.sort_by_key(|id| (!seeded.contains(id), *id));
        }
    }

    /// Takes the seeds off the state in the machine, sorted by the way each goes; an
    /// empty list if there are none. The way of the witness, which is the first seed,
    /// is known; if it goes none, the next that goes one takes its place.
    pub(super) fn part_seeds(
        &mut self,
        state: &mut State,
        request: &ForkRequest,
        taken: &mut Option<usize>,
    ) -> Vec<PathSeeds> {
        if state.path.seeds.is_empty() {
            return Vec::new();
        }
        let (followers, held) = state.path.seeds.take();
        let mut parted = vec![Vec::new(); request.cases.len()];
        for (place, follower) in followers.into_iter().enumerate() {
            let way = match place {
                0 => taken.ok_or(SeedLossReason::Assumption),
                _ => self.way_of(&follower, &held, request),
            };
            match way {
                Err(why) => self.leave(&follower, why),
                Ok(way) => {
                    if taken.is_none() {
                        *taken = Some(way);
                        state.path.witness = follower.model.clone();
                        self.machine.evaluator.forget();
                    }
                    parted[way].push(follower);
                }
            }
        }
        parted.into_iter().map(PathSeeds::from).collect()
    }

    /// The way a seed goes at a question, if it satisfies what the path is held to.
    fn way_of(
        &mut self,
        follower: &PathSeed,
        held: &[ExprId],
        request: &ForkRequest,
    ) -> Result<usize, SeedLossReason> {
        let mut seen = self.seeds.evaluator.under(&self.machine.pool, &follower.model);
        if !held.iter().all(|&condition| seen.holds(condition)) {
            return Err(SeedLossReason::Concretised);
        }
        let goes = request.cases.iter().position(|way| seen.holds(way.condition));
        goes.ok_or(SeedLossReason::Assumption)
    }

    /// The way that these seeds go is not explored.
    pub(super) fn leave_at_limit(&mut self, mut seeds: PathSeeds) {
        seeds.take().0.iter().for_each(|follower| self.leave(follower, SeedLossReason::Limit));
    }

    /// The path of these seeds ends; the name of the first of them.
    pub(super) fn end_seeds(&mut self, mut seeds: PathSeeds, outcome: &Outcome) -> Option<String> {
        let label = seeds.first()?.seed.label.clone();
        let left = match outcome {
            Outcome::Exit(_) | Outcome::Fault(_) => None,
            Outcome::Unsupported(_) => Some(SeedLossReason::Unsupported),
            Outcome::InternalError(_) => Some(SeedLossReason::InternalError),
            Outcome::Excluded => Some(SeedLossReason::Assumption),
            Outcome::Dropped(_) | Outcome::OutOfBudget | Outcome::Interrupted => {
                Some(SeedLossReason::Limit)
            }
        };
        let (followers, held) = seeds.take();
        for (place, follower) in followers.iter().enumerate() {
            let mut seen = self.seeds.evaluator.under(&self.machine.pool, &follower.model);
            let follows = place == 0 || held.iter().all(|&condition| seen.holds(condition));
            match left.or((!follows).then_some(SeedLossReason::Concretised)) {
                Some(why) => self.leave(follower, why),
                None => {
                    self.totals.seeds.ended += 1;
                    self.totals.seeds.resized += u64::from(!follower.fits);
                }
            }
        }
        self.totals.seeds.paths += 1;
        Some(label)
    }

    fn leave(&mut self, follower: &PathSeed, why: SeedLossReason) {
        let totals = &mut self.totals.seeds;
        totals.resized += u64::from(!follower.fits);
        let count = totals.left.entry(why).or_default();
        *count += 1;
        if *count <= TOLD {
            let label = &follower.seed.label;
            self.desk.message(&format!("seed '{label}' is left behind: {why}"));
        }
    }
}
