//! Random state search: uniform over the frontier.

use super::super::path_tree::{ChainPathId, PathTree};
use super::super::testing_run::TestingRun;
use super::forward::FrontierOrder;

/// Takes each path of the frontier with equal probability.
#[derive(Default)]
pub struct RandomStateOrder {
    frontier: Vec<ChainPathId>,
}

impl FrontierOrder for RandomStateOrder {
    fn joined(&mut self, _: &PathTree, sides: &[ChainPathId]) {
        self.frontier.extend(sides);
    }

    fn take(&mut self, _: &PathTree, run: &mut TestingRun<'_>) -> Option<ChainPathId> {
        let count = self.frontier.len() as u64;
        (count > 0).then(|| self.frontier.swap_remove(run.rng.below(count) as usize))
    }
}
