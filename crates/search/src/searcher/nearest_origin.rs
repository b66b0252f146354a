//! The searcher of a backward search: the origin nearest to the program's entry comes first.
//!
//! Every [`OriginId`] has a searcher of its own, which sees only the states of that origin. The
//! origins with the fewest calls from the entry pick first, so that the search moves backward.

use std::collections::BTreeMap;

use byway_base::Rng;
use rustc_hash::FxHashMap;

use crate::{Action, Delta, MakeSearcher, OriginId, Searcher, SearcherRequirements, StateId, View};

/// Picks a state of the origin with the fewest calls from the program's entry.
pub struct NearestOrigin {
    make: MakeSearcher,
    /// The searcher of each origin, by the number of calls from the entry.
    searchers: BTreeMap<(u32, OriginId), Box<dyn Searcher>>,
    /// The origins of live states.
    origins: FxHashMap<StateId, OriginId>,
}

impl NearestOrigin {
    /// `make` makes the searcher of an origin.
    pub fn new(make: MakeSearcher) -> NearestOrigin {
        NearestOrigin { make, searchers: BTreeMap::new(), origins: FxHashMap::default() }
    }

    /// Splits a delta by the origins of its states.
    fn split(&mut self, delta: &Delta, view: &dyn View) -> BTreeMap<OriginId, Delta> {
        for &state in &delta.started {
            self.origins.insert(state, view.origin(state));
        }
        for fork in &delta.forks {
            let origin = self.origins.get(&fork.parent).copied().unwrap_or_default();
            for successor in &fork.successors {
                self.origins.insert(successor.state, origin);
            }
        }
        let origin_of = |state: &StateId| self.origins.get(state).copied().unwrap_or_default();
        let mut parts: BTreeMap<OriginId, Delta> = BTreeMap::new();
        let mut distribute = |list: &[StateId], own: fn(&mut Delta) -> &mut Vec<StateId>| {
            for state in list {
                own(parts.entry(origin_of(state)).or_default()).push(*state);
            }
        };
        distribute(&delta.resumed, |own| &mut own.resumed);
        distribute(&delta.started, |own| &mut own.started);
        distribute(&delta.ended, |own| &mut own.ended);
        distribute(&delta.repeated, |own| &mut own.repeated);
        distribute(&delta.infeasible, |own| &mut own.infeasible);
        distribute(&delta.unknown, |own| &mut own.unknown);
        distribute(&delta.dropped, |own| &mut own.dropped);
        distribute(&delta.suspended, |own| &mut own.suspended);
        for fork in &delta.forks {
            parts.entry(origin_of(&fork.parent)).or_default().forks.push(fork.clone());
        }
        for new in &delta.new_coverage {
            parts.entry(origin_of(&new.state)).or_default().new_coverage.push(*new);
        }
        if let Some(ran) = delta.ran {
            let own = parts.entry(origin_of(&ran)).or_default();
            own.ran = Some(ran);
            own.newly_tested = delta.newly_tested;
        }
        delta.removed().for_each(|state| _ = self.origins.remove(&state));
        parts
    }
}

impl Searcher for NearestOrigin {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        for (origin, own) in self.split(delta, view) {
            let key = (view.calls_from_entry(origin), origin);
            let searcher = self.searchers.entry(key).or_insert_with(|| (self.make)());
            searcher.update(&own, view);
        }
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        let picks = self.searchers.values_mut().map(|searcher| searcher.pick(view, rng));
        picks.into_iter().find(|action| *action != Action::Stop).unwrap_or(Action::Stop)
    }

    fn requirements(&self) -> SearcherRequirements {
        (self.make)().requirements()
    }
}
