//! What steers towards new code: sides nobody has gone come first, states that cost the
//! solver much wait, and libraries' forks are left out of subpaths on request.

#[allow(dead_code)] // each test file uses a part of it
mod common;

use std::collections::BTreeSet;

use byway_base::entity::EntityRef;
use byway_base::{Rng, Work};
use byway_ir::{BlockId, FuncId};
use byway_search::{
    Action, Case, Child, Covered, Decision, Delta, Fork, Location, Searcher, Site, StateId,
    StateIds, View,
};
use common::searcher;

/// States of which it is said who stands before something new, and what each cost.
#[derive(Default)]
struct Said {
    states: Vec<StateId>,
    before_news: BTreeSet<StateId>,
    dear: BTreeSet<StateId>,
    work: Work,
}

impl View for Said {
    fn states(&self) -> Vec<StateId> {
        self.states.clone()
    }
    fn work(&self) -> Work {
        self.work
    }
    fn location(&self, _: StateId) -> Location {
        here(0)
    }
    fn depth(&self, _: StateId) -> u32 {
        0
    }
    fn is_pending(&self, _: StateId) -> bool {
        false
    }
    fn executions(&self, _: StateId) -> u64 {
        0
    }
    fn instructions_on_call_path(&self, _: StateId) -> u64 {
        0
    }
    fn solver_effort(&self, state: StateId) -> u64 {
        if self.dear.contains(&state) { 5_000 } else { 10 }
    }
    fn distance_to_uncovered(&self, _: StateId) -> Option<u64> {
        None
    }
    fn distances_epoch(&self) -> u64 {
        0
    }
    fn since_news(&self, _: StateId) -> Option<u64> {
        None
    }
    fn is_before_news(&self, state: StateId) -> bool {
        self.before_news.contains(&state)
    }
    /// The first function is the user's, all others are a library's.
    fn is_users(&self, func: FuncId) -> bool {
        func.index() == 0
    }
    fn is_forced(&self, _: Site, _: Case, _: Location) -> bool {
        false
    }
}

fn here(func: usize) -> Location {
    Location { func: FuncId::new(func), block: BlockId::new(0) }
}

fn states<const N: usize>() -> [StateId; N] {
    let mut ids = StateIds::default();
    std::array::from_fn(|_| ids.fresh())
}

fn picked(searcher: &mut dyn Searcher, view: &Said) -> Option<StateId> {
    match searcher.pick(view, &mut Rng::new(1)) {
        Action::Run { state, .. } => Some(state),
        Action::Stop | Action::Test => None,
    }
}

fn ran(state: StateId) -> Delta {
    Delta { ran: Some(state), ..Delta::default() }
}

/// A fork in a function into the state itself and another.
fn fork(parent: StateId, other: StateId, func: usize) -> Delta {
    let site = Site { location: here(func), inst: None, decision: Decision::Branch };
    let children = [(Case::TRUE, parent), (Case::FALSE, other)]
        .map(|(case, state)| Child { case, others: Vec::new(), state })
        .into();
    Delta { forks: vec![Fork { parent, site, again: false, children }], ..ran(parent) }
}

#[test]
fn what_is_new_comes_first_and_the_newest_of_it() {
    let [a, b, c, d] = states();
    let mut view = Said { states: vec![a, b, c, d], ..Said::default() };
    view.before_news = [b, c].into();
    let mut searcher = searcher(&["frontier(bfs)"]);
    searcher.update(&Delta::all_of(&view), &view);
    assert_eq!(picked(&mut *searcher, &view), Some(c));
    view.before_news = [b].into();
    let news = vec![Covered { state: c, location: here(0) }];
    searcher.update(&Delta { covered: news, ..ran(c) }, &view);
    assert_eq!(picked(&mut *searcher, &view), Some(b));
    // Nothing came of it: the other searcher has its turn, and then nothing new is left.
    view.before_news = [d].into();
    searcher.update(&ran(b), &view);
    assert_eq!(picked(&mut *searcher, &view), Some(a));
    // Who was not next to something new when it came may be so after it ran.
    searcher.update(&ran(d), &view);
    assert_eq!(picked(&mut *searcher, &view), Some(d));
}

#[test]
fn somebody_else_was_there_before() {
    let [a, b] = states();
    let mut view = Said { states: vec![a, b], ..Said::default() };
    view.before_news = [b].into();
    let mut searcher = searcher(&["frontier(bfs)"]);
    searcher.update(&Delta::all_of(&view), &view);
    view.before_news.clear();
    assert_eq!(picked(&mut *searcher, &view), Some(a));
}

#[test]
fn dear_states_wait_until_nothing_else_is_left() {
    let [a, b, c] = states();
    let mut view = Said { states: vec![a], ..Said::default() };
    let mut searcher = searcher(&["thrifty(dfs)"]);
    searcher.update(&Delta::all_of(&view), &view);
    // The newest would be the first, but it is dear.
    view.states = vec![a, b];
    view.dear = [b].into();
    searcher.update(&fork(a, b, 0), &view);
    assert_eq!(picked(&mut *searcher, &view), Some(a));
    // Somebody else runs a dear one: what comes of it is dear, too.
    view.dear = [b, c].into();
    searcher.update(&fork(b, c, 0), &view);
    assert_eq!(picked(&mut *searcher, &view), Some(a));
    searcher.update(&Delta { ended: vec![a], ..ran(a) }, &view);
    assert!(picked(&mut *searcher, &view).is_some_and(|state| state != a));
    for state in [b, c] {
        searcher.update(&Delta { ended: vec![state], ..ran(state) }, &view);
    }
    assert_eq!(picked(&mut *searcher, &view), None);
}

#[test]
fn dear_states_come_back_when_more_was_done() {
    let [a, b] = states();
    let mut view = Said { states: vec![a, b], dear: [b].into(), ..Said::default() };
    let mut searcher = searcher(&["thrifty(dfs)"]);
    searcher.update(&Delta::all_of(&view), &view);
    assert_eq!(picked(&mut *searcher, &view), Some(a));
    view.work = Work(1_000_000_000);
    assert_eq!(picked(&mut *searcher, &view), Some(b));
    // It may go while it is aside, too.
    view.work = Work(0);
    searcher.update(&ran(b), &view);
    assert_eq!(picked(&mut *searcher, &view), Some(a));
    searcher.update(&Delta { dropped: vec![b], ..Delta::default() }, &view);
    searcher.update(&Delta { ended: vec![a], ..ran(a) }, &view);
    assert_eq!(picked(&mut *searcher, &view), None);
}

/// Forks in a library make many states, which are one subpath with those they come from.
#[test]
fn forks_of_libraries_count_or_not() {
    let [a, b, c] = states();
    for (spec, expected) in [("sgs:1/own(latest)", a), ("sgs:1/all(latest)", c)] {
        let mut view = Said { states: vec![a], ..Said::default() };
        let mut searcher = searcher(&[spec]);
        searcher.update(&Delta::all_of(&view), &view);
        view.states = vec![a, b];
        searcher.update(&fork(a, b, 0), &view);
        // The false side is picked, and forks in a library.
        assert_eq!(picked(&mut *searcher, &view), Some(b));
        view.states = vec![a, b, c];
        searcher.update(&fork(b, c, 1), &view);
        // The true side was never picked; nor, if libraries count, were the new ones.
        assert_eq!(picked(&mut *searcher, &view), Some(expected), "{spec}");
    }
}
