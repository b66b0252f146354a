//! What steers towards new code: sides nobody has gone come first, states that cost the
//! solver much wait, and libraries' forks are left out of subpaths on request.

#[allow(dead_code)] // each test file uses a part of it
mod common;

use std::collections::BTreeSet;

use byway_base::entity::EntityRef;
use byway_base::{Rng, Work};
use byway_ir::{BlockId, FuncId};
use byway_search::{
    Action, Case, Decision, Delta, Fork, Location, NewCoverage, Searcher, Site, StateId, StateIds,
    Successor, View,
};
use common::chances::assert_chances;
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
    fn instructions_since_new_coverage(&self, _: StateId) -> Option<u64> {
        None
    }
    fn is_at_uncovered(&self, state: StateId) -> bool {
        self.before_news.contains(&state)
    }
    /// The first function is the user's, all others are a library's.
    fn is_user_code(&self, func: FuncId) -> bool {
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
        Action::Stop | Action::RandomTest => None,
    }
}

fn ran(state: StateId) -> Delta {
    Delta { ran: Some(state), ..Delta::default() }
}

/// A fork in a function into the state itself and another.
fn fork(parent: StateId, other: StateId, func: usize) -> Delta {
    let site = Site { location: here(func), inst: None, decision: Decision::Branch };
    let children = [(Case::TRUE, parent), (Case::FALSE, other)]
        .map(|(case, state)| Successor { case, grouped_cases: Vec::new(), state })
        .into();
    Delta {
        forks: vec![Fork { parent, site, splits_group: false, successors: children }],
        ..ran(parent)
    }
}

#[test]
fn what_is_new_comes_first_and_the_newest_of_it() {
    let [a, b, c, d] = states();
    let mut view = Said { states: vec![a, b, c, d], ..Said::default() };
    view.before_news = [b, c].into();
    let mut searcher = searcher(&["uncovered-first(bfs)"]);
    searcher.update(&Delta::all_of(&view), &view);
    assert_eq!(picked(&mut *searcher, &view), Some(c));
    view.before_news = [b].into();
    let news = vec![NewCoverage { state: c, location: here(0) }];
    searcher.update(&Delta { new_coverage: news, ..ran(c) }, &view);
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
    let mut searcher = searcher(&["uncovered-first(bfs)"]);
    searcher.update(&Delta::all_of(&view), &view);
    view.before_news.clear();
    assert_eq!(picked(&mut *searcher, &view), Some(a));
}

#[test]
fn dear_states_wait_until_nothing_else_is_left() {
    let [a, b, c] = states();
    let mut view = Said { states: vec![a], ..Said::default() };
    let mut searcher = searcher(&["cost-limited(dfs)"]);
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
    let mut searcher = searcher(&["cost-limited(dfs)"]);
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

/// What a dear state before something new comes to is heard of inside, and counted.
#[test]
fn dear_states_go_on_to_what_is_new() {
    let [a, b, c] = states();
    for spec in [
        "auto",
        "cost-limited(uncovered-first(dfs))",
        "cost-limited(uncovered-first(random-path))",
        "cost-limited(portfolio(uncovered-first(bfs), uncovered-first(sgs:2)))",
    ] {
        let mut view = Said { states: vec![a, b], dear: [b].into(), ..Said::default() };
        view.before_news = [b].into();
        let mut searcher = searcher(&[spec]);
        searcher.update(&Delta::all_of(&view), &view);
        assert_eq!(picked(&mut *searcher, &view), Some(b), "{spec}");
        let news = |state| vec![NewCoverage { state, location: here(0) }];
        view.states = vec![a, b, c];
        view.dear = [b, c].into();
        view.before_news = [c].into();
        view.work = Work(100);
        searcher.update(&Delta { new_coverage: news(b), ..fork(b, c, 0) }, &view);
        assert_eq!(picked(&mut *searcher, &view), Some(c), "{spec}");
        view.before_news.clear();
        view.work = Work(200);
        searcher.update(&Delta { new_coverage: news(c), ..ran(c) }, &view);
        // Nothing is new any more, and both are dear.
        assert_eq!(picked(&mut *searcher, &view), Some(a), "{spec}");
        let shares =
            searcher.portfolio_shares().into_iter().flat_map(|ledger| ledger.slices).flatten();
        let gained: u64 = shares.map(|share| share.gained).sum();
        let shared = spec == "auto" || spec.contains("portfolio");
        assert_eq!(gained, if shared { 2 } else { 0 }, "{spec}");
    }
}

/// Whoever wakes stands in the tree where it stood.
#[test]
fn a_random_path_leads_to_woken_states_as_before() {
    let [x, w, z, y] = states();
    let mut view = Said { states: vec![x, w, z, y], dear: [x, y].into(), ..Said::default() };
    let mut searcher = searcher(&["cost-limited(random-path)"]);
    searcher.update(&Delta { started: vec![x], ..Delta::default() }, &view);
    [w, z, y].into_iter().for_each(|other| searcher.update(&fork(x, other, 0), &view));
    assert_chances(&mut *searcher, &view, &[(w, 0.5), (z, 0.5)]);
    view.work = Work(1_000_000_000);
    assert_chances(&mut *searcher, &view, &[(w, 0.5), (z, 0.25), (x, 0.125), (y, 0.125)]);
    // And again, with less than it was.
    view.work = Work(0);
    searcher.update(&Delta { ended: vec![w], ..ran(w) }, &view);
    view.dear = [x, z].into();
    (0..20).for_each(|_| assert_eq!(picked(&mut *searcher, &view), Some(y)));
    view.work = Work(1_000_000_000);
    assert_chances(&mut *searcher, &view, &[(z, 0.5), (x, 0.25), (y, 0.25)]);
}

/// A pick that was put to rest travelled nowhere, and whoever wakes is on the subpath and in
/// the place in line that it had.
#[test]
fn woken_states_are_as_little_travelled_as_they_were() {
    let [a, b] = states();
    let mut view = Said { states: vec![a], dear: [b].into(), ..Said::default() };
    let mut searcher = searcher(&["cost-limited(sgs:1(latest))"]);
    searcher.update(&Delta::all_of(&view), &view);
    assert_eq!(picked(&mut *searcher, &view), Some(a));
    let mut split = fork(a, b, 0);
    split.forks[0].successors[0].state = b;
    split.forks[0].successors[1].state = a;
    searcher.update(&split, &view);
    for _ in 0..5 {
        assert_eq!(picked(&mut *searcher, &view), Some(a));
        searcher.update(&ran(a), &view);
    }
    view.work = Work(1_000_000_000);
    for expected in [b, b, b, b, b, a, b, a] {
        assert_eq!(picked(&mut *searcher, &view), Some(expected));
        searcher.update(&ran(expected), &view);
    }
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
