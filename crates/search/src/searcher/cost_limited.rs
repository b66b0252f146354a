//! Another searcher, but states whose queries have cost the solver much rest for a while.
//!
//! A hard query takes as long as millions of instructions, and behind it stand states that
//! ask the like again: those that print a float digit by digit, or undo a checksum. Any
//! searcher that deals out picks or instructions spends nearly all its time on them. Here
//! they wait until the whole exploration has done work in proportion, or nothing else is
//! left. KLEE's weight `qc` has the same in mind, but what it draws less often it still draws.
//!
//! The other searcher hears of everything. If it picks a dear state, that is put to rest and it
//! is asked again; unless the state stands before something new, which is worth a dear query.

use std::collections::BTreeSet;

use byway_base::{Rng, Work};
use rustc_hash::FxHashMap;

use crate::{Action, Delta, PortfolioShares, Searcher, SearcherRequirements, StateId, View};

/// The effort that a path may have cost from the beginning: a tenth of a second or so.
const FREE: u64 = 1_000;

/// The work of the whole exploration for which a path may have cost one more.
const WORK_PER_EFFORT: u64 = 10_000;

/// Lets dear states rest.
pub struct CostLimited {
    searcher: Box<dyn Searcher>,
    /// Those that rest, by what they have cost.
    resting: BTreeSet<(u64, StateId)>,
    costs: FxHashMap<StateId, u64>,
    /// What the cheapest had cost when none but dear ones were left. Paths only become
    /// dearer, so there is no sparing below it.
    least: u64,
}

impl CostLimited {
    /// That searcher, among states that cost little.
    pub fn new(searcher: Box<dyn Searcher>) -> CostLimited {
        CostLimited { searcher, resting: BTreeSet::new(), costs: FxHashMap::default(), least: 0 }
    }

    /// What a path may have cost after so much work.
    fn limit(&self, work: Work) -> u64 {
        self.least.max(FREE + work.0 / WORK_PER_EFFORT)
    }

    fn put_to_rest(&mut self, state: StateId, cost: u64, view: &dyn View) {
        self.costs.insert(state, cost);
        self.resting.insert((cost, state));
        self.searcher.update(&Delta { suspended: vec![state], ..Delta::default() }, view);
    }

    /// Whether it was one of those that rest.
    fn forget(&mut self, state: StateId) -> bool {
        let cost = self.costs.remove(&state);
        cost.is_some_and(|cost| self.resting.remove(&(cost, state)))
    }

    /// Wakes those that are within a limit.
    fn wake_within(&mut self, limit: u64, view: &dyn View) {
        let within = self.resting.iter().take_while(|&&(cost, _)| cost <= limit);
        let woken = within.map(|&(_, state)| state).collect();
        self.wake(woken, view);
    }

    fn wake(&mut self, woken: Vec<StateId>, view: &dyn View) {
        if !woken.is_empty() {
            woken.iter().for_each(|&state| _ = self.forget(state));
            self.searcher.update(&Delta { resumed: woken, ..Delta::default() }, view);
        }
    }
}

impl Searcher for CostLimited {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        // Somebody else may run one that rests, or let it rest in turn: it is theirs now.
        let ran = delta.ran.into_iter().chain(delta.forks.iter().map(|fork| fork.parent));
        let theirs = ran.chain(delta.suspended.iter().copied());
        let woken: BTreeSet<StateId> =
            theirs.filter(|state| self.costs.contains_key(state)).collect();
        self.wake(woken.into_iter().collect(), view);
        delta.removed().for_each(|state| _ = self.forget(state));
        self.searcher.update(delta, view);
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        loop {
            let limit = self.limit(view.work());
            self.wake_within(limit, view);
            match (self.searcher.pick(view, rng), self.resting.first()) {
                // Nothing else is left: the cheapest of the dear.
                (Action::Stop, Some(&(cost, _))) => self.least = cost,
                (Action::Run { state, until }, _) => {
                    let cost = view.solver_effort(state);
                    // One that rests is picked only by a searcher that does not heed it.
                    let goes = cost <= limit
                        || view.is_at_uncovered(state)
                        || self.costs.contains_key(&state);
                    if goes {
                        return Action::Run { state, until };
                    }
                    self.put_to_rest(state, cost, view);
                }
                (action, _) => return action,
            }
        }
    }

    fn requirements(&self) -> SearcherRequirements {
        self.searcher.requirements()
    }

    fn portfolio_shares(&self) -> Vec<PortfolioShares> {
        self.searcher.portfolio_shares()
    }
}
