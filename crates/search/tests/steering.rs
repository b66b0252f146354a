//! Steering towards new code: uncovered branch sides come first, expensive states wait, and
//! subpaths can ignore forks in libraries.

#[allow(dead_code)] // each test file uses only some helpers
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

/// A view with configurable states at uncovered branch sides and expensive states.
#[derive(Default)]
struct SteeringView {
    states: Vec<StateId>,
    at_uncovered: BTreeSet<StateId>,
    expensive: BTreeSet<StateId>,
    /// Effort that expensive states cost since they became expensive.
    further_effort: u64,
    work: Work,
}

impl View for SteeringView {
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
        if self.expensive.contains(&state) { 5_000 + self.further_effort } else { 10 }
    }
    fn distance_to_uncovered(&self, _: StateId) -> Option<u64> {
        None
    }
    fn distance_to_target(&self, _: StateId) -> Option<u64> {
        None
    }
    fn distance_in_function(&self, _: StateId) -> Option<u64> {
        None
    }
    fn distances_epoch(&self) -> u64 {
        0
    }
    fn instructions_since_new_coverage(&self, _: StateId) -> Option<u64> {
        None
    }
    fn is_at_uncovered(&self, state: StateId) -> bool {
        self.at_uncovered.contains(&state)
    }
    /// Function 0 is user code, all others are library code.
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

fn picked(searcher: &mut dyn Searcher, view: &SteeringView) -> Option<StateId> {
    match searcher.pick(view, &mut Rng::new(1)) {
        Action::Run { state, .. } => Some(state),
        _ => None,
    }
}

fn ran(state: StateId) -> Delta {
    Delta { ran: Some(state), ..Delta::default() }
}

/// A fork in a function into the parent and another state.
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
fn the_newest_state_at_an_uncovered_side_comes_first() {
    let [a, b, c, d] = states();
    let mut view = SteeringView { states: vec![a, b, c, d], ..SteeringView::default() };
    view.at_uncovered = [b, c].into();
    let mut searcher = searcher(&["uncovered-first(bfs)"]);
    searcher.update(&Delta::all_of(&view), &view);
    assert_eq!(picked(&mut *searcher, &view), Some(c));
    view.at_uncovered = [b].into();
    let news = vec![NewCoverage { state: c, location: here(0) }];
    searcher.update(&Delta { new_coverage: news, ..ran(c) }, &view);
    assert_eq!(picked(&mut *searcher, &view), Some(b));
    // It covered nothing: the inner searcher picks once.
    view.at_uncovered = [d].into();
    searcher.update(&ran(b), &view);
    assert_eq!(picked(&mut *searcher, &view), Some(a));
    // A state can reach an uncovered side when it runs.
    searcher.update(&ran(d), &view);
    assert_eq!(picked(&mut *searcher, &view), Some(d));
}

#[test]
fn a_side_that_another_state_covered_does_not_count() {
    let [a, b] = states();
    let mut view = SteeringView { states: vec![a, b], ..SteeringView::default() };
    view.at_uncovered = [b].into();
    let mut searcher = searcher(&["uncovered-first(bfs)"]);
    searcher.update(&Delta::all_of(&view), &view);
    view.at_uncovered.clear();
    assert_eq!(picked(&mut *searcher, &view), Some(a));
}

