//! Context guided search: negates a branch only in a context that is new.
//!
//! The context of a pending state is the case it takes and the cases before it on its path,
//! `k` in all. A sweep visits the pending states level by level of the execution tree and
//! skips those whose context was tried before. Runs leave pending states on deeper levels,
//! which the same sweep reaches. At its end every context of `k` cases was tried, and the
//! next sweep starts at the top with `k + 1`: single branches first, then pairs, and so on.
//! States left over after the sweep with the longest contexts follow last, level by level.
//!
//! A case group has as many contexts as cases, and is picked if one of them is new. Which
//! context was tried is known once the group has split: that of the case it continues as.
//!
//! A case that the next site implies is left out of contexts, because it carries no
//! information: a path at a branch inside `if (c)` has taken the true case of `c` anyway.
//!
//! After Seo, Kim: How We Get There, FSE 2014, where `k` grows without bound.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use byway_base::Rng;
use rustc_hash::{FxHashMap, FxHashSet};

use super::subpaths::{SubpathId, Subpaths, TakenCaseId};
use crate::{
    Action, Case, Delta, Fork, Knowledge, Searcher, SearcherRequirements, Site, StateId, Until,
    View,
};

/// Picks pending states in new contexts.
pub struct Cgs {
    /// The length of contexts in the last sweep.
    longest: usize,
    /// The length of contexts in this sweep.
    length: usize,
    paths: Subpaths,
    states: FxHashMap<StateId, StateContext>,
    running: BTreeSet<StateId>,
    /// The pending states, level by level.
    waiting: BTreeSet<SweepPosition>,
    /// The last position this sweep visited; `None` at the top.
    swept: Option<SweepPosition>,
    /// All sweeps are over.
    sweeps_done: bool,
    /// Contexts of any length that were tried.
    tried: FxHashSet<Box<[TakenCaseId]>>,
    /// The last pick of a sweep. If it is suspended instead of run, its context counts as
    /// untried again.
    picked: Option<StateId>,
}

/// A state and its level in the execution tree.
type SweepPosition = (u32, StateId);

struct StateContext {
    level: u32,
    /// Its last cases, without those that the next site implies.
    subpath: SubpathId,
    /// The same for the other cases of a case group.
    grouped: Vec<SubpathId>,
    /// `subpath` without its last case.
    before: SubpathId,
    /// The last case of `subpath`.
    last: Option<(Site, Case)>,
    /// Running or able to continue, rather than pending.
    runs: bool,
}

