//! Concolic testing: each run leaves the untaken sides of its branches pending.

use super::super::chain::StateSet;
use super::super::path_tree::{ChainPathId, PathTree, ROOT};
use super::super::testing_run::TestingRun;
use super::ChainStrategy;

/// Chooses among pending sides.
pub trait PendingOrder {
    /// A run left these sides pending, in the order of its branches. `new` are the states that
    /// it covered first.
    fn left(&mut self, tree: &PathTree, sides: &[ChainPathId], new: StateSet);

    /// Takes a side to solve next.
    fn take(&mut self, tree: &PathTree) -> Option<ChainPathId>;
}

/// Concolic testing with an order of the pending sides.
pub struct Concolic<O> {
    tree: PathTree,
    order: O,
    started: bool,
}

impl<O: PendingOrder> Concolic<O> {
    /// Starts with a random test.
    pub fn new(run: &TestingRun<'_>, order: O) -> Concolic<O> {
        Concolic { tree: PathTree::new(run.chain()), order, started: false }
    }

    /// Follows the run from the end of its solved path, and leaves what it did not take.
    fn record(&mut self, run: &TestingRun<'_>, solved: ChainPathId, covered: StateSet) {
        let (chain, mut node) = (run.chain(), solved);
        let mut sides = Vec::new();
        let known = self.tree.path(solved).len();
        for &taken in &run.path()[known..] {
            for transition in chain.transitions(self.tree.state(node)) {
                if transition.to != taken
                    && let Some((side, true)) = self.tree.extend(chain, node, transition.to)
                {
                    sides.push(side);
                }
            }
            // A run may go round a loop more often than a path to solve.
            match self.tree.extend(chain, node, taken) {
                Some((next, _)) => node = next,
                None => break,
            }
        }
        self.order.left(&self.tree, &sides, run.covered() & !covered);
    }
}

impl<O: PendingOrder> ChainStrategy for Concolic<O> {
    fn step(&mut self, run: &mut TestingRun<'_>) {
        let start = (!std::mem::replace(&mut self.started, true)).then_some(ROOT);
        let covered = run.covered();
        match start.or_else(|| self.order.take(&self.tree)) {
            Some(node) => {
                run.solve(&self.tree.path(node));
                self.record(run, node, covered);
            }
            // Every path within the bound of loops is solved.
            None => run.random_test(),
        }
    }
}
