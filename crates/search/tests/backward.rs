//! Backward search: whose turn it is among the origins of paths.

#[allow(dead_code)] // each test file uses only some helpers
mod common;

use byway_base::entity::EntityRef;
use byway_base::{Rng, Work};
use byway_ir::{BlockId, FuncId};
use byway_search::{
    Action, Case, Delta, Location, OriginId, Searcher, Site, StateId, StateIds, Until, View,
};
use common::searcher;

/// States whose origins are configurable: origin `n` is `n` calls from the program's entry.
#[derive(Default)]
struct OriginView {
    origins: Vec<(StateId, OriginId)>,
    is_entry_reached: bool,
    has_backward_work: bool,
    work: Work,
}

impl View for OriginView {
    fn states(&self) -> Vec<StateId> {
        self.origins.iter().map(|&(state, _)| state).collect()
    }
    fn work(&self) -> Work {
        self.work
    }
    fn location(&self, _: StateId) -> Location {
        Location { func: FuncId::new(0), block: BlockId::new(0) }
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
    fn solver_effort(&self, _: StateId) -> u64 {
        0
    }
    fn distance_to_uncovered(&self, _: StateId) -> Option<u64> {
        None
    }
    fn distances_epoch(&self) -> u64 {
        0
    }
    fn distance_to_target(&self, _: StateId) -> Option<u64> {
        None
    }
    fn distance_in_function(&self, _: StateId) -> Option<u64> {
        None
    }
    fn instructions_since_new_coverage(&self, _: StateId) -> Option<u64> {
        None
    }
    fn is_at_uncovered(&self, _: StateId) -> bool {
        false
    }
    fn is_user_code(&self, _: FuncId) -> bool {
        true
    }
    fn is_forced(&self, _: Site, _: Case, _: Location) -> bool {
        false
    }
    fn origin(&self, state: StateId) -> OriginId {
        let own = self.origins.iter().find(|(it, _)| *it == state);
        own.map_or(OriginId::ENTRY, |&(_, origin)| origin)
    }
    fn calls_from_entry(&self, origin: OriginId) -> u32 {
        origin.0
    }
    fn has_backward_work(&self) -> bool {
        self.has_backward_work
    }
    fn is_entry_reached(&self) -> bool {
        self.is_entry_reached
    }
}

/// One state for each of the origins, reported to a searcher.
fn start(specs: &[&str], origins: &[u32]) -> (Box<dyn Searcher>, OriginView, Vec<StateId>) {
    let mut ids = StateIds::default();
    let origins: Vec<_> = origins.iter().map(|&number| (ids.fresh(), OriginId(number))).collect();
    let states = origins.iter().map(|&(state, _)| state).collect();
    let view = OriginView { origins, ..OriginView::default() };
    let mut searcher = searcher(specs);
    searcher.update(&Delta::all_of(&view), &view);
    (searcher, view, states)
}

fn picked(searcher: &mut dyn Searcher, view: &OriginView) -> Option<StateId> {
    match searcher.pick(view, &mut Rng::new(1)) {
        Action::Run { state, .. } => Some(state),
        _ => None,
    }
}

#[test]
fn the_origin_nearest_to_the_entry_comes_first() {
    let (searcher, view, states) = start(&["ccbse(dfs)"], &[3, 1, 2]);
    let mut backward = searcher.backward_searcher().expect("it searches backward");
    backward.update(&Delta::all_of(&view), &view);
    assert_eq!(picked(&mut *backward, &view), Some(states[1]));
    let ended = Delta { ran: Some(states[1]), ended: vec![states[1]], ..Delta::default() };
    backward.update(&ended, &view);
    assert_eq!(picked(&mut *backward, &view), Some(states[2]));
}

#[test]
fn the_entry_waits_for_the_backward_search() {
    let (mut searcher, mut view, states) = start(&["ccbse"], &[0]);
    let mut pick = |view: &OriginView| searcher.pick(view, &mut Rng::new(1));
    view.has_backward_work = true;
    assert_eq!(pick(&view), Action::SearchBackward);
    view.is_entry_reached = true;
    assert_eq!(pick(&view), Action::Run { state: states[0], until: Until::TURN });
    // Nothing is left to search backward.
    view.has_backward_work = false;
    view.is_entry_reached = false;
    assert_eq!(pick(&view), Action::Run { state: states[0], until: Until::TURN });
}

#[test]
fn forward_and_backward_search_share_the_work_equally() {
    let (mut searcher, mut view, states) = start(&["mix-ccbse(dfs)"], &[0]);
    view.has_backward_work = true;
    let mut spent = [0; 2];
    for _ in 0..1_000 {
        let action = searcher.pick(&view, &mut Rng::new(1));
        let is_backward = action == Action::SearchBackward;
        // A backward turn costs three times as much.
        let cost = if is_backward { 300 } else { 100 };
        spent[usize::from(is_backward)] += cost;
        view.work += Work(cost);
        let ran = (!is_backward).then_some(states[0]);
        searcher.update(&Delta { ran, ..Delta::default() }, &view);
    }
    assert!(u64::abs_diff(spent[0], spent[1]) <= 300, "{spent:?}");
}

#[test]
fn a_mixture_finds_the_member_that_searches_backward() {
    for spec in ["portfolio(auto, mix-ccbse)", "interleave(dfs, ccbse)", "batch(ccbse(bfs))"] {
        let searcher = searcher(&[spec]);
        assert!(searcher.requirements().backward, "{spec}");
        assert!(searcher.backward_searcher().is_some(), "{spec}");
    }
    assert!(searcher(&["auto"]).backward_searcher().is_none());
}

#[test]
fn searchers_that_run_whole_inputs_are_refused() {
    for (spec, reason) in [
        ("ccbse(dart)", "it runs whole inputs"),
        ("mix-ccbse(generational)", "it runs whole inputs"),
        ("ccbse(ccbse)", "it searches backward itself"),
        ("ccbse(dfs, bfs)", "takes one searcher"),
        ("ccbse:3", "takes no argument"),
    ] {
        let error = byway_search::build(&[spec]).err().expect("refused").to_string();
        assert!(error.contains(reason), "{error}");
    }
}
