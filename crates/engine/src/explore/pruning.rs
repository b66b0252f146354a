//! What a pruner decides: states are dropped, and the exploration begins again from the start.

use byway_base::{Limit, Rng};
use byway_expr::Pool;
use byway_search::pruner::ClockUnit;
use byway_search::{ConditionHash, Delta, StateId, TestEvidence, View};

use super::SearchStrategy;
use super::explorer::Explorer;
use crate::path_info::PathInfo;

/// States whose loss is published together.
const DROPPED_AT_ONCE: usize = 64;

/// Counts of a campaign: an exploration in several runs, each from the program's start.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct CampaignTotals {
    /// Runs after the first.
    pub restarts: u64,
    /// Paths that ended in an earlier run too, and count once.
    pub repeated: u64,
}

impl Explorer<'_, '_, '_> {
    /// Asks the pruner whether to begin again, and which states to drop.
    pub(super) fn prune(&mut self, strategy: &mut SearchStrategy, rng: &mut Rng) {
        if self.budget.is_stopped() {
            return;
        }
        let Some(pruner) = &mut strategy.pruner else { return };
        self.frontier.clock = match pruner.clock_unit() {
            ClockUnit::Work => self.frontier.work.0,
            ClockUnit::ProcessorTime => self.budget.processor_time().as_millis() as u64,
        };
        self.start_over_if_due(strategy, false, rng);
        let Some(pruner) = &mut strategy.pruner else { return };
        if pruner.is_due(&self.frontier) {
            if self.requirements.evidence {
                self.frontier.list_conditions(&self.machine.pool);
            }
            let dropped = pruner.prune(&self.frontier, rng);
            self.frontier.forget_conditions();
            self.drop_all(&dropped, strategy);
        }
    }

    /// Begins again from the program's start if the pruner wants to; returns whether it does.
    pub(super) fn start_over_if_due(
        &mut self,
        strategy: &mut SearchStrategy,
        is_exhausted: bool,
        rng: &mut Rng,
    ) -> bool {
        let Some(pruner) = &mut strategy.pruner else { return false };
        if !self.requirements.restarts
            || self.budget.is_stopped()
            || !pruner.starts_over(is_exhausted, &self.frontier, rng)
        {
            return false;
        }
        self.results.totals.campaign.restarts += 1;
        self.drop_all(&self.frontier.states(), strategy);
        self.free_unused();
        // Other workers receive states of this one.
        if self.worker.is_first()
            && !self.budget.is_stopped()
            && let Some(start) = self.root.state()
        {
            let started = self.frontier.add(Box::new(start.clone()));
            self.publish(strategy, &Delta { started: vec![started], ..Delta::default() });
        }
        true
    }

    /// Drops states, some at a time: what their tests show takes as much memory as they do.
    fn drop_all(&mut self, states: &[StateId], strategy: &mut SearchStrategy) {
        for some in states.chunks(DROPPED_AT_ONCE) {
            let mut delta = Delta::default();
            for &id in some {
                // The test of a dropped state may be the last one that is wanted.
                if !self.budget.is_stopped() {
                    self.drop_state(id, Limit::Pruned, &mut delta);
                }
            }
            delta.evidence.append(&mut self.evidence);
            self.publish(strategy, &delta);
        }
    }

    /// Keeps what a test shows for the pruner.
    pub(super) fn keep_evidence(&mut self, path: &PathInfo) {
        self.evidence.push(TestEvidence {
            conditions: conditions_of(&self.machine.pool, path),
            covered: path.covered.sites.clone(),
        });
    }
}

/// The conditions of a path that a pruner learns from, each once.
pub(super) fn conditions_of(pool: &Pool, path: &PathInfo) -> Vec<ConditionHash> {
    let all = path.condition.conjuncts().chain(path.pending);
    let core = all.filter(|&conjunct| pool.is_core_condition(conjunct));
    let mut ids: Vec<_> = core.map(|it| ConditionHash(pool.structural_hash_of(it))).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
