//! A cost limit: suspends states whose queries were expensive.
//!
//! A hard query takes as long as millions of instructions, and the states behind it ask
//! similar queries again: code that prints a float digit by digit, or inverts a checksum. A
//! searcher that distributes picks or instructions evenly spends nearly all its time there.
//! Here expensive states wait until the whole exploration has done work in proportion, or
//! until nothing else is left. KLEE's weight `qc` has the same aim, but still picks such
//! states, only less often.
//!
//! The inner searcher receives every delta. If it picks an expensive state, that state is
//! suspended and the searcher picks again, unless the state is about to take an uncovered
//! branch side: new coverage is worth an expensive query. These exceptions have a budget too,
//! in proportion to the work done: a side that is hard to reach must not stop all others.

use std::collections::BTreeSet;

use byway_base::{Rng, Work};
use rustc_hash::FxHashMap;

use crate::{Action, Delta, Searcher, SearcherRequirements, StateId, View};

/// The solver effort that every path may cost: about a tenth of a second.
const FREE_EFFORT: u64 = 1_000;

/// The work of the whole exploration that raises the limit by one unit of effort.
const WORK_PER_EFFORT: u64 = 10_000;

/// The effort of expensive states at uncovered branch sides: about a second, and as long as
/// other work takes.
const FREE_EXCEPTIONS: u64 = 10_000;
const WORK_PER_EXCEPTION: u64 = 1_000;

/// Suspends states that cost the solver more than a limit, which grows with the work done.
pub struct CostLimited {
    searcher: Box<dyn Searcher>,
    /// The suspended states by cost, cheapest first.
    suspended: BTreeSet<(u64, StateId)>,
    /// The costs of the suspended states.
    costs: FxHashMap<StateId, u64>,
    /// The lowest cost when only suspended states were left. The cost of a path never
    /// decreases, so a limit below this one would suspend every state again.
    least: u64,
    /// The effort of expensive states that ran at uncovered branch sides.
    exceptions: u64,
    /// The last such state and its cost when it was picked.
    exception: Option<(StateId, u64)>,
}

impl CostLimited {
    /// Limits the costs of the states that `searcher` picks.
    pub fn new(searcher: Box<dyn Searcher>) -> CostLimited {
        CostLimited {
            searcher,
            suspended: BTreeSet::new(),
            costs: FxHashMap::default(),
            least: 0,
            exceptions: 0,
            exception: None,
        }
    }

    fn limit(&self, work: Work) -> u64 {
        self.least.max(FREE_EFFORT + work.0 / WORK_PER_EFFORT)
    }

    /// Whether an expensive state may run because of its uncovered branch side.
    fn is_exception(&mut self, state: StateId, cost: u64, view: &dyn View) -> bool {
        let budget = FREE_EXCEPTIONS + view.work().0 / WORK_PER_EXCEPTION;
        let is_exception = self.exceptions <= budget && view.is_at_uncovered(state);
        if is_exception {
            self.exception = Some((state, cost));
        }
        is_exception
    }

    fn suspend(&mut self, state: StateId, cost: u64, view: &dyn View) {
        self.costs.insert(state, cost);
        self.suspended.insert((cost, state));
        self.searcher.update(&Delta { suspended: vec![state], ..Delta::default() }, view);
    }

    /// Removes a state from the suspended ones, if it is there.
    fn forget(&mut self, state: StateId) {
        if let Some(cost) = self.costs.remove(&state) {
            self.suspended.remove(&(cost, state));
        }
    }

    fn resume_up_to(&mut self, limit: u64, view: &dyn View) {
        let within = self.suspended.iter().take_while(|&&(cost, _)| cost <= limit);
        let states = within.map(|&(_, state)| state).collect();
        self.resume(states, view);
    }

    fn resume(&mut self, resumed: Vec<StateId>, view: &dyn View) {
        if !resumed.is_empty() {
            resumed.iter().for_each(|&state| self.forget(state));
            self.searcher.update(&Delta { resumed, ..Delta::default() }, view);
        }
    }
}

impl Searcher for CostLimited {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        if let Some((state, cost)) = self.exception.take() {
            self.exceptions += view.solver_effort(state).saturating_sub(cost);
        }
        // Another searcher may have run or suspended a state that is suspended here; from
        // now on the inner searcher must see it as the outer one does.
        let ran = delta.ran.into_iter().chain(delta.forks.iter().map(|fork| fork.parent));
        let foreign = ran.chain(delta.suspended.iter().copied());
        let resumed: BTreeSet<StateId> =
            foreign.filter(|state| self.costs.contains_key(state)).collect();
        self.resume(resumed.into_iter().collect(), view);
        delta.removed().for_each(|state| self.forget(state));
        self.searcher.update(delta, view);
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        loop {
            let limit = self.limit(view.work());
            self.resume_up_to(limit, view);
            match (self.searcher.pick(view, rng), self.suspended.first()) {
                // Only suspended states are left: raise the limit to the cheapest.
                (Action::Stop, Some(&(cost, _))) => self.least = cost,
                (Action::Run { state, until }, _) => {
                    let cost = view.solver_effort(state);
                    // Only a searcher that ignores suspension picks a suspended state; without
                    // the last condition this loop would not end.
                    let runs = cost <= limit
                        || self.is_exception(state, cost, view)
                        || self.costs.contains_key(&state);
                    if runs {
                        return Action::Run { state, until };
                    }
                    self.suspend(state, cost, view);
                }
                (action, _) => return action,
            }
        }
    }

    fn requirements(&self) -> SearcherRequirements {
        self.searcher.requirements()
    }

    fn inner(&self) -> Vec<&dyn Searcher> {
        vec![&*self.searcher]
    }

    fn inner_mut(&mut self) -> Vec<&mut dyn Searcher> {
        vec![&mut *self.searcher]
    }
}
