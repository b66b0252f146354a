//! Exploration: which paths a program has, and a test for each.
//!
//! ```text
//! workers ─┬─ Coordinator: numbers paths, credits coverage ──→ Observer
//!          └─ Explorer, one per worker: frontier → loop → machine → fork | end | yield
//! ```
//!
//! [`explorer`] is the loop, [`upkeep`] what happens between runs. The parts they compose own
//! their data: [`frontier`] the live states, [`feasibility`] the solver, [`budget`] the reason
//! to stop, [`results`] the totals, [`branch_stats`] why branch sides are not covered,
//! [`memory_limit`] the thresholds on which [`make_room`] acts, [`follow`] the root of replays,
//! [`seed_queue`] the order of seeds, [`random_batch`] random inputs beside states, [`targets`] which targets are open. [`fork`] turns a fork
//! request into states, [`reach`] acts on a state at a target, [`finish`] ends those that are
//! left.

mod backward;
mod branch_stats;
mod budget;
mod case_groups;
mod checkpoint;
mod clock;
mod collect;
mod compare;
mod concolic;
mod condition_text;
mod config;
mod control_flow;
mod covering;
mod explorer;
mod feasibility;
mod finish;
mod follow;
mod fork;
mod frontier;
mod instruction_shares;
mod known_paths;
mod make_room;
mod markov_rewards;
mod memory_limit;
mod metrics;
mod observe;
mod preceding_faults;
mod pruning;
mod random;
mod random_batch;
mod reach;
mod reduce;
mod results;
mod seed_queue;
mod sink;
mod targets;
mod undecided;
mod upkeep;
mod workers;

pub use backward::BackwardTotals;
pub use checkpoint::{CheckpointChanges, ResumePoint};
pub use compare::{
    CombinationStop, CombinationTotals, CombinedEndings, CombinedTest, ComparedBuild,
    combine_endings,
};
pub use condition_text::{PathConditionLanguages, PathConditionText};
pub use config::{
    EarlierKnowledge, ExploreConfig, Feasibility, Limits, TestSelection, UnfinishedTests,
};
pub use instruction_shares::{Share, ShareLimits};
pub use markov_rewards::{LocatedReward, MarkovRewards, NamedBlock};
pub use observe::{Control, Exploration, Losses, Observer, PathEnd, StopReason, Totals};
pub use preceding_faults::PrecedingFault;
pub use pruning::CampaignTotals;
pub use random::RandomTotals;
pub use reduce::{Reduction, ReductionTotals};
pub use seed_queue::SeedTotals;
pub use targets::{FaultFilter, Target, TargetOutcome, TargetTotals};
pub use undecided::RetryTotals;
pub use workers::{MakeExecutor, WorkerPool, WorkerTotals, explore, explore_in_jobs};

use crate::InputExecutor;
use byway_search::{Delta, Knowledge, Pruner, Searcher, SearcherRequirements, View};

/// What decides which states run and which are dropped.
pub struct SearchStrategy<'a> {
    /// Picks the state to run.
    pub searcher: &'a mut dyn Searcher,
    /// Drops states that are not worth keeping. Asked once a round, after the searcher's pick
    /// or a seed has run. Every dropped state counts as [`byway_base::Limit::Pruned`]; one that
    /// is not pending may also give its test ([`UnfinishedTests`]).
    pub pruner: Option<&'a mut dyn Pruner>,
    /// Picks the states if a reduction is given up; the searcher that ordered its tasks otherwise.
    pub unreduced: Option<&'a mut dyn Searcher>,
    /// Runs the random inputs of a searcher that mixes them with states. `None`: such a searcher
    /// solves paths alone.
    pub executor: Option<Box<dyn InputExecutor + 'a>>,
}

impl<'a> SearchStrategy<'a> {
    /// A searcher alone.
    pub fn new(searcher: &'a mut dyn Searcher) -> SearchStrategy<'a> {
        SearchStrategy { searcher, pruner: None, unreduced: None, executor: None }
    }

    /// The facts that searcher and pruner need; the searcher alone decides how states run.
    fn requirements(&self) -> SearcherRequirements {
        let searcher = self.searcher.requirements();
        let pruner = self.pruner.as_ref().map(|pruner| pruner.requirements());
        let unreduced = self.unreduced.as_ref().map(|searcher| searcher.requirements());
        let others = pruner.unwrap_or_default().and(unreduced.unwrap_or_default());
        let SearcherRequirements { concolic, random, random_tests, .. } = searcher;
        SearcherRequirements { concolic, random, random_tests, ..searcher.and(others) }
    }

    /// What searcher and pruner have learnt.
    fn knowledge(&self) -> Knowledge {
        let mut knowledge = Knowledge::default();
        self.searcher.store(&mut knowledge);
        if let Some(pruner) = &self.pruner {
            pruner.store(&mut knowledge);
        }
        knowledge
    }

    /// Learns what is known for a worker.
    fn recall(&mut self, known: &[EarlierKnowledge], worker: usize) {
        for known in known.iter().filter(|it| it.worker.is_none_or(|number| number == worker)) {
            self.searcher.recall(&known.knowledge);
            if let Some(pruner) = &mut self.pruner {
                pruner.recall(&known.knowledge);
            }
        }
    }

    fn update(&mut self, delta: &Delta, view: &dyn View) {
        self.searcher.update(delta, view);
        if let Some(pruner) = &mut self.pruner {
            pruner.update(delta, view);
        }
    }
}
