//! Subpath guided search: to where few have gone before.
//!
//! A state's subpath is the last `n` ways it went where it forked. How often a state
//! with that subpath was picked tells how much travelled the road it stands on is; the
//! state on the least travelled one is picked. With `n` = 1 that spreads picks over the
//! branches of the program, however many states wait behind each, so no loop can keep
//! them for itself; a longer `n` tells apart how a branch was come to.
//!
//! After Li, Su, Wang, Li: Steering Symbolic Execution to Less Traveled Paths, OOPSLA
//! 2013. There a pick looks through all states; here it takes the same time whether
//! there are a thousand or a million ([`drawn`]).

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
use crate::{
    Action, Delta, Fork, PortfolioShares, Searcher, SearcherRequirements, StateId, Until, View,
};

/// How often a searcher that decides between equals is asked: it may answer with a
/// state that is none of them, and another time with one that is.
const MOST_QUESTIONS: usize = 8;

/// Who is picked among states whose subpaths were picked equally often.
pub enum TieBreaker {
    /// Any, each with the same chance.
    Random,
    /// The last in line, as in depth-first search.
    Latest,
    /// The one that a searcher would run, where it is one of them; else any.
    Searcher(Box<dyn Searcher>),
}

/// Which forks make up a subpath.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CountedForks {
    /// Those in the user's own code.
    UserCode,
    /// Those in libraries, too.
    All,
}

/// Picks a state on the least travelled subpath.
pub struct Sgs {
    subpaths: Subpaths,
    forks: CountedForks,
    groups: Box<dyn SubpathGroups>,
    /// Of a state that stands for several ways of a fork, the subpath before that fork.
    parties: FxHashMap<StateId, SubpathId>,
    adviser: Option<Box<dyn Searcher>>,
    /// What was picked last, and its subpath; if it is put to rest, nobody went there.
    picked: Option<(StateId, SubpathId)>,
}

impl Sgs {
    /// By subpaths of that length, made up of these forks.
    pub fn new(length: NonZeroUsize, forks: CountedForks, ties: TieBreaker) -> Sgs {
        let (groups, adviser): (Box<dyn SubpathGroups>, _) = match ties {
            TieBreaker::Random => (Box::<RandomTies>::default(), None),
            TieBreaker::Latest => (Box::<LatestTies>::default(), None),
            TieBreaker::Searcher(searcher) => (Box::<RandomTies>::default(), Some(searcher)),
        };
        let subpaths = Subpaths::new(length.get());
        Sgs { subpaths, forks, groups, parties: FxHashMap::default(), adviser, picked: None }
    }

    fn fork(&mut self, fork: &Fork, view: &dyn View) {
        // A single way was no choice, unless it is what is left of one.
        let counts = (fork.successors.len() > 1 || fork.splits_group)
            && (self.forks == CountedForks::All || view.is_user_code(fork.site.location.func));
        let party = self.parties.remove(&fork.parent);
        let before = match fork.splits_group && counts {
            true => party,
            false => self.groups.group(fork.parent),
        };
        let before = before.unwrap_or(Subpaths::start());
        self.groups.part(fork);
        for child in &fork.successors {
            let group = match counts {
                true => self.subpaths.after(before, fork.site, child.case),
                false => before,
            };
            self.groups.join(child.state, group);
            if counts && !child.grouped_cases.is_empty() {
                self.parties.insert(child.state, before);
            }
        }
        if !fork.parent_continues() {
            self.groups.leave(fork.parent);
        }
    }

    /// The state that the adviser would run, if it is one of the least travelled, and its subpath.
    fn advised(&mut self, view: &dyn View, rng: &mut Rng) -> Option<(StateId, SubpathId)> {
        let adviser = self.adviser.as_mut()?;
        (0..MOST_QUESTIONS).find_map(|_| match adviser.pick(view, rng) {
            Action::Run { state, .. } => {
                let group = self.groups.group(state)?;
                self.groups.is_least(group).then_some((state, group))
            }
            Action::RandomTest | Action::Stop => None,
        })
    }
}

impl Searcher for Sgs {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        if let Some((state, subpath)) = self.picked.take()
            && delta.suspended.contains(&state)
        {
            self.groups.discount_pick(subpath);
        }
        delta.resumed.iter().for_each(|&state| self.groups.wake(state));
        delta.started.iter().for_each(|&state| self.groups.join(state, Subpaths::start()));
        delta.forks.iter().for_each(|fork| self.fork(fork, view));
        for state in delta.removed() {
            self.groups.leave(state);
            self.parties.remove(&state);
        }
        delta.suspended.iter().for_each(|&state| self.groups.rest(state));
        if let Some(adviser) = &mut self.adviser {
            adviser.update(delta, view);
        }
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        let advised = self.advised(view, rng);
        let Some((state, subpath)) = advised.or_else(|| self.groups.least(rng)) else {
            return Action::Stop;
        };
        self.groups.count_pick(subpath);
        self.picked = Some((state, subpath));
        Action::Run { state, until: Until::TURN }
    }

    fn requirements(&self) -> SearcherRequirements {
        self.adviser
            .as_ref()
            .map_or(SearcherRequirements::default(), |adviser| adviser.requirements())
    }

    fn portfolio_shares(&self) -> Vec<PortfolioShares> {
        self.adviser.as_ref().map_or(Vec::new(), |adviser| adviser.portfolio_shares())
    }
}
