//! `thrifty` puts states to rest by the rules, and whatever searcher is inside, every path is
//! explored once.

#[allow(dead_code)] // each test file uses a part of it
mod common;

use std::cell::Cell;
use std::rc::Rc;

use byway_base::Rng;
use byway_search::searcher::{CostLimited, Interleave};
use byway_search::simulate::{ExecutionTree, SimulationOptions, explore};
use byway_search::{Action, Delta, Protocol, Searcher, SearcherRequirements, StateId, Until, View};
use common::{ALL, searcher, tree};

/// Stands between two searchers, holds both to the rules, and counts who is put to rest.
struct Watched {
    searcher: Box<dyn Searcher>,
    protocol: Protocol,
    rests: Rc<Cell<usize>>,
}

impl Watched {
    fn new(specs: &[&str], rests: &Rc<Cell<usize>>) -> Box<Watched> {
        let (searcher, rests) = (searcher(specs), Rc::clone(rests));
        Box::new(Watched { searcher, protocol: Protocol::default(), rests })
    }
}

impl Searcher for Watched {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        self.protocol.update(delta).unwrap_or_else(|broken| panic!("{broken}"));
        self.rests.set(self.rests.get() + delta.suspended.len());
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

/// A program of few blocks, so that few states stand before something new. What a block's
/// queries cost is the simulation's business: from nothing to twice what is free.
fn small_program(seed: u64) -> ExecutionTree {
    fn grow(rng: &mut Rng, depth: u32, text: &mut String) {
        text.push(char::from(b'a' + rng.below(26) as u8));
        if depth == 0 || rng.chance(0.1) {
            return;
        }
        for way in 0..1 + rng.below(3) {
            text.push(if way == 0 { '(' } else { ',' });
            grow(rng, depth - 1, text);
        }
        text.push(')');
    }
    let mut text = String::new();
    grow(&mut Rng::new(seed), 9, &mut text);
    tree(&text)
}

#[test]
fn both_sides_keep_the_rules() {
    let rests = Rc::new(Cell::new(0));
    for specs in ALL {
        rests.set(0);
        for seed in 0..4 {
            let tree = small_program(seed);
            let watched = || Watched::new(specs, &rests);
            let mut one = CostLimited::new(watched());
            let mut nested = CostLimited::new(Box::new(CostLimited::new(watched())));
            let thrifty = Box::new(CostLimited::new(watched()));
            let mut beside = Interleave::new(vec![thrifty, searcher(&["bfs"])]);
            let options = SimulationOptions { seed, witness: seed, ..SimulationOptions::default() };
            for searcher in [&mut one as &mut dyn Searcher, &mut nested, &mut beside] {
                explore(&tree, searcher, options).unwrap_or_else(|e| panic!("{specs:?}: {e}"));
            }
        }
        assert!(rests.get() > 0, "{specs:?}: nobody rests");
    }
}

/// Knows nothing of rest.
#[derive(Default)]
struct Heedless(std::collections::BTreeSet<StateId>);

impl Searcher for Heedless {
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
fn a_searcher_that_does_not_heed_it_has_its_way() {
    for seed in 0..4 {
        let mut searcher = CostLimited::new(Box::<Heedless>::default());
        explore(&small_program(seed), &mut searcher, SimulationOptions::default()).unwrap();
    }
}
