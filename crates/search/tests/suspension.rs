//! `cost-limited` suspends states by the rules of the protocol, and explores every path once
//! with any inner searcher.

#[allow(dead_code)] // each test file uses only some helpers
mod common;

use std::cell::Cell;
use std::rc::Rc;

use byway_base::Rng;
use byway_search::searcher::{CostLimited, Interleave};
use byway_search::simulate::{ExecutionTree, SimulationOptions, explore};
use byway_search::{Action, Delta, Protocol, Searcher, SearcherRequirements, StateId, Until, View};
use common::{ALL, searcher, tree};

/// Wraps a searcher, checks the protocol on both sides, and counts suspensions.
struct CheckedSearcher {
    searcher: Box<dyn Searcher>,
    protocol: Protocol,
    suspensions: Rc<Cell<usize>>,
}

impl CheckedSearcher {
    fn new(specs: &[&str], suspensions: &Rc<Cell<usize>>) -> Box<CheckedSearcher> {
        let (searcher, suspensions) = (searcher(specs), Rc::clone(suspensions));
        Box::new(CheckedSearcher { searcher, protocol: Protocol::default(), suspensions })
    }
}

impl Searcher for CheckedSearcher {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        self.protocol.update(delta).unwrap_or_else(|broken| panic!("{broken}"));
        self.suspensions.set(self.suspensions.get() + delta.suspended.len());
        self.searcher.update(delta, view);
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        let action = self.searcher.pick(view, rng);
        self.protocol.pick(&action).unwrap_or_else(|broken| panic!("{broken}"));
        action
    }

    fn requirements(&self) -> SearcherRequirements {
        self.searcher.requirements()
    }
}

/// A program of few blocks, so that few states are at uncovered blocks. The simulation
/// chooses the query costs of a block: from zero to twice the free effort.
fn small_program(seed: u64) -> ExecutionTree {
    fn grow(rng: &mut Rng, depth: u32, text: &mut String) {
        text.push(char::from(b'a' + rng.below(26) as u8));
        if depth == 0 || rng.chance(0.1) {
            return;
        }
        for child in 0..1 + rng.below(3) {
            text.push(if child == 0 { '(' } else { ',' });
            grow(rng, depth - 1, text);
        }
        text.push(')');
    }
    let mut text = String::new();
    grow(&mut Rng::new(seed), 9, &mut text);
    tree(&text)
}

#[test]
fn both_sides_follow_the_protocol() {
    let suspensions = Rc::new(Cell::new(0));
    for specs in ALL {
        suspensions.set(0);
        for seed in 0..4 {
            let tree = small_program(seed);
            let checked = || CheckedSearcher::new(specs, &suspensions);
            let mut one = CostLimited::new(checked());
            let mut nested = CostLimited::new(Box::new(CostLimited::new(checked())));
            let limited = Box::new(CostLimited::new(checked()));
            let mut beside = Interleave::new(vec![limited, searcher(&["bfs"])]);
            let options = SimulationOptions { seed, witness: seed, ..SimulationOptions::default() };
            for searcher in [&mut one as &mut dyn Searcher, &mut nested, &mut beside] {
                explore(&tree, searcher, options).unwrap_or_else(|e| panic!("{specs:?}: {e}"));
            }
        }
        assert!(suspensions.get() > 0, "{specs:?}: nothing was suspended");
    }
}

/// Ignores suspension.
#[derive(Default)]
struct IgnoresSuspension(std::collections::BTreeSet<StateId>);

impl Searcher for IgnoresSuspension {
    fn update(&mut self, delta: &Delta, _: &dyn View) {
        self.0.extend(delta.added());
        delta.removed().for_each(|state| _ = self.0.remove(&state));
    }

    fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
        let oldest = self.0.first().copied();
        oldest.map_or(Action::Stop, |state| Action::Run { state, until: Until::FORK })
    }
}

#[test]
fn a_searcher_that_ignores_suspension_still_terminates() {
    for seed in 0..4 {
        let mut searcher = CostLimited::new(Box::<IgnoresSuspension>::default());
        explore(&small_program(seed), &mut searcher, SimulationOptions::default()).unwrap();
    }
}
