//! Context guided search: negate a branch only where it was come to in a new way.
//!
//! The context of a way is itself and the ways before it on its path, `k` in all. Sweeps
//! go over the ways that runs left, level by level of the execution tree; one whose context
//! was tried before is passed over. Runs leave ways on deeper levels, which the same sweep
//! comes to. At its end every context of `k` ways was tried, and the next sweep begins at
//! the top with `k + 1`: from a program's branches to pairs of them, and so on. What is
//! left after the sweep with the longest contexts comes last, level by level.
//!
//! A way that the next one forces is left out of contexts, since it tells nothing: who
//! comes to a branch inside `if (c)` has gone the true side of `c` in any case.
//!
//! After Seo, Kim: How We Get There, FSE 2014. There `k` grows without a bound.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use byway_base::Rng;
use rustc_hash::{FxHashMap, FxHashSet};

use super::subpaths::{StepId, SubpathId, Subpaths};
use crate::{Action, Case, Delta, Fork, Searcher, Site, StateId, Until, View, Wants};

/// Picks ways in contexts that are new.
pub struct Cgs {
    /// How many ways a context has at the most.
    longest: usize,
    /// How many it has in this sweep.
    length: usize,
    paths: Subpaths,
    states: FxHashMap<StateId, History>,
    /// States that run.
    running: BTreeSet<StateId>,
    /// The ways that were left, level by level.
    waiting: BTreeSet<Place>,
    /// Where the sweep is: what stands before was looked at. `None` at the top.
    swept: Option<Place>,
    /// Whether all sweeps are over.
    is_rest: bool,
    /// Contexts that were tried, of whatever length.
    tried: FxHashSet<Box<[StepId]>>,
    /// What was picked last, if its context was new; if it is put to rest, it still is.
    picked: Option<StateId>,
}

/// The level of a state in the execution tree, and the state.
type Place = (u32, StateId);

/// How a state came to be.
struct History {
    level: u32,
    /// Its last ways, those left out that the next forces.
    ways: SubpathId,
    /// The last of them.
    last: Option<(Site, Case)>,
    /// Whether it runs, or waits to.
    runs: bool,
}

impl Cgs {
    /// With contexts of up to so many ways.
    pub fn new(longest: NonZeroUsize) -> Cgs {
        let longest = longest.get();
        Cgs {
            longest,
            length: 1,
            paths: Subpaths::new(longest),
            states: FxHashMap::default(),
            running: BTreeSet::new(),
            waiting: BTreeSet::new(),
            swept: None,
            is_rest: false,
            tried: FxHashSet::default(),
            picked: None,
        }
    }

    fn start(&mut self, state: StateId, view: &dyn View) {
        let level = view.depth(state);
        let history = History { level, ways: Subpaths::start(), last: None, runs: false };
        self.states.insert(state, history);
        self.waiting.insert((level, state));
    }

    /// A state runs.
    fn begin(&mut self, state: StateId) {
        if let Some(history) = self.states.get_mut(&state) {
            history.runs = true;
            self.waiting.remove(&(history.level, state));
            self.running.insert(state);
        }
    }

    fn rest(&mut self, state: StateId) {
        if self.picked == Some(state)
            && let Some(context) = self.context(state)
        {
            let context: Box<[StepId]> = context.into();
            self.tried.remove(&context);
        }
        self.running.remove(&state);
        if let Some(history) = self.states.get(&state) {
            self.waiting.remove(&(history.level, state));
        }
    }

    fn wake(&mut self, state: StateId) {
        match self.states.get(&state) {
            Some(history) if history.runs => _ = self.running.insert(state),
            Some(history) => _ = self.waiting.insert((history.level, state)),
            None => {}
        }
    }

    fn end(&mut self, state: StateId) {
        self.running.remove(&state);
        if let Some(history) = self.states.remove(&state) {
            self.waiting.remove(&(history.level, state));
        }
    }

    fn fork(&mut self, fork: &Fork, view: &dyn View) {
        self.begin(fork.parent);
        let Some(parent) = self.states.get(&fork.parent) else { return };
        // A single way was no choice.
        if fork.children.len() < 2 {
            return;
        }
        let level = parent.level + 1;
        let before = match parent.last {
            Some((site, case)) if view.is_forced(site, case, fork.site.location) => {
                self.paths.without_last(parent.ways)
            }
            _ => parent.ways,
        };
        for child in &fork.children {
            let ways = self.paths.after(before, fork.site, child.case);
            let last = Some((fork.site, child.case));
            let runs = child.state == fork.parent;
            self.states.insert(child.state, History { level, ways, last, runs });
            if !runs {
                self.waiting.insert((level, child.state));
            }
        }
    }

    /// The next way of the sweep whose context is new; of later sweeps, if need be.
    fn sweep(&mut self) -> Option<StateId> {
        while !self.is_rest && !self.waiting.is_empty() {
            while let Some(place) = self.next_of_sweep() {
                self.swept = Some(place);
                if self.is_new(place.1) {
                    self.picked = Some(place.1);
                    return self.picked;
                }
            }
            self.swept = None;
            self.is_rest = self.length == self.longest;
            self.length = self.longest.min(self.length + 1);
        }
        self.waiting.first().map(|&(_, state)| state)
    }

    fn next_of_sweep(&self) -> Option<Place> {
        use std::ops::Bound::{Excluded, Unbounded};
        let from = self.swept.map_or(Unbounded, Excluded);
        self.waiting.range((from, Unbounded)).next().copied()
    }

    /// Whether the context of a state was not tried before; from now on it was.
    fn is_new(&mut self, state: StateId) -> bool {
        let Some(context) = self.context(state) else { return false };
        // Nobody knows how a state that has just started came to be.
        context.is_empty() || !self.tried.contains(context) && self.tried.insert(context.into())
    }

    /// The last ways of a state, as many as this sweep looks at.
    fn context(&self, state: StateId) -> Option<&[StepId]> {
        let ways = self.paths.ways(self.states.get(&state)?.ways);
        Some(&ways[ways.len().saturating_sub(self.length)..])
    }
}

impl Searcher for Cgs {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        delta.woken.iter().for_each(|&state| self.wake(state));
        delta.started.iter().for_each(|&state| self.start(state, view));
        delta.ran.iter().for_each(|&state| self.begin(state));
        delta.forks.iter().for_each(|fork| self.fork(fork, view));
        delta.gone().for_each(|state| self.end(state));
        delta.rested.iter().for_each(|&state| self.rest(state));
        self.picked = None;
    }

    fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
        let state = self.running.first().copied().or_else(|| self.sweep());
        match state {
            Some(state) => Action::Run { state, until: Until::END },
            None => Action::Stop,
        }
    }

    fn wants(&self) -> Wants {
        Wants { concolic: true, ..Wants::default() }
    }
}
