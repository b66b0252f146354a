//! Context guided search: negate a branch only where it was come to in a new way.
//!
//! The context of a way is itself and the ways before it on its path, `k` in all. Sweeps
//! go over the ways that runs left, level by level of the execution tree; one whose context
//! was tried before is passed over. Runs leave ways on deeper levels, which the same sweep
//! comes to. At its end every context of `k` ways was tried, and the next sweep begins at
//! the top with `k + 1`: from a program's branches to pairs of them, and so on. What is
//! left after the sweep with the longest contexts comes last, level by level.
//!
//! A state that stands for several ways has as many contexts, and is tried if one of them is
//! new. What was tried is known once it has parted: it is the context of the way it went.
//!
//! A way that the next one forces is left out of contexts, since it tells nothing: who
//! comes to a branch inside `if (c)` has gone the true side of `c` in any case.
//!
//! After Seo, Kim: How We Get There, FSE 2014. There `k` grows without a bound.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use byway_base::Rng;
use rustc_hash::{FxHashMap, FxHashSet};

use super::subpaths::{SubpathId, Subpaths, TakenCaseId};
use crate::{
    Action, Case, Delta, Fork, Searcher, SearcherRequirements, Site, StateId, Until, View,
};

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
    waiting: BTreeSet<SweepPosition>,
    /// Where the sweep is: what stands before was looked at. `None` at the top.
    swept: Option<SweepPosition>,
    /// Whether all sweeps are over.
    is_rest: bool,
    /// Contexts that were tried, of whatever length.
    tried: FxHashSet<Box<[TakenCaseId]>>,
    /// What was picked last, if its context was new; if it is put to rest, it still is.
    picked: Option<StateId>,
}

/// The level of a state in the execution tree, and the state.
type SweepPosition = (u32, StateId);

/// How a state came to be.
struct History {
    level: u32,
    /// Its last ways, those left out that the next forces.
    ways: SubpathId,
    /// The same for the other ways it stands for, if it does.
    others: Vec<SubpathId>,
    /// All but the last.
    before: SubpathId,
    /// The last.
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
        let (ways, before) = (Subpaths::start(), Subpaths::start());
        let others = Vec::new();
        let history = History { level, ways, others, before, last: None, runs: false };
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
            && let Some(context) = self.noted_context(state)
        {
            let context: Box<[TakenCaseId]> = context.into();
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
        // A single way was no choice, unless it is what is left of one.
        if fork.successors.len() < 2 && !fork.splits_group {
            return;
        }
        let level = parent.level + u32::from(!fork.splits_group);
        let before = match parent.last {
            _ if fork.splits_group => parent.before,
            Some((site, case)) if view.is_forced(site, case, fork.site.location) => {
                self.paths.without_last(parent.ways)
            }
            _ => parent.ways,
        };
        for child in &fork.successors {
            let mut after = |case: Case| self.paths.after(before, fork.site, case);
            let ways = after(child.case);
            let others = child.grouped_cases.iter().map(|&case| after(case)).collect();
            let last = Some((fork.site, child.case));
            let runs = child.state == fork.parent;
            self.states.insert(child.state, History { level, ways, others, before, last, runs });
            if !runs {
                self.waiting.insert((level, child.state));
            } else if fork.splits_group {
                self.try_context(ways);
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

    fn next_of_sweep(&self) -> Option<SweepPosition> {
        use std::ops::Bound::{Excluded, Unbounded};
        let from = self.swept.map_or(Unbounded, Excluded);
        self.waiting.range((from, Unbounded)).next().copied()
    }

    /// Whether a context of a state was not tried before. If it has one only, it was from
    /// now on.
    fn is_new(&mut self, state: StateId) -> bool {
        let Some(History { ways, others, .. }) = self.states.get(&state) else { return false };
        if others.is_empty() {
            return self.try_context(*ways);
        }
        let mut all = others.iter().chain([ways]);
        all.any(|&ways| !self.tried.contains(self.paths.last_ways(ways, self.length)))
    }

    /// Notes that the context of a state with these ways was tried; whether it was not before.
    fn try_context(&mut self, ways: SubpathId) -> bool {
        let context = self.paths.last_ways(ways, self.length);
        // Nobody knows how a state that has just started came to be.
        context.is_empty() || !self.tried.contains(context) && self.tried.insert(context.into())
    }

    /// The context that was noted as tried when this state was picked, if one was.
    fn noted_context(&self, state: StateId) -> Option<&[TakenCaseId]> {
        let History { ways, others, .. } = self.states.get(&state)?;
        others.is_empty().then(|| self.paths.last_ways(*ways, self.length))
    }
}

impl Searcher for Cgs {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        delta.resumed.iter().for_each(|&state| self.wake(state));
        delta.started.iter().for_each(|&state| self.start(state, view));
        delta.ran.iter().for_each(|&state| self.begin(state));
        delta.forks.iter().for_each(|fork| self.fork(fork, view));
        delta.removed().for_each(|state| self.end(state));
        delta.suspended.iter().for_each(|&state| self.rest(state));
        self.picked = None;
    }

    fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
        let state = self.running.first().copied().or_else(|| self.sweep());
        match state {
            Some(state) => Action::Run { state, until: Until::END },
            None => Action::Stop,
        }
    }

    fn requirements(&self) -> SearcherRequirements {
        SearcherRequirements { concolic: true, ..SearcherRequirements::default() }
    }
}
