//! Random tests only.

use super::super::novelty::Novelty;
use super::super::testing_run::TestingRun;
use super::ChainStrategy;

/// Runs random tests, in jumps from one that covers something new to the next.
pub struct RandomTestJumps<'n, 'a> {
    /// Shared by the runs on a chain.
    pub novelty: &'n mut Novelty<'a>,
}

impl ChainStrategy for RandomTestJumps<'_, '_> {
    fn step(&mut self, run: &mut TestingRun<'_>) {
        run.random_tests_until_new(self.novelty);
    }
}
