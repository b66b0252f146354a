//! Symbolic execution that forks: each solved path puts all sides of its next branch on the
//! frontier.
//!
//! Its input runs to the end, and covers what it meets, but the side that it takes is a path to
//! be solved like the others.

use super::super::path_tree::{ChainPathId, PathTree, ROOT};
use super::super::testing_run::TestingRun;
use super::ChainStrategy;

/// Chooses from the frontier.
pub trait FrontierOrder {
    /// The paths that joined the frontier, after a branch.
    fn joined(&mut self, tree: &PathTree, sides: &[ChainPathId]);

    /// Takes a path from the frontier.
    fn take(&mut self, tree: &PathTree, run: &mut TestingRun<'_>) -> Option<ChainPathId>;
}

/// Symbolic execution with an order of the frontier.
pub struct Forward<O> {
    tree: PathTree,
    order: O,
}

impl<O: FrontierOrder> Forward<O> {
    /// Starts at the beginning of the chain.
    pub fn new(run: &TestingRun<'_>, mut order: O) -> Forward<O> {
        let tree = PathTree::new(run.chain());
        order.joined(&tree, &[ROOT]);
        Forward { tree, order }
    }

    /// The sides of the next branch after a path.
    fn sides(&mut self, run: &TestingRun<'_>, mut node: ChainPathId) -> Vec<ChainPathId> {
        loop {
            let transitions = run.chain().transitions(self.tree.state(node));
            let next = transitions.iter().filter_map(|transition| {
                self.tree.extend(run.chain(), node, transition.to).map(|(next, _)| next)
            });
            match next.collect::<Vec<_>>()[..] {
                [only] if transitions.len() == 1 => node = only,
                ref sides => return sides.to_vec(),
            }
        }
    }
}

impl<O: FrontierOrder> ChainStrategy for Forward<O> {
    fn step(&mut self, run: &mut TestingRun<'_>) {
        match self.order.take(&self.tree, run) {
            Some(node) => {
                run.solve(&self.tree.path(node));
                let sides = self.sides(run, node);
                self.order.joined(&self.tree, &sides);
            }
            // Every path within the bound of loops is solved.
            None => run.random_test(),
        }
    }
}
