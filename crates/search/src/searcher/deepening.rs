//! Iterative deepening: suspends states whose paths took more work than a bound. When only such
//! states are left, the bound doubles and they are resumed.
//!
//! A loop without end keeps one state of a depth-first searcher busy for good; here all short paths
//! end before any long one goes on. The work of a path is that of its own runs and of its
//! ancestors', so that it is the same in every run.
//!
//! The inner searcher receives every delta. If it picks a state beyond the bound, that state is
//! suspended and the searcher picks again.

use std::collections::BTreeSet;
use std::num::NonZeroU64;

use byway_base::{Rng, Work};
use rustc_hash::FxHashMap;

use crate::{Action, Delta, Searcher, SearcherRequirements, StateId, View};

/// Suspends states beyond a bound on the work of their path, which doubles.
pub struct Deepening {
    searcher: Box<dyn Searcher>,
    bound: u64,
    /// The work of each live state's path, as far as it is known.
    spent: FxHashMap<StateId, u64>,
    /// The states beyond the bound.
    suspended: BTreeSet<StateId>,
    /// The work of all states at the last update.
    before: Work,
}

impl Deepening {
    /// The default bound, about a second of KLEE's interpreter, whose bound is in time.
    pub const BOUND: NonZeroU64 = NonZeroU64::new(1_000_000).expect("not zero");

    /// Bounds the paths of the states that `searcher` picks.
    pub fn new(searcher: Box<dyn Searcher>, bound: NonZeroU64) -> Deepening {
        Deepening {
            searcher,
            bound: bound.get(),
            spent: FxHashMap::default(),
            suspended: BTreeSet::new(),
            before: Work::ZERO,
        }
    }

    fn spent(&self, state: StateId) -> u64 {
        self.spent.get(&state).copied().unwrap_or(0)
    }

    /// Charges the state that ran, and hands its sum on to the states that it became.
    fn charge(&mut self, delta: &Delta, work: Work) {
        let took = work.since(std::mem::replace(&mut self.before, work)).0;
        if let Some(ran) = delta.ran {
            *self.spent.entry(ran).or_default() += took;
        }
        for fork in &delta.forks {
            let spent = self.spent(fork.parent);
            self.spent.extend(fork.successors.iter().map(|it| (it.state, spent)));
        }
        for removed in delta.removed() {
            self.spent.remove(&removed);
            self.suspended.remove(&removed);
        }
    }

    fn resume(&mut self, resumed: Vec<StateId>, view: &dyn View) {
        if !resumed.is_empty() {
            self.suspended.retain(|state| !resumed.contains(state));
            self.searcher.update(&Delta { resumed, ..Delta::default() }, view);
        }
    }
}

impl Searcher for Deepening {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        // Another searcher may have run or suspended a state that is suspended here; from
        // now on the inner searcher must see it as the outer one does.
        let ran = delta.ran.into_iter().chain(delta.forks.iter().map(|fork| fork.parent));
        let foreign = ran.chain(delta.suspended.iter().copied());
        let resumed: BTreeSet<StateId> =
            foreign.filter(|state| self.suspended.contains(state)).collect();
        self.resume(resumed.into_iter().collect(), view);
        self.charge(delta, view.work());
        self.searcher.update(delta, view);
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        loop {
            match self.searcher.pick(view, rng) {
                Action::Stop if !self.suspended.is_empty() => {
                    self.bound = self.bound.saturating_mul(2);
                    let all = self.suspended.iter().copied();
                    let within = all.filter(|&state| self.spent(state) <= self.bound).collect();
                    self.resume(within, view);
                }
                Action::Run { state, until } => {
                    let spent = self.spent(state);
                    // Only a searcher that ignores suspension picks a suspended state; without
                    // the last condition this loop would not end.
                    if spent <= self.bound || self.suspended.contains(&state) {
                        let left = NonZeroU64::MIN.saturating_add(self.bound.saturating_sub(spent));
                        return Action::Run { state, until: until.at_most(left) };
                    }
                    self.suspended.insert(state);
                    let suspended = Delta { suspended: vec![state], ..Delta::default() };
                    self.searcher.update(&suspended, view);
                }
                other => return other,
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
