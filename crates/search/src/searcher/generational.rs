//! Generational search: every way that a run left makes a run of the next generation,
//! and the generation of the run that covered most comes first.
//!
//! After Godefroid, Levin, Molnar: Automated Whitebox Fuzz Testing (SAGE), NDSS 2008. A
//! run's score is the number of sides of branches and functions it was the first to come to
//! (there: of blocks). Once a run's turn has
//! come, all ways it left are tried, from its start to its end, before the next is chosen:
//! the one with the highest score, the older of equals. The bound there, which keeps a
//! child from turning round before the branch it was made for, is here by construction:
//! a state leaves only ways behind the place where it came to be.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use byway_base::Rng;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Action, Delta, Fork, Searcher, SearcherRequirements, StateId, Until, View};

/// Picks the ways left by the run that covered most.
#[derive(Debug, Default)]
pub struct Generational {
    /// Runs that have not ended.
    runs: BTreeMap<StateId, ConcolicRun>,
    /// Those of them that rest, with no ways: these wait for no run that rests.
    paused: FxHashMap<StateId, ConcolicRun>,
    /// The ways that these left, with who left them.
    left: FxHashMap<StateId, StateId>,
    /// The ways that other runs left, in the order of their turns.
    waiting: BTreeSet<RunOrder>,
    /// The turn of each of those, and of those of them that rest.
    turns: FxHashMap<StateId, RunOrder>,
    resting: FxHashSet<StateId>,
    /// The last turn, whose generation goes on.
    last: Option<RunOrder>,
}

/// A run that has not ended: what it covered first, and the ways it left.
#[derive(Debug, Default)]
struct ConcolicRun {
    score: u64,
    ways: Vec<StateId>,
}

/// When it is the turn of a way.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct RunOrder {
    generation: (Reverse<u64>, StateId),
    way: StateId,
}

impl Generational {
    fn wait(&mut self, way: StateId, run: StateId, score: u64) {
        let turn = RunOrder { generation: (Reverse(score), run), way };
        self.turns.insert(way, turn);
        if !self.resting.contains(&way) {
            self.waiting.insert(turn);
        }
    }

    fn stop_waiting(&mut self, way: StateId) {
        self.left.remove(&way);
        if let Some(turn) = self.turns.remove(&way) {
            self.waiting.remove(&turn);
        }
    }

    /// A state runs.
    fn begin(&mut self, state: StateId) -> &mut ConcolicRun {
        self.stop_waiting(state);
        self.runs.entry(state).or_default()
    }

    fn fork(&mut self, fork: &Fork) {
        for child in fork.successors.iter().filter(|child| child.state != fork.parent) {
            self.begin(fork.parent).ways.push(child.state);
            self.left.insert(child.state, fork.parent);
        }
    }

    /// A state is gone; if it ran, its generation waits from now on.
    fn end(&mut self, state: StateId) {
        self.stop_waiting(state);
        self.resting.remove(&state);
        self.paused.remove(&state);
        self.let_go(state);
    }

    /// A run is under way no more, and the ways that it left wait; its score, if it was one.
    fn let_go(&mut self, state: StateId) -> Option<u64> {
        let ConcolicRun { score, ways } = self.runs.remove(&state)?;
        for way in ways {
            // Somebody else may have run it, or it is gone.
            if self.left.remove(&way).is_some() {
                self.wait(way, state, score);
            }
        }
        Some(score)
    }

    fn rest(&mut self, state: StateId) {
        self.resting.insert(state);
        if let Some(turn) = self.turns.get(&state) {
            self.waiting.remove(turn);
        }
        if let Some(score) = self.let_go(state) {
            self.paused.insert(state, ConcolicRun { score, ways: Vec::new() });
        }
    }

    fn wake(&mut self, state: StateId) {
        self.resting.remove(&state);
        self.waiting.extend(self.turns.get(&state));
        self.runs.extend(self.paused.remove_entry(&state));
    }

    fn next(&self) -> Option<RunOrder> {
        let same = self.last.and_then(|last| {
            let next = self.waiting.range(last..).next();
            next.filter(|next| next.generation == last.generation)
        });
        same.or(self.waiting.first()).copied()
    }
}

impl Searcher for Generational {
    fn update(&mut self, delta: &Delta, _: &dyn View) {
        delta.resumed.iter().for_each(|&state| self.wake(state));
        delta.started.iter().for_each(|&state| self.wait(state, state, 0));
        delta.ran.iter().for_each(|&state| _ = self.begin(state));
        for covered in &delta.new_coverage {
            if let Some(run) = self.runs.get_mut(&covered.state) {
                run.score += 1;
            }
        }
        delta.forks.iter().for_each(|fork| self.fork(fork));
        delta.removed().for_each(|state| self.end(state));
        delta.suspended.iter().for_each(|&state| self.rest(state));
    }

    fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
        let under_way = self.runs.first_key_value().map(|(&run, _)| run);
        let state = under_way.or_else(|| {
            self.last = self.next();
            self.last.map(|turn| turn.way)
        });
        match state {
            Some(state) => Action::Run { state, until: Until::END },
            None => Action::Stop,
        }
    }

    fn requirements(&self) -> SearcherRequirements {
        SearcherRequirements { concolic: true, ..SearcherRequirements::default() }
    }
}
