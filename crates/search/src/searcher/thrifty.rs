//! Another searcher, but states whose queries have cost the solver much are put aside for
//! a while.
//!
//! A hard query takes as long as millions of instructions, and behind it stand states that
//! ask the like again: those that print a float digit by digit, or undo a checksum. Any
//! searcher that deals out picks or instructions spends nearly all its time on them. Here
//! they wait until the whole exploration has done work in proportion, or nothing else is
//! left. KLEE's weight `qc` has the same in mind, but what it draws less often it still draws.

use std::collections::BTreeSet;

use byway_base::{Rng, Work};
use rustc_hash::FxHashMap;

use crate::{Action, Delta, Ledger, Searcher, StateId, View, Wants};

/// The effort that a path may have cost from the beginning: a tenth of a second or so.
const FREE: u64 = 1_000;

/// The work of the whole exploration for which a path may have cost one more.
const WORK_PER_EFFORT: u64 = 10_000;

/// Puts dear states aside.
pub struct Thrifty {
    searcher: Box<dyn Searcher>,
    /// The dear ones, by what they have cost. The searcher was told that they were dropped.
    aside: BTreeSet<(u64, StateId)>,
    costs: FxHashMap<StateId, u64>,
}

impl Thrifty {
    /// That searcher, among states that cost little.
    pub fn new(searcher: Box<dyn Searcher>) -> Thrifty {
        Thrifty { searcher, aside: BTreeSet::new(), costs: FxHashMap::default() }
    }

    fn put_aside(&mut self, state: StateId, cost: u64) {
        self.forget(state);
        self.costs.insert(state, cost);
        self.aside.insert((cost, state));
    }

    /// Whether it was one of those aside.
    fn forget(&mut self, state: StateId) -> bool {
        let cost = self.costs.remove(&state);
        cost.is_some_and(|cost| self.aside.remove(&(cost, state)))
    }

    /// What the searcher is to hear: nothing of states aside, and that those which are dear
    /// now are dropped.
    fn told(&mut self, delta: &Delta, view: &dyn View) -> Delta {
        let mut told = Delta { started: delta.started.clone(), ..Delta::default() };
        told.covered.clone_from(&delta.covered);
        told.ran = delta.ran.filter(|state| !self.costs.contains_key(state));
        for fork in &delta.forks {
            match self.costs.get(&fork.parent).copied() {
                None => told.forks.push(fork.clone()),
                Some(cost) => {
                    self.forget(fork.parent);
                    fork.children.iter().for_each(|child| self.put_aside(child.state, cost));
                }
            }
        }
        let mut known = |gone: &[StateId]| -> Vec<StateId> {
            gone.iter().copied().filter(|&state| !self.forget(state)).collect()
        };
        told.ended = known(&delta.ended);
        told.infeasible = known(&delta.infeasible);
        told.unknown = known(&delta.unknown);
        told.dropped = known(&delta.dropped);
        let gone: BTreeSet<StateId> = told.gone().collect();
        let limit = limit(view.work());
        let came: BTreeSet<StateId> = told.born().chain(told.ran).collect();
        for state in came.difference(&gone).copied() {
            let cost = view.solver_effort(state);
            if cost > limit {
                self.put_aside(state, cost);
                told.dropped.push(state);
            }
        }
        told
    }

    /// Gives the searcher those back that are within the limit.
    fn give_back(&mut self, limit: u64, view: &dyn View) {
        let mut started = Vec::new();
        while let Some(&(cost, state)) = self.aside.first().filter(|dear| dear.0 <= limit) {
            self.aside.remove(&(cost, state));
            self.costs.remove(&state);
            started.push(state);
        }
        if !started.is_empty() {
            self.searcher.update(&Delta { started, ..Delta::default() }, view);
        }
    }
}

/// What a path may have cost after so much work.
fn limit(work: Work) -> u64 {
    FREE + work.0 / WORK_PER_EFFORT
}

impl Searcher for Thrifty {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        let told = self.told(delta, view);
        self.searcher.update(&told, view);
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        self.give_back(limit(view.work()), view);
        match (self.searcher.pick(view, rng), self.aside.first().copied()) {
            // Nothing else is left: the cheapest of the dear.
            (Action::Stop, Some((cost, _))) => {
                self.give_back(cost, view);
                self.searcher.pick(view, rng)
            }
            (action, _) => action,
        }
    }

    fn wants(&self) -> Wants {
        self.searcher.wants()
    }

    fn ledgers(&self) -> Vec<Ledger> {
        self.searcher.ledgers()
    }
}
