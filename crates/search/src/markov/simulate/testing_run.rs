//! One run of a strategy on a chain: what is covered, and what it has cost.

use byway_base::Rng;

use super::chain::{ChainModel, StateSet, bit};
use super::novelty::{self, Novelty};

/// The tests after which a run ends, whatever is covered.
pub const MAX_TESTS: u64 = 1_000_000;

/// A run of a strategy. It ends when every state is covered, or after [`MAX_TESTS`] tests.
pub struct TestingRun<'a> {
    chain: &'a ChainModel,
    /// The random numbers of this run, for the strategy as well.
    pub rng: Rng,
    covered: StateSet,
    cost: f64,
    tests: u64,
    /// The states of the last execution.
    path: Vec<usize>,
}

impl<'a> TestingRun<'a> {
    /// A run that has not tested anything yet.
    pub fn new(chain: &'a ChainModel, rng: Rng) -> TestingRun<'a> {
        TestingRun { chain, rng, covered: 0, cost: 0.0, tests: 0, path: Vec::new() }
    }

    /// The chain.
    pub fn chain(&self) -> &'a ChainModel {
        self.chain
    }

    /// The states that tests have covered.
    pub fn covered(&self) -> StateSet {
        self.covered
    }

    /// The cost of all tests.
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// Whether every state is covered.
    pub fn is_complete(&self) -> bool {
        self.covered == self.chain.all()
    }

    /// Whether the run is over.
    pub fn is_over(&self) -> bool {
        self.is_complete() || self.tests >= MAX_TESTS
    }

    /// The states of the last execution.
    pub fn path(&self) -> &[usize] {
        &self.path
    }

    /// Runs a random test.
    pub fn random_test(&mut self) {
        self.path.clear();
        self.path.push(0);
        self.cost += self.chain.test_cost();
        self.finish();
    }

    /// Runs random tests up to the next that covers something new, or to the end of the run.
    pub fn random_tests_until_new(&mut self, novelty: &mut Novelty<'_>) {
        let left = MAX_TESTS - self.tests;
        let tests = novelty.tests_until_new(self.covered, &mut self.rng);
        self.cost += tests.min(left) as f64 * self.chain.test_cost();
        if tests > left {
            self.tests = MAX_TESTS;
            return;
        }
        self.tests += tests - 1;
        novelty.sample_new(self.covered, &mut self.rng, &mut self.path);
        self.finish();
    }

    /// Solves a path, and runs its input: along the path, then at random to the end.
    pub fn solve(&mut self, path: &[usize]) {
        self.cost += self.chain.path_cost(path);
        self.path.clear();
        self.path.extend_from_slice(path);
        self.finish();
    }

    /// Runs a test whose states are given.
    pub fn replay(&mut self, path: &[usize]) {
        self.cost += self.chain.test_cost();
        self.path.clear();
        self.path.extend_from_slice(path);
        self.finish();
    }

    /// Marks states as covered, without a test.
    pub fn cover(&mut self, states: StateSet) {
        self.covered |= states & self.chain.all();
    }

    fn finish(&mut self) {
        novelty::finish(self.chain, &mut self.path, &mut self.rng);
        self.covered = self.path.iter().fold(self.covered, |set, &state| set | bit(state));
        self.tests += 1;
    }
}
