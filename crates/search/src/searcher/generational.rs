//! Generational search: every case that a run left untaken starts a run of the next
//! generation; the generation of the run with the most new coverage comes first.
//!
//! After Godefroid, Levin, Molnar: Automated Whitebox Fuzz Testing (SAGE), NDSS 2008. The
//! score of a run is the number of branch sides and functions it covered first (SAGE counts
//! blocks). Once a run is chosen, all pending states it left are run to their ends before
//! the next run is chosen: the one with the highest score, the older of equals. SAGE's bound,
//! which keeps a child from negating branches before the one it was made for, holds by
//! construction: a state leaves pending states only after the site where it forked.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use byway_base::Rng;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Action, Delta, Fork, Searcher, SearcherRequirements, StateId, Until, View};

/// Picks the pending states of the run with the most new coverage.
#[derive(Debug, Default)]
pub struct Generational {
    /// Runs in progress.
    runs: BTreeMap<StateId, ConcolicRun>,
    /// Suspended runs. Their pending states were released: they must not wait for a run
    /// that is suspended.
    suspended_runs: FxHashMap<StateId, ConcolicRun>,
    /// The pending states of the runs in progress, each with its run.
    held: FxHashMap<StateId, StateId>,
    /// The pending states of other runs, in the order of picking.
    waiting: BTreeSet<RunOrder>,
    /// The order of each waiting state, and of the suspended ones among them.
    orders: FxHashMap<StateId, RunOrder>,
    suspended: FxHashSet<StateId>,
    /// The last pick; the rest of its generation comes next.
    last: Option<RunOrder>,
}

/// A run in progress.
#[derive(Debug, Default)]
struct ConcolicRun {
    /// Its new coverage so far.
    score: u64,
    /// The pending states it left, in the order of its forks.
    pending: Vec<StateId>,
}

/// The sort key of a waiting state: generations by descending score, then by age.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct RunOrder {
    /// The score and the id of the run that left the state.
    generation: (Reverse<u64>, StateId),
    state: StateId,
}

impl Generational {
    fn wait(&mut self, state: StateId, run: StateId, score: u64) {
        let order = RunOrder { generation: (Reverse(score), run), state };
        self.orders.insert(state, order);
        if !self.suspended.contains(&state) {
            self.waiting.insert(order);
        }
    }

    fn stop_waiting(&mut self, state: StateId) {
        self.held.remove(&state);
        if let Some(order) = self.orders.remove(&state) {
            self.waiting.remove(&order);
        }
    }

    /// Marks a state as running.
    fn begin(&mut self, state: StateId) -> &mut ConcolicRun {
        self.stop_waiting(state);
        self.runs.entry(state).or_default()
    }

    fn fork(&mut self, fork: &Fork) {
        for successor in fork.successors.iter().filter(|s| s.state != fork.parent) {
            self.begin(fork.parent).pending.push(successor.state);
            self.held.insert(successor.state, fork.parent);
        }
    }

    fn remove(&mut self, state: StateId) {
        self.stop_waiting(state);
        self.suspended.remove(&state);
        self.suspended_runs.remove(&state);
        self.release(state);
    }

    /// Ends a run: its pending states wait from now on. Returns its score if it was a run.
    fn release(&mut self, state: StateId) -> Option<u64> {
        let ConcolicRun { score, pending } = self.runs.remove(&state)?;
        for other in pending {
            // Not held any more if it was removed, or run by another searcher.
            if self.held.remove(&other).is_some() {
                self.wait(other, state, score);
            }
        }
        Some(score)
    }

    fn suspend(&mut self, state: StateId) {
        self.suspended.insert(state);
        if let Some(order) = self.orders.get(&state) {
            self.waiting.remove(order);
        }
        if let Some(score) = self.release(state) {
            self.suspended_runs.insert(state, ConcolicRun { score, pending: Vec::new() });
        }
    }

    fn resume(&mut self, state: StateId) {
        self.suspended.remove(&state);
        self.waiting.extend(self.orders.get(&state));
        self.runs.extend(self.suspended_runs.remove_entry(&state));
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
        delta.resumed.iter().for_each(|&state| self.resume(state));
        delta.started.iter().for_each(|&state| self.wait(state, state, 0));
        delta.ran.iter().for_each(|&state| _ = self.begin(state));
        for covered in &delta.new_coverage {
            if let Some(run) = self.runs.get_mut(&covered.state) {
                run.score += 1;
            }
        }
        delta.forks.iter().for_each(|fork| self.fork(fork));
        delta.removed().for_each(|state| self.remove(state));
        delta.suspended.iter().for_each(|&state| self.suspend(state));
    }

    fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
        let in_progress = self.runs.first_key_value().map(|(&run, _)| run);
        let state = in_progress.or_else(|| {
            self.last = self.next();
            self.last.map(|order| order.state)
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
