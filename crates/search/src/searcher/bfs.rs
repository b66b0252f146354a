//! Breadth first: the oldest state.
//!
//! At a fork the parent leaves the front of the queue and all successors join its end, by
//! ascending case, so paths are extended level by level of the execution tree. (The
//! successor that continues the parent counts as new, too; otherwise one state would be
//! followed to its end.) A site with a single feasible case is not a level. Complete, but
//! it holds all states of a level at once.

use byway_base::Rng;

use super::state_queue::StateQueue;
use crate::{Action, Delta, Searcher, Until, View};

/// Picks the oldest state.
#[derive(Debug, Default)]
pub struct Bfs {
    queue: StateQueue,
}

impl Searcher for Bfs {
    fn update(&mut self, delta: &Delta, _: &dyn View) {
        delta.resumed.iter().for_each(|&state| self.queue.resume(state));
        delta.started.iter().for_each(|&state| _ = self.queue.push(state));
        for fork in &delta.forks {
            match fork.successors.len() {
                1 => self.queue.fork_in_place(fork),
                _ => self.queue.fork_at_end(fork),
            }
        }
        delta.removed().for_each(|state| self.queue.remove(state));
        delta.suspended.iter().for_each(|&state| self.queue.suspend(state));
    }

    fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
        match self.queue.first() {
            Some(state) => Action::Run { state, until: Until::TURN },
            None => Action::Stop,
        }
    }
}