impl Cgs {
    /// With contexts of up to `longest` cases.
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
            sweeps_done: false,
            tried: FxHashSet::default(),
            picked: None,
        }
    }

    /// The name of its contexts in [`Knowledge`].
    fn knowledge_name(&self) -> String {
        format!("cgs:{}", self.longest)
    }

    fn start(&mut self, state: StateId, view: &dyn View) {
        let level = view.depth(state);
        let (subpath, before) = (Subpaths::start(), Subpaths::start());
        let grouped = Vec::new();
        let context = StateContext { level, subpath, grouped, before, last: None, runs: false };
        self.states.insert(state, context);
        self.waiting.insert((level, state));
    }

    /// Marks a state as running.
    fn begin(&mut self, state: StateId) {
        if let Some(context) = self.states.get_mut(&state) {
            context.runs = true;
            self.waiting.remove(&(context.level, state));
            self.running.insert(state);
        }
    }

    fn suspend(&mut self, state: StateId) {
        if self.picked == Some(state)
            && let Some(context) = self.recorded_context(state)
        {
            let context: Box<[TakenCaseId]> = context.into();
            self.tried.remove(&context);
        }
        self.running.remove(&state);
        if let Some(context) = self.states.get(&state) {
            self.waiting.remove(&(context.level, state));
        }
    }

    fn resume(&mut self, state: StateId) {
        match self.states.get(&state) {
            Some(context) if context.runs => _ = self.running.insert(state),
            Some(context) => _ = self.waiting.insert((context.level, state)),
            None => {}
        }
    }

    fn remove(&mut self, state: StateId) {
        self.running.remove(&state);
        if let Some(context) = self.states.remove(&state) {
            self.waiting.remove(&(context.level, state));
        }
    }

    fn fork(&mut self, fork: &Fork, view: &dyn View) {
        self.begin(fork.parent);
        let Some(parent) = self.states.get(&fork.parent) else { return };
        // A single successor is no choice, unless a group was reduced to it.
        if fork.successors.len() < 2 && !fork.splits_group {
            return;
        }
        let level = parent.level + u32::from(!fork.splits_group);
        let before = match parent.last {
            _ if fork.splits_group => parent.before,
            Some((site, case)) if view.is_forced(site, case, fork.site.location) => {
                self.paths.without_last(parent.subpath)
            }
            _ => parent.subpath,
        };
        for successor in &fork.successors {
            let mut after = |case: Case| self.paths.after(before, fork.site, case);
            let subpath = after(successor.case);
            let grouped = successor.grouped_cases.iter().map(|&case| after(case)).collect();
            let last = Some((fork.site, successor.case));
            let runs = successor.state == fork.parent;
            let context = StateContext { level, subpath, grouped, before, last, runs };
            self.states.insert(successor.state, context);
            if !runs {
                self.waiting.insert((level, successor.state));
            } else if fork.splits_group {
                self.try_context(subpath);
            }
        }
    }

    /// The next state with a new context, in this sweep or a later one.
    fn sweep(&mut self) -> Option<StateId> {
        while !self.sweeps_done && !self.waiting.is_empty() {
            while let Some(position) = self.next_of_sweep() {
                self.swept = Some(position);
                if self.is_new(position.1) {
                    self.picked = Some(position.1);
                    return self.picked;
                }
            }
            self.swept = None;
            self.sweeps_done = self.length == self.longest;
            self.length = self.longest.min(self.length + 1);
        }
        self.waiting.first().map(|&(_, state)| state)
    }

    fn next_of_sweep(&self) -> Option<SweepPosition> {
        use std::ops::Bound::{Excluded, Unbounded};
        let from = self.swept.map_or(Unbounded, Excluded);
        self.waiting.range((from, Unbounded)).next().copied()
    }

    /// Whether some context of the state is untried. A state with a single context records
    /// it as tried; that of a case group is recorded when the group splits.
    fn is_new(&mut self, state: StateId) -> bool {
        let Some(StateContext { subpath, grouped, .. }) = self.states.get(&state) else {
            return false;
        };
        if grouped.is_empty() {
            return self.try_context(*subpath);
        }
        let mut all = grouped.iter().chain([subpath]);
        all.any(|&subpath| !self.tried.contains(self.paths.last_cases(subpath, self.length)))
    }

    /// Records the context of a subpath as tried. Returns whether it was new; the empty
    /// context of a started state always is.
    fn try_context(&mut self, subpath: SubpathId) -> bool {
        let context = self.paths.last_cases(subpath, self.length);
        context.is_empty() || !self.tried.contains(context) && self.tried.insert(context.into())
    }

    /// The context that was recorded as tried when this state was picked, if any.
    fn recorded_context(&self, state: StateId) -> Option<&[TakenCaseId]> {
        let StateContext { subpath, grouped, .. } = self.states.get(&state)?;
        grouped.is_empty().then(|| self.paths.last_cases(*subpath, self.length))
    }
}

impl Searcher for Cgs {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        delta.resumed.iter().for_each(|&state| self.resume(state));
        delta.started.iter().for_each(|&state| self.start(state, view));
        delta.ran.iter().for_each(|&state| self.begin(state));
        delta.forks.iter().for_each(|fork| self.fork(fork, view));
        delta.removed().for_each(|state| self.remove(state));
        delta.suspended.iter().for_each(|&state| self.suspend(state));
        self.picked = None;
    }

    fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
        let state = self.running.first().copied().or_else(|| self.sweep());
        match state {
            Some(state) => Action::Run { state, until: Until::END },
            None => Action::Stop,
        }
    }

    /// The length of contexts in this sweep, and a row for each context that was tried.
    fn store(&self, knowledge: &mut Knowledge) {
        let mut tried: Vec<&[TakenCaseId]> = self.tried.iter().map(|it| &**it).collect();
        tried.sort_unstable();
        let row = |context: &[TakenCaseId]| {
            let mut row = vec![self.length as u64];
            self.paths.store(context, &mut row);
            row
        };
        knowledge.add(self.knowledge_name(), tried.into_iter().map(row).collect());
    }

    fn recall(&mut self, knowledge: &Knowledge) {
        for row in knowledge.of_this_build(&self.knowledge_name()) {
            let Some((&length, context)) = row.split_first() else { continue };
            self.length = self.longest.min(length.max(self.length as u64) as usize);
            self.tried.extend(self.paths.recall(context));
        }
    }

    fn requirements(&self) -> SearcherRequirements {
        SearcherRequirements { concolic: true, ..SearcherRequirements::default() }
    }
}
