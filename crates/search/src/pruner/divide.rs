//! `divide`: begins again from time to time, without dropping states in between.

use byway_base::Rng;

use super::{ClockSpan, ClockUnit, RepeatingTimer};
use crate::{Delta, Pruner, SearcherRequirements, StateId, View};

/// Divides an exploration into runs of equal length that begin at the program's start: the
/// comparison by which the paper shows that restarts alone gain nothing.
pub struct Divide {
    unit: ClockUnit,
    timer: RepeatingTimer,
}

impl Divide {
    /// Runs of this length.
    pub fn new(length: ClockSpan) -> Divide {
        Divide { unit: length.unit, timer: RepeatingTimer::new(length.length, 0) }
    }
}

impl Pruner for Divide {
    fn update(&mut self, _: &Delta, _: &dyn View) {}

    fn is_due(&self, _: &dyn View) -> bool {
        false
    }

    fn prune(&mut self, _: &dyn View, _: &mut Rng) -> Vec<StateId> {
        Vec::new()
    }

    fn starts_over(&mut self, is_exhausted: bool, view: &dyn View, _: &mut Rng) -> bool {
        // A run that ended by itself has explored everything.
        let ends = !is_exhausted && self.timer.is_due(view.clock());
        if ends {
            self.timer.restart(view.clock());
        }
        ends
    }

    fn requirements(&self) -> SearcherRequirements {
        SearcherRequirements { restarts: true, ..SearcherRequirements::default() }
    }

    fn clock_unit(&self) -> ClockUnit {
        self.unit
    }
}
