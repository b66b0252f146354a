//! Directed automated random testing: run an input to its end, then turn round at the
//! last branch whose other way was not tried.
//!
//! After Godefroid, Klarlund, Sen: DART, PLDI 2005. It is depth-first search by whole
//! runs: the ways a run leaves join the line in the order it came by them, the run stands
//! behind them all until it ends, and the last in line is next. Which path comes first is
//! the witness's choice, where [`dfs`](super::Dfs) takes a program's own order.
//!
//! There a program starts with an input drawn at random; here with zeros, or with seeds.

use byway_base::Rng;

use super::state_queue::StateQueue;
use crate::{Action, Delta, Fork, Searcher, SearcherRequirements, Until, View};

/// Picks the last way that was left.
#[derive(Debug, Default)]
pub struct Dart {
    line: StateQueue,
}

impl Dart {
    fn fork(&mut self, fork: &Fork) {
        let others = fork.successors.iter().filter(|child| child.state != fork.parent);
        others.for_each(|child| _ = self.line.push(child.state));
        self.line.push(fork.parent);
    }
}

impl Searcher for Dart {
    fn update(&mut self, delta: &Delta, _: &dyn View) {
        delta.resumed.iter().for_each(|&state| self.line.wake(state));
        delta.started.iter().for_each(|&state| _ = self.line.push(state));
        delta.forks.iter().for_each(|fork| self.fork(fork));
        delta.removed().for_each(|state| self.line.remove(state));
        delta.suspended.iter().for_each(|&state| self.line.rest(state));
    }

    fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
        match self.line.last() {
            Some(state) => Action::Run { state, until: Until::END },
            None => Action::Stop,
        }
    }

    fn requirements(&self) -> SearcherRequirements {
        SearcherRequirements { concolic: true, ..SearcherRequirements::default() }
    }
}
