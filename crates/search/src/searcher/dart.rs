//! Directed automated random testing: runs an input to its end, then negates the last branch
//! whose other case is untried.
//!
//! After Godefroid, Klarlund, Sen: DART, PLDI 2005. It is depth-first search by whole runs:
//! the successors that a run leaves pending join the queue in the order of its forks, the
//! run itself stays last until it ends, and the last state in the queue is next. The
//! witness chooses the first path, where [`dfs`](super::Dfs) follows the program's order.
//!
//! DART starts with a random input; this searcher starts with zeros or with seeds.

use byway_base::Rng;

use super::state_queue::StateQueue;
use crate::{Action, Delta, Fork, Searcher, SearcherRequirements, Until, View};

/// Picks the pending state that was left last.
#[derive(Debug, Default)]
pub struct Dart {
    queue: StateQueue,
}

impl Dart {
    fn fork(&mut self, fork: &Fork) {
        let pending = fork.successors.iter().filter(|successor| successor.state != fork.parent);
        pending.for_each(|successor| _ = self.queue.push(successor.state));
        self.queue.push(fork.parent);
    }
}

impl Searcher for Dart {
    fn update(&mut self, delta: &Delta, _: &dyn View) {
        delta.resumed.iter().for_each(|&state| self.queue.resume(state));
        delta.started.iter().for_each(|&state| _ = self.queue.push(state));
        delta.forks.iter().for_each(|fork| self.fork(fork));
        delta.removed().for_each(|state| self.queue.remove(state));
        delta.suspended.iter().for_each(|&state| self.queue.suspend(state));
    }

    fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
        match self.queue.last() {
            Some(state) => Action::Run { state, until: Until::END },
            None => Action::Stop,
        }
    }

    fn requirements(&self) -> SearcherRequirements {
        SearcherRequirements { concolic: true, ..SearcherRequirements::default() }
    }
}
