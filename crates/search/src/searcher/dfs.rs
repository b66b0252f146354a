//! Depth first: the newest state.
//!
//! At a fork the first case takes its parent's position in the queue and the others join
//! at the end, so the last case is explored first, with its whole subtree; KLEE's `dfs`
//! uses the same order. It does not depend on which case the witness satisfies, so paths
//! come in the program's own order, whatever models the solver returns. Holds few states,
//! but never leaves the first endless loop.

use byway_base::Rng;

use super::state_queue::StateQueue;
use crate::{Action, Delta, Searcher, Until, View};

/// Picks the newest state.
#[derive(Debug, Default)]
pub struct Dfs {
    queue: StateQueue,
}

impl Searcher for Dfs {
    fn update(&mut self, delta: &Delta, _: &dyn View) {
        delta.resumed.iter().for_each(|&state| self.queue.resume(state));
        delta.started.iter().for_each(|&state| _ = self.queue.push(state));
        delta.forks.iter().for_each(|fork| self.queue.fork_in_place(fork));
        delta.removed().for_each(|state| self.queue.remove(state));
        delta.suspended.iter().for_each(|&state| self.queue.suspend(state));
    }

    fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
        match self.queue.last() {
            Some(state) => Action::Run { state, until: Until::TURN },
            None => Action::Stop,
        }
    }
}
