//! Letting states rest and wake at random, as a searcher around another may do, and running
//! some that rest, as another one beside it may.

use std::collections::BTreeSet;

use byway_base::Rng;

use super::run::Simulation;
use crate::{Action, Delta, Searcher, StateId, Until, View, Violation};

/// Who rests, and the dice.
pub struct RandomSuspension {
    resting: BTreeSet<StateId>,
    rng: Rng,
    /// How often a state was put to rest.
    pub count: usize,
}

impl RandomSuspension {
    /// Nobody yet; the seed decides who will.
    pub fn new(seed: u64) -> RandomSuspension {
        RandomSuspension { resting: BTreeSet::new(), rng: Rng::new(seed), count: 0 }
    }

    /// Any of those that rest.
    fn any(&mut self) -> Option<StateId> {
        let resting: Vec<StateId> = self.resting.iter().copied().collect();
        self.rng.pick(&resting).copied()
    }

    /// Any of those that do not.
    fn any_awake(&mut self, view: &dyn View) -> Option<StateId> {
        let mut states = view.states();
        states.retain(|state| !self.resting.contains(state));
        self.rng.pick(&states).copied()
    }

    fn hear(&mut self, delta: &Delta) {
        delta.resumed.iter().for_each(|state| _ = self.resting.remove(state));
        delta.removed().for_each(|state| _ = self.resting.remove(&state));
        self.resting.extend(&delta.suspended);
        self.count += delta.suspended.len();
    }
}

impl Simulation<'_> {
    /// As [`turn`](Self::turn), but a pick may come to nothing, since the state is put to rest
    /// instead; and afterwards any state may be put to rest or be woken, or one that rests be
    /// run by somebody else. With nothing left but states that rest, one of them wakes.
    pub fn turn_suspending(
        &mut self,
        searcher: &mut dyn Searcher,
        rests: &mut RandomSuspension,
    ) -> Result<bool, Violation> {
        let action = searcher.pick(&self.engine, &mut self.rng);
        self.protocol.pick(&action)?;
        let delta = match action {
            Action::Run { state, .. } if rests.rng.chance(0.2) => rested(Some(state)),
            Action::Run { state, until } => self.engine.run(state, until, &mut self.record),
            Action::RandomTest => self.engine.test(&mut self.rng, &mut self.record),
            Action::Stop => match rests.any() {
                Some(state) => woken(state),
                None => return Ok(false),
            },
        };
        self.tell_resting(&delta, searcher, rests)?;
        let delta = match (rests.rng.below(8), rests.any()) {
            (0 | 1, _) => rested(rests.any_awake(self.view())),
            (2, Some(state)) => woken(state),
            (3, Some(state)) => {
                let ran = self.engine.run(state, Until::FORK, &mut self.record);
                Delta { resumed: vec![state], ..ran }
            }
            _ => return Ok(true),
        };
        self.tell_resting(&delta, searcher, rests)?;
        Ok(true)
    }

    fn tell_resting(
        &mut self,
        delta: &Delta,
        searcher: &mut dyn Searcher,
        rests: &mut RandomSuspension,
    ) -> Result<(), Violation> {
        rests.hear(delta);
        self.tell(delta, searcher, None)
    }
}

fn rested(state: Option<StateId>) -> Delta {
    Delta { suspended: state.into_iter().collect(), ..Delta::default() }
}

fn woken(state: StateId) -> Delta {
    Delta { resumed: vec![state], ..Delta::default() }
}
