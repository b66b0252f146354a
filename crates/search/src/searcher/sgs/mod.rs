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

mod crowd;
mod drawn;
mod lined;

use std::num::NonZeroUsize;

use byway_base::Rng;
use rustc_hash::FxHashMap;

use self::crowd::Crowd;
use self::drawn::Drawn;
use self::lined::Lined;
use super::subpaths::{SubpathId, Subpaths};
use crate::{
    Action, Delta, Fork, PortfolioShares, Searcher, SearcherRequirements, StateId, Until, View,
};

/// How often a searcher that decides between equals is asked: it may answer with a
/// state that is none of them, and another time with one that is.
const MOST_QUESTIONS: usize = 8;

/// Who is picked among states whose subpaths were picked equally often.
pub enum Ties {
    /// Any, each with the same chance.
    Random,
    /// The last in line, as in depth-first search.
    Latest,
    /// The one that a searcher would run, where it is one of them; else any.
    Searcher(Box<dyn Searcher>),
}

/// Which forks make up a subpath.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Forks {
    /// Those in the user's own code.
    Own,
    /// Those in libraries, too.
    All,
}

/// Picks a state on the least travelled subpath.
pub struct Sgs {
    subpaths: Subpaths,
    forks: Forks,
    crowd: Box<dyn Crowd>,
    /// Of a state that stands for several ways of a fork, the subpath before that fork.
    parties: FxHashMap<StateId, SubpathId>,
    adviser: Option<Box<dyn Searcher>>,
    /// What was picked last, and its subpath; if it is put to rest, nobody went there.
    picked: Option<(StateId, SubpathId)>,
}

impl Sgs {
    /// By subpaths of that length, made up of these forks.
    pub fn new(length: NonZeroUsize, forks: Forks, ties: Ties) -> Sgs {
        let (crowd, adviser): (Box<dyn Crowd>, _) = match ties {
            Ties::Random => (Box::<Drawn>::default(), None),
            Ties::Latest => (Box::<Lined>::default(), None),
            Ties::Searcher(searcher) => (Box::<Drawn>::default(), Some(searcher)),
        };
        let subpaths = Subpaths::new(length.get());
        Sgs { subpaths, forks, crowd, parties: FxHashMap::default(), adviser, picked: None }
    }

    fn fork(&mut self, fork: &Fork, view: &dyn View) {
        // A single way was no choice, unless it is what is left of one.
        let counts = (fork.successors.len() > 1 || fork.splits_group)
            && (self.forks == Forks::All || view.is_user_code(fork.site.location.func));
        let party = self.parties.remove(&fork.parent);
        let before = match fork.splits_group && counts {
            true => party,
            false => self.crowd.group(fork.parent),
        };
        let before = before.unwrap_or(Subpaths::start());
        self.crowd.part(fork);
        for child in &fork.successors {
            let group = match counts {
                true => self.subpaths.after(before, fork.site, child.case),
                false => before,
            };
            self.crowd.join(child.state, group);
            if counts && !child.grouped_cases.is_empty() {
                self.parties.insert(child.state, before);
            }
        }
        if !fork.parent_continues() {
            self.crowd.leave(fork.parent);
        }
    }

    /// The state that the adviser would run, if it is one of the least travelled, and its subpath.
    fn advised(&mut self, view: &dyn View, rng: &mut Rng) -> Option<(StateId, SubpathId)> {
        let adviser = self.adviser.as_mut()?;
        (0..MOST_QUESTIONS).find_map(|_| match adviser.pick(view, rng) {
            Action::Run { state, .. } => {
                let group = self.crowd.group(state)?;
                self.crowd.is_least(group).then_some((state, group))
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
            self.crowd.discount_pick(subpath);
        }
        delta.resumed.iter().for_each(|&state| self.crowd.wake(state));
        delta.started.iter().for_each(|&state| self.crowd.join(state, Subpaths::start()));
        delta.forks.iter().for_each(|fork| self.fork(fork, view));
        for state in delta.removed() {
            self.crowd.leave(state);
            self.parties.remove(&state);
        }
        delta.suspended.iter().for_each(|&state| self.crowd.rest(state));
        if let Some(adviser) = &mut self.adviser {
            adviser.update(delta, view);
        }
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        let advised = self.advised(view, rng);
        let Some((state, subpath)) = advised.or_else(|| self.crowd.least(rng)) else {
            return Action::Stop;
        };
        self.crowd.count_pick(subpath);
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
