//! `nurs` picks states in proportion to their weights, updates weights when it should, and
//! declares its requirements.

#[allow(dead_code)] // each test file uses only some helpers
mod common;

use std::collections::BTreeMap;

use byway_base::Work;
use byway_base::entity::EntityRef;
use byway_ir::{BlockId, FuncId};
use byway_search::searcher::{Nurs, WeightKind};
use byway_search::{Case, Delta, Location, SearcherRequirements, Site, StateId, StateIds, View};
use common::chances::assert_chances;
use common::searcher;

/// The facts about one state.
#[derive(Copy, Clone, Default)]
struct Fact {
    depth: u32,
    executions: u64,
    on_call_path: u64,
    effort: u64,
    distance: Option<u64>,
    instructions_since_new_coverage: Option<u64>,
}

/// A view with configurable facts.
#[derive(Default)]
struct FactTable {
    facts: BTreeMap<StateId, Fact>,
    epoch: u64,
}

impl FactTable {
    fn fact(&self, state: StateId) -> Fact {
        self.facts.get(&state).copied().unwrap_or_default()
    }
}

impl View for FactTable {
    fn states(&self) -> Vec<StateId> {
        self.facts.keys().copied().collect()
    }
    fn work(&self) -> Work {
        Work::ZERO
    }
    fn location(&self, _: StateId) -> Location {
        Location { func: FuncId::new(0), block: BlockId::new(0) }
    }
    fn depth(&self, state: StateId) -> u32 {
        self.fact(state).depth
    }
    fn is_pending(&self, _: StateId) -> bool {
        false
    }
    fn executions(&self, state: StateId) -> u64 {
        self.fact(state).executions
    }
    fn instructions_on_call_path(&self, state: StateId) -> u64 {
        self.fact(state).on_call_path
    }
    fn solver_effort(&self, state: StateId) -> u64 {
        self.fact(state).effort
    }
    fn distance_to_uncovered(&self, state: StateId) -> Option<u64> {
        self.fact(state).distance
    }
    fn distance_to_target(&self, _: StateId) -> Option<u64> {
        None
    }
    fn distance_in_function(&self, _: StateId) -> Option<u64> {
        None
    }
    fn distances_epoch(&self) -> u64 {
        self.epoch
    }
    fn instructions_since_new_coverage(&self, state: StateId) -> Option<u64> {
        self.fact(state).instructions_since_new_coverage
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
}

fn view_of(facts: &[Fact]) -> (Vec<StateId>, FactTable) {
    let mut ids = StateIds::default();
    let states: Vec<StateId> = facts.iter().map(|_| ids.fresh()).collect();
    let facts = states.iter().copied().zip(facts.iter().copied()).collect();
    (states, FactTable { facts, epoch: 0 })
}

fn proportional(states: &[StateId], weights: &[f64]) -> Vec<(StateId, f64)> {
    let total: f64 = weights.iter().sum();
    states.iter().zip(weights).map(|(&state, weight)| (state, weight / total)).collect()
}

/// Asserts that a searcher draws the states in proportion to the weights.
fn check(spec: &str, facts: &[Fact], weights: &[f64]) {
    let (states, view) = view_of(facts);
    let mut searcher = searcher(&[spec]);
    searcher.update(&Delta::all_of(&view), &view);
    assert_chances(&mut *searcher, &view, &proportional(&states, weights));
}

#[test]
fn depth_favours_the_deep_and_rp_the_shallow() {
    let at = |depth| Fact { depth, ..Fact::default() };
    check("nurs:depth", &[at(1), at(2), at(5), at(12)], &[1.0, 2.0, 5.0, 12.0]);
    check("nurs:rp", &[at(1), at(2), at(3), at(3)], &[0.5, 0.25, 0.125, 0.125]);
    // Far below the smallest `f64`.
    check("nurs:rp", &[at(30_001), at(30_000), at(30_002)], &[0.5, 1.0, 0.25]);
    // Started states have no forks and weight zero, but are picked.
    check("nurs:depth", &[at(0), at(0)], &[1.0, 1.0]);
}

#[test]
fn icnt_and_cpicnt_favour_rarely_executed_code() {
    let ran = |executions, on_call_path| Fact { executions, on_call_path, ..Fact::default() };
    let facts = [ran(0, 3), ran(1, 0), ran(2, 1), ran(5, 10)];
    check("nurs:icnt", &facts, &[1.0, 1.0, 0.25, 0.04]);
    check("nurs:cpicnt", &facts, &[1.0 / 3.0, 1.0, 1.0, 0.1]);
}

#[test]
fn qc_favours_cheap_queries() {
    let cost = |seconds: f64| {
        let effort = (seconds * Nurs::EFFORT_PER_SECOND as f64) as u64;
        Fact { effort, ..Fact::default() }
    };
    let facts = [cost(0.0), cost(0.05), cost(0.2), cost(1.0), cost(4.0)];
    check("nurs:qc", &facts, &[1.0, 1.0, 5.0, 1.0, 0.25]);
}

#[test]
fn md2u_and_covnew_favour_states_near_uncovered_code() {
    let at = |distance, instructions_since_new_coverage| Fact {
        distance,
        instructions_since_new_coverage,
        ..Fact::default()
    };
    let facts = [at(Some(1), None), at(Some(2), Some(0)), at(None, Some(1_002)), at(Some(3), None)];
    let nowhere = 1.0 / (Nurs::UNREACHABLE_DISTANCE as f64).powi(2);
    let [one, half, third] = [1.0, 0.25, 1.0 / 9.0];
    let near = [at(Some(1), None), at(Some(2), Some(0)), at(Some(3), None)];
    check("nurs:md2u", &near, &[one, half, third]);
    check("nurs:md2u", &[at(None, None), at(None, Some(7))], &[nowhere, nowhere]);
    check("nurs:covnew", &facts, &[one, half + 1.0, nowhere + 0.25, third]);
}

#[test]
fn a_weight_is_updated_when_its_state_ran() {
    let at = |executions| Fact { executions, ..Fact::default() };
    let (states, mut view) = view_of(&[at(1), at(1), at(1)]);
    let mut searcher = searcher(&["nurs:icnt"]);
    searcher.update(&Delta::all_of(&view), &view);
    view.facts.values_mut().for_each(|fact| fact.executions = 2);
    searcher.update(&Delta { ran: Some(states[1]), ..Delta::default() }, &view);
    assert_chances(&mut *searcher, &view, &proportional(&states, &[1.0, 0.25, 1.0]));
    // A state that ran and ended is not inserted again.
    let ended = Delta { ran: Some(states[0]), ended: vec![states[0]], ..Delta::default() };
    searcher.update(&ended, &view);
    assert_chances(&mut *searcher, &view, &proportional(&states[1..], &[0.25, 1.0]));
}

#[test]
fn new_distances_update_all_weights() {
    let at = |distance| Fact { distance: Some(distance), ..Fact::default() };
    let (states, mut view) = view_of(&[at(1), at(1), at(4)]);
    let mut searcher = searcher(&["nurs:md2u"]);
    searcher.update(&Delta::all_of(&view), &view);
    view.facts.values_mut().for_each(|fact| fact.distance = Some(2));
    view.facts.insert(states[0], at(1));
    searcher.update(&Delta::default(), &view);
    let expected = proportional(&states, &[1.0, 1.0, 1.0 / 16.0]);
    assert_chances(&mut *searcher, &view, &expected);
    view.epoch += 1;
    searcher.update(&Delta::default(), &view);
    assert_chances(&mut *searcher, &view, &proportional(&states, &[1.0, 0.25, 0.25]));
}

#[test]
fn wrappers_pass_on_the_requirements_of_inner_searchers() {
    let required = |spec: &str| searcher(&[spec]).requirements();
    let executions = SearcherRequirements { executions: true, ..SearcherRequirements::default() };
    let call_paths = SearcherRequirements { call_paths: true, ..SearcherRequirements::default() };
    let distances = SearcherRequirements { distances: true, ..SearcherRequirements::default() };
    for plain in ["dfs", "bfs", "random-state", "random-path", "nurs:depth", "nurs:rp", "nurs:qc"] {
        assert_eq!(required(plain), SearcherRequirements::default(), "{plain}");
    }
    assert_eq!(required("nurs:icnt"), executions);
    assert_eq!(required("batch(nurs:cpicnt)"), call_paths);
    assert_eq!(required("klee-default"), distances);
    let both = required("interleave(batch(nurs:icnt), dfs, nurs:md2u)");
    assert_eq!(both, executions.and(distances));
    assert_eq!(searcher(&["nurs:icnt", "nurs:covnew"]).requirements(), executions.and(distances));
}

#[test]
fn every_weight_is_found_by_its_name() {
    for measure in WeightKind::ALL {
        assert_eq!(WeightKind::by_name(measure.name()), Some(measure));
    }
    assert_eq!(WeightKind::by_name("dfs"), None);
}
