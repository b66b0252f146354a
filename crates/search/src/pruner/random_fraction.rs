//! `random`: drops a fraction of the states, whichever.

use byway_base::Rng;

use super::{ClockSpan, ClockUnit, RepeatingTimer, lowest};
use crate::{Delta, Pruner, StateId, View};

/// Drops a fixed fraction of the states in each interval, drawn uniformly: what the learning
/// pruner [`Homi`](super::Homi) is compared with.
pub struct RandomFraction {
    fraction: f64,
    unit: ClockUnit,
    timer: RepeatingTimer,
}

impl RandomFraction {
    /// Drops this fraction of the states in each interval.
    pub fn new(fraction: f64, interval: ClockSpan) -> RandomFraction {
        let timer = RepeatingTimer::new(interval.length, 0);
        RandomFraction { fraction, unit: interval.unit, timer }
    }
}

impl Pruner for RandomFraction {
    fn update(&mut self, _: &Delta, _: &dyn View) {}

    fn is_due(&self, view: &dyn View) -> bool {
        self.timer.is_due(view.clock())
    }

    fn prune(&mut self, view: &dyn View, rng: &mut Rng) -> Vec<StateId> {
        self.timer.restart(view.clock());
        let states: Vec<_> = view.states().into_iter().map(|state| (0.0, state)).collect();
        let count = (states.len() as f64 * self.fraction) as usize;
        lowest(states, count, rng)
    }

    fn clock_unit(&self) -> ClockUnit {
        self.unit
    }
}
