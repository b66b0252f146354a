//! Subpath guided search: the path whose last branch sides were picked least often.

use rustc_hash::FxHashMap;

use super::super::path_tree::{ChainPathId, PathTree};
use super::super::testing_run::TestingRun;
use super::forward::FrontierOrder;

/// Takes a path of the frontier whose subpath has the lowest count, ties at random.
pub struct SubpathOrder {
    length: usize,
    frontier: Vec<(ChainPathId, SubpathNumber)>,
    numbers: FxHashMap<Vec<(usize, usize)>, SubpathNumber>,
    /// How often each subpath was picked.
    picks: Vec<u64>,
}

type SubpathNumber = usize;

impl SubpathOrder {
    /// Subpaths of this many branch sides.
    pub fn new(length: usize) -> SubpathOrder {
        let numbers = FxHashMap::default();
        SubpathOrder { length, frontier: Vec::new(), numbers, picks: Vec::new() }
    }
}

impl FrontierOrder for SubpathOrder {
    fn joined(&mut self, tree: &PathTree, sides: &[ChainPathId]) {
        for &side in sides {
            let next = self.numbers.len();
            let subpath = tree.last_sides(side, self.length);
            let number = *self.numbers.entry(subpath).or_insert(next);
            self.picks.resize(self.numbers.len(), 0);
            self.frontier.push((side, number));
        }
    }

    fn take(&mut self, _: &PathTree, run: &mut TestingRun<'_>) -> Option<ChainPathId> {
        let picks = |at: &usize| self.picks[self.frontier[*at].1];
        let least = (0..self.frontier.len()).map(|at| picks(&at)).min()?;
        let rarest: Vec<usize> = (0..self.frontier.len()).filter(|at| picks(at) == least).collect();
        let (node, number) = self.frontier.swap_remove(*run.rng.pick(&rarest)?);
        self.picks[number] += 1;
        Some(node)
    }
}
