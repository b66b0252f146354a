//! Random suspension: suspends and resumes random states, as a searcher around the tested one
//! may do, and runs suspended states, as a searcher beside it may do.

use std::collections::BTreeSet;

use byway_base::Rng;

use super::run::Simulation;
use crate::{Action, Delta, Searcher, StateId, Until, View, Violation};

/// The suspended states, and the random numbers that choose them.
pub struct RandomSuspension {
    suspended: BTreeSet<StateId>,
    rng: Rng,
    /// The number of suspensions so far.
    pub count: usize,
}

impl RandomSuspension {
    /// No suspended states yet.
    pub fn new(seed: u64) -> RandomSuspension {
        RandomSuspension { suspended: BTreeSet::new(), rng: Rng::new(seed), count: 0 }
    }

    fn any_suspended(&mut self) -> Option<StateId> {
        let suspended: Vec<StateId> = self.suspended.iter().copied().collect();
        self.rng.pick(&suspended).copied()
    }

    fn any_active(&mut self, view: &dyn View) -> Option<StateId> {
        let mut states = view.states();
        states.retain(|state| !self.suspended.contains(state));
        self.rng.pick(&states).copied()
    }

    fn update(&mut self, delta: &Delta) {
        delta.resumed.iter().for_each(|state| _ = self.suspended.remove(state));
        delta.removed().for_each(|state| _ = self.suspended.remove(&state));
        self.suspended.extend(&delta.suspended);
        self.count += delta.suspended.len();
    }
}

impl Simulation<'_> {
    /// Like [`turn`](Self::turn), but a picked state may be suspended instead of run. After
    /// the turn a random state may be suspended or resumed, or a suspended one run by another
    /// searcher. When only suspended states are left, one of them is resumed.
    pub fn turn_suspending(
        &mut self,
        searcher: &mut dyn Searcher,
        suspension: &mut RandomSuspension,
    ) -> Result<bool, Violation> {
        let action = searcher.pick(&self.engine, &mut self.rng);
        self.protocol.pick(&action)?;
        let delta = match action {
            Action::Run { state, .. } if suspension.rng.chance(0.2) => suspend(Some(state)),
            Action::Run { state, until } => self.engine.run(state, until, &mut self.record),
            Action::RandomTest => self.engine.random_test(&mut self.rng, &mut self.record),
            Action::RandomTests { .. } | Action::SearchBackward | Action::Stop => {
                match suspension.any_suspended() {
                    Some(state) => resume(state),
                    None => return Ok(false),
                }
            }
        };
        self.report_with(&delta, searcher, suspension)?;
        let delta = match (suspension.rng.below(8), suspension.any_suspended()) {
            (0 | 1, _) => suspend(suspension.any_active(self.view())),
            (2, Some(state)) => resume(state),
            (3, Some(state)) => {
                let ran = self.engine.run(state, Until::FORK, &mut self.record);
                Delta { resumed: vec![state], ..ran }
            }
            _ => return Ok(true),
        };
        self.report_with(&delta, searcher, suspension)?;
        Ok(true)
    }

    fn report_with(
        &mut self,
        delta: &Delta,
        searcher: &mut dyn Searcher,
        suspension: &mut RandomSuspension,
    ) -> Result<(), Violation> {
        suspension.update(delta);
        self.report(delta, searcher, None)
    }
}

fn suspend(state: Option<StateId>) -> Delta {
    Delta { suspended: state.into_iter().collect(), ..Delta::default() }
}

fn resume(state: StateId) -> Delta {
    Delta { resumed: vec![state], ..Delta::default() }
}
