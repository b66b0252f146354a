//! Breadth first: the oldest state.
//!
//! At a fork the parent leaves the front of the line and all children join its
//! end, in order of case, so paths are extended level by level of the execution
//! tree. (The child that goes on as its parent is as new as its siblings: otherwise
//! one state would be followed to its end.) A site that leaves one way only is no
//! level. Complete, but it holds all states of a level at once.

use byway_base::Rng;

use super::state_queue::StateQueue;
use crate::{Action, Delta, Searcher, Until, View};

/// Picks the oldest state.
#[derive(Debug, Default)]
pub struct Bfs {
    line: StateQueue,
}

impl Searcher for Bfs {
    fn update(&mut self, delta: &Delta, _: &dyn View) {
        delta.resumed.iter().for_each(|&state| self.line.wake(state));
        delta.started.iter().for_each(|&state| _ = self.line.push(state));
        for fork in &delta.forks {
            match fork.successors.len() {
                1 => self.line.fork_in_place(fork),
                _ => self.line.fork_at_end(fork),
            }
        }
        delta.removed().for_each(|state| self.line.remove(state));
        delta.suspended.iter().for_each(|&state| self.line.rest(state));
    }

    fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
        match self.line.first() {
            Some(state) => Action::Run { state, until: Until::TURN },
            None => Action::Stop,
        }
    }
}