#[test]
fn expensive_states_wait_until_nothing_else_is_left() {
    let [a, b, c] = states();
    let mut view = SteeringView { states: vec![a], ..SteeringView::default() };
    let mut searcher = searcher(&["cost-limited(dfs)"]);
    searcher.update(&Delta::all_of(&view), &view);
    // The newest would be the first, but it is expensive.
    view.states = vec![a, b];
    view.expensive = [b].into();
    searcher.update(&fork(a, b, 0), &view);
    assert_eq!(picked(&mut *searcher, &view), Some(a));
    // Another searcher runs an expensive state: its successor is expensive, too.
    view.expensive = [b, c].into();
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
fn expensive_states_resume_when_more_work_is_done() {
    let [a, b] = states();
    let mut view =
        SteeringView { states: vec![a, b], expensive: [b].into(), ..SteeringView::default() };
    let mut searcher = searcher(&["cost-limited(dfs)"]);
    searcher.update(&Delta::all_of(&view), &view);
    assert_eq!(picked(&mut *searcher, &view), Some(a));
    view.work = Work(1_000_000_000);
    assert_eq!(picked(&mut *searcher, &view), Some(b));
    // It can be removed while it is suspended.
    view.work = Work(0);
    searcher.update(&ran(b), &view);
    assert_eq!(picked(&mut *searcher, &view), Some(a));
    searcher.update(&Delta { dropped: vec![b], ..Delta::default() }, &view);
    searcher.update(&Delta { ended: vec![a], ..ran(a) }, &view);
    assert_eq!(picked(&mut *searcher, &view), None);
}

/// The inner searchers receive the new coverage of expensive states and count it.
#[test]
fn expensive_states_run_if_they_are_at_an_uncovered_side() {
    let [a, b, c] = states();
    for spec in [
        "auto",
        "cost-limited(uncovered-first(dfs))",
        "cost-limited(uncovered-first(random-path))",
        "cost-limited(portfolio(uncovered-first(bfs), uncovered-first(sgs:2)))",
    ] {
        let mut view =
            SteeringView { states: vec![a, b], expensive: [b].into(), ..SteeringView::default() };
        view.at_uncovered = [b].into();
        let mut searcher = searcher(&[spec]);
        searcher.update(&Delta::all_of(&view), &view);
        assert_eq!(picked(&mut *searcher, &view), Some(b), "{spec}");
        let news = |state| vec![NewCoverage { state, location: here(0) }];
        view.states = vec![a, b, c];
        view.expensive = [b, c].into();
        view.at_uncovered = [c].into();
        view.work = Work(100);
        searcher.update(&Delta { new_coverage: news(b), ..fork(b, c, 0) }, &view);
        assert_eq!(picked(&mut *searcher, &view), Some(c), "{spec}");
        view.at_uncovered.clear();
        view.work = Work(200);
        searcher.update(&Delta { new_coverage: news(c), ..ran(c) }, &view);
        // Nothing is new any more, and both are expensive.
        assert_eq!(picked(&mut *searcher, &view), Some(a), "{spec}");
        let shares =
            searcher.portfolio_shares().into_iter().flat_map(|record| record.slices).flatten();
        let gained: u64 = shares.map(|share| share.gained).sum();
        // `auto` is a portfolio in a portfolio, and each records what it gained.
        let portfolios = if spec == "auto" { 2 } else { spec.matches("portfolio").count() as u64 };
        assert_eq!(gained, 2 * portfolios, "{spec}");
    }
}

/// A side that no query reaches must not stop all other states.
#[test]
fn expensive_states_at_an_uncovered_side_wait_once_they_have_cost_too_much() {
    let [a, b] = states();
    for spec in ["auto", "cost-limited(uncovered-first(dfs))"] {
        let mut view =
            SteeringView { states: vec![a, b], expensive: [b].into(), ..SteeringView::default() };
        view.at_uncovered = [b].into();
        let mut searcher = searcher(&[spec]);
        searcher.update(&Delta::all_of(&view), &view);
        let mut runs = 0;
        while picked(&mut *searcher, &view) == Some(b) && runs < 100 {
            runs += 1;
            view.further_effort += 3_000;
            searcher.update(&ran(b), &view);
        }
        assert_eq!(runs, 4, "{spec}");
        // It is not forgotten.
        searcher.update(&Delta { ended: vec![a], ..ran(a) }, &view);
        assert_eq!(picked(&mut *searcher, &view), Some(b), "{spec}");
    }
}

/// A resumed state returns to its position in the tree.
#[test]
fn random_path_keeps_the_probabilities_of_resumed_states() {
    let [x, w, z, y] = states();
    let mut view = SteeringView {
        states: vec![x, w, z, y],
        expensive: [x, y].into(),
        ..SteeringView::default()
    };
    let mut searcher = searcher(&["cost-limited(random-path)"]);
    searcher.update(&Delta { started: vec![x], ..Delta::default() }, &view);
    [w, z, y].into_iter().for_each(|other| searcher.update(&fork(x, other, 0), &view));
    assert_chances(&mut *searcher, &view, &[(w, 0.5), (z, 0.5)]);
    view.work = Work(1_000_000_000);
    assert_chances(&mut *searcher, &view, &[(w, 0.5), (z, 0.25), (x, 0.125), (y, 0.125)]);
    // Once more, in a smaller tree.
    view.work = Work(0);
    searcher.update(&Delta { ended: vec![w], ..ran(w) }, &view);
    view.expensive = [x, z].into();
    (0..20).for_each(|_| assert_eq!(picked(&mut *searcher, &view), Some(y)));
    view.work = Work(1_000_000_000);
    assert_chances(&mut *searcher, &view, &[(z, 0.5), (x, 0.25), (y, 0.25)]);
}

/// A suspended pick does not count, and a resumed state returns to its subpath and its
/// position in the queue.
#[test]
fn resumed_states_keep_their_pick_counts() {
    let [a, b] = states();
    let mut view =
        SteeringView { states: vec![a], expensive: [b].into(), ..SteeringView::default() };
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

/// With `/own`, forks in a library do not change the subpath.
#[test]
fn forks_in_libraries_count_only_on_request() {
    let [a, b, c] = states();
    for (spec, expected) in [("sgs:1/own(latest)", a), ("sgs:1/all(latest)", c)] {
        let mut view = SteeringView { states: vec![a], ..SteeringView::default() };
        let mut searcher = searcher(&[spec]);
        searcher.update(&Delta::all_of(&view), &view);
        view.states = vec![a, b];
        searcher.update(&fork(a, b, 0), &view);
        // The false case is picked, and forks in a library.
        assert_eq!(picked(&mut *searcher, &view), Some(b));
        view.states = vec![a, b, c];
        searcher.update(&fork(b, c, 1), &view);
        // The true case was never picked; nor were the new states, if libraries count.
        assert_eq!(picked(&mut *searcher, &view), Some(expected), "{spec}");
    }
}
