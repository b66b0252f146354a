//! Depth first: the newest state.
//!
//! At a fork the first case takes its parent's place in the line and the others
//! join at the end, so the last case is explored first, with all that comes of it;
//! KLEE's `dfs` goes the same way. The order has nothing to do with which side the
//! witness takes, so the paths come in the program's own order whatever the solver
//! answers. It holds few states at a time, but stays in the first endless loop it
//! meets.

use byway_base::Rng;

use super::state_queue::StateQueue;
use crate::{Action, Delta, Searcher, Until, View};

/// Picks the newest state.
#[derive(Debug, Default)]
pub struct Dfs {
    line: StateQueue,
}

impl Searcher for Dfs {
    fn update(&mut self, delta: &Delta, _: &dyn View) {
        delta.resumed.iter().for_each(|&state| self.line.wake(state));
        delta.started.iter().for_each(|&state| _ = self.line.push(state));
        delta.forks.iter().for_each(|fork| self.line.fork_in_place(fork));
        delta.removed().for_each(|state| self.line.remove(state));
        delta.suspended.iter().for_each(|&state| self.line.rest(state));
    }

    fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
        match self.line.last() {
            Some(state) => Action::Run { state, until: Until::TURN },
            None => Action::Stop,
        }
    }
}
