//! Subpath guided search: prefers the subpaths that were picked least often.
//!
//! The subpath of a state is the sequence of cases it took at its last `n` forks. The number
//! of picks of states with the same subpath measures how well its neighbourhood is explored;
//! the state with the lowest count is picked. With `n` = 1 the picks spread over the
//! branches of the program, however many states wait behind each, so no loop captures
//! them; a larger `n` distinguishes how a branch was reached.
//!
//! After Li, Su, Wang, Li: Steering Symbolic Execution to Less Traveled Paths, OOPSLA 2013.
//! There a pick examines all states; here it takes the same time for a thousand states as
//! for a million ([`random_ties`]).

mod latest_ties;
mod random_ties;
mod subpath_groups;

use std::num::NonZeroUsize;

use byway_base::Rng;
use rustc_hash::FxHashMap;

use self::latest_ties::LatestTies;
use self::random_ties::RandomTies;
use self::subpath_groups::SubpathGroups;
use super::subpaths::{SubpathId, Subpaths};
use crate::{Action, Delta, Fork, Knowledge, Searcher, SearcherRequirements, StateId, Until, View};

/// How often the tie-breaking searcher is asked before a random choice: it may pick a state
/// that is not tied, and a tied one the next time.
const MOST_ATTEMPTS: usize = 8;

/// Chooses among the states whose subpaths have the same, lowest pick count.
pub enum TieBreaker {
    /// Uniformly at random.
    Random,
    /// The last one in the order of depth-first search.
    Latest,
    /// The pick of a searcher, if it is one of the tied states; otherwise random.
    Searcher(Box<dyn Searcher>),
}

/// The forks that subpaths consist of.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CountedForks {
    /// Only forks in user code.
    UserCode,
    /// Forks in libraries as well.
    All,
}

/// Picks a state on the subpath with the fewest picks.
pub struct Sgs {
    subpaths: Subpaths,
    forks: CountedForks,
    groups: Box<dyn SubpathGroups>,
    /// For each case group, the subpath before the fork that created it.
    before_group: FxHashMap<StateId, SubpathId>,
    tie_breaker: Option<Box<dyn Searcher>>,
    /// The last pick and its subpath. If it is suspended instead of run, it does not count.
    picked: Option<(StateId, SubpathId)>,
}

impl Sgs {
    /// With subpaths of `length` cases.
    pub fn new(length: NonZeroUsize, forks: CountedForks, ties: TieBreaker) -> Sgs {
        let (groups, tie_breaker): (Box<dyn SubpathGroups>, _) = match ties {
            TieBreaker::Random => (Box::<RandomTies>::default(), None),
            TieBreaker::Latest => (Box::<LatestTies>::default(), None),
            TieBreaker::Searcher(searcher) => (Box::<RandomTies>::default(), Some(searcher)),
        };
        let subpaths = Subpaths::new(length.get());
        let before_group = FxHashMap::default();
        Sgs { subpaths, forks, groups, before_group, tie_breaker, picked: None }
    }

    fn fork(&mut self, fork: &Fork, view: &dyn View) {
        // A single successor is no choice, unless a group was reduced to it.
        let counts = (fork.successors.len() > 1 || fork.splits_group)
            && (self.forks == CountedForks::All || view.is_user_code(fork.site.location.func));
        let before_group = self.before_group.remove(&fork.parent);
        let before = match fork.splits_group && counts {
            true => before_group,
            false => self.groups.group(fork.parent),
        };
        let before = before.unwrap_or(Subpaths::start());
        self.groups.fork(fork);
        for successor in &fork.successors {
            let group = match counts {
                true => self.subpaths.after(before, fork.site, successor.case),
                false => before,
            };
            self.groups.insert(successor.state, group);
            if counts && !successor.grouped_cases.is_empty() {
                self.before_group.insert(successor.state, before);
            }
        }
        if !fork.parent_continues() {
            self.groups.remove(fork.parent);
        }
    }

    /// The name of its pick counts in [`Knowledge`].
    fn knowledge_name(&self) -> String {
        let forks = match self.forks {
            CountedForks::UserCode => "/own",
            CountedForks::All => "",
        };
        format!("sgs:{}{forks}", self.subpaths.length())
    }

    /// The pick of the tie-breaker and its subpath, if that has the lowest pick count.
    fn break_tie(&mut self, view: &dyn View, rng: &mut Rng) -> Option<(StateId, SubpathId)> {
        let tie_breaker = self.tie_breaker.as_mut()?;
        (0..MOST_ATTEMPTS).find_map(|_| match tie_breaker.pick(view, rng) {
            Action::Run { state, .. } => {
                let group = self.groups.group(state)?;
                self.groups.is_least_picked(group).then_some((state, group))
            }
            Action::RandomTest
            | Action::RandomTests { .. }
            | Action::SearchBackward
            | Action::Stop => None,
        })
    }
}

impl Searcher for Sgs {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        if let Some((state, subpath)) = self.picked.take()
            && delta.suspended.contains(&state)
        {
            self.groups.uncount_pick(subpath);
        }
        delta.resumed.iter().for_each(|&state| self.groups.resume(state));
        delta.started.iter().for_each(|&state| self.groups.insert(state, Subpaths::start()));
        delta.forks.iter().for_each(|fork| self.fork(fork, view));
        for state in delta.removed() {
            self.groups.remove(state);
            self.before_group.remove(&state);
        }
        delta.suspended.iter().for_each(|&state| self.groups.suspend(state));
        if let Some(tie_breaker) = &mut self.tie_breaker {
            tie_breaker.update(delta, view);
        }
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        let tied = self.break_tie(view, rng);
        let Some((state, subpath)) = tied.or_else(|| self.groups.least_picked(rng)) else {
            return Action::Stop;
        };
        self.groups.count_pick(subpath);
        self.picked = Some((state, subpath));
        Action::Run { state, until: Until::TURN }
    }

    fn requirements(&self) -> SearcherRequirements {
        self.tie_breaker.as_ref().map_or(SearcherRequirements::default(), |it| it.requirements())
    }

    fn inner(&self) -> Vec<&dyn Searcher> {
        self.tie_breaker.iter().map(|it| &**it).collect()
    }

    fn inner_mut(&mut self) -> Vec<&mut dyn Searcher> {
        self.tie_breaker.iter_mut().map(|it| &mut **it as &mut dyn Searcher).collect()
    }

    /// A row for each subpath: its picks, and its cases.
    fn store(&self, knowledge: &mut Knowledge) {
        let row = |subpath| {
            let picks = self.groups.picks(subpath);
            let mut row = vec![picks];
            self.subpaths.store(self.subpaths.cases(subpath), &mut row);
            (picks > 0).then_some(row)
        };
        knowledge.add(self.knowledge_name(), self.subpaths.ids().filter_map(row).collect());
        self.inner().into_iter().for_each(|searcher| searcher.store(knowledge));
    }

    fn recall(&mut self, knowledge: &Knowledge) {
        for row in knowledge.of_this_build(&self.knowledge_name()) {
            let Some((&picks, cases)) = row.split_first() else { continue };
            if let Some(cases) = self.subpaths.recall(cases) {
                let subpath = self.subpaths.intern(cases);
                self.groups.add_picks(subpath, picks);
            }
        }
        self.inner_mut().into_iter().for_each(|searcher| searcher.recall(knowledge));
    }
}
