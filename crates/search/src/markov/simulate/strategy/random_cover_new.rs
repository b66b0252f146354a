//! Random search that prefers paths near to uncovered states, as KLEE's `covnew`.
//!
//! The weight of a path is `1/d²`, where `d` is the number of transitions to the nearest uncovered
//! state, counted from one for a path that ends in such a state; a path from which there is none
//! counts as 10,000 away. (KLEE's second term, for states that lately covered something new, has
//! no counterpart: all input is run to its end at once.)

use super::super::chain::{ChainModel, StateSet, bit, bits};
use super::super::path_tree::{ChainPathId, PathTree};
use super::super::testing_run::TestingRun;
use super::forward::FrontierOrder;

/// The distance if no uncovered state can be reached.
const FAR: f64 = 10_000.0;

/// Takes paths of the frontier at random by their distance to something new.
#[derive(Default)]
pub struct CoverNewOrder {
    frontier: Vec<ChainPathId>,
    /// The weight of each state, and the covered set that it is for.
    weights: Vec<f64>,
    covered: StateSet,
}

impl FrontierOrder for CoverNewOrder {
    fn joined(&mut self, _: &PathTree, sides: &[ChainPathId]) {
        self.frontier.extend(sides);
    }

    fn take(&mut self, tree: &PathTree, run: &mut TestingRun<'_>) -> Option<ChainPathId> {
        if self.weights.is_empty() || self.covered != run.covered() {
            self.covered = run.covered();
            self.weights = weights(run.chain(), self.covered);
        }
        let weight = |node: ChainPathId| self.weights[tree.state(node)];
        let mut rest: f64 = self.frontier.iter().map(|&node| weight(node)).sum();
        let drawn = self.frontier.iter().position(|&node| {
            let share = weight(node);
            let is_drawn = run.rng.chance(share / rest);
            rest -= share;
            is_drawn
        });
        // Rounding can leave none drawn.
        let at = drawn.or(self.frontier.len().checked_sub(1))?;
        Some(self.frontier.swap_remove(at))
    }
}

fn weights(chain: &ChainModel, covered: StateSet) -> Vec<f64> {
    let mut near = chain.all() & !covered;
    let mut weights = vec![1.0 / (FAR * FAR); chain.states().len()];
    let mut distance = 1.0;
    let mut found = 0;
    while near != 0 {
        bits(near).for_each(|state| weights[state] = 1.0 / (distance * distance));
        found |= near;
        distance += 1.0;
        let leads = |state: &usize| chain.after(*state) & found != 0 && found & bit(*state) == 0;
        near = chain.states().filter(leads).fold(0, |set, state| set | bit(state));
    }
    weights
}
