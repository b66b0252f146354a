//! The strategies of the paper's comparison, as small models of themselves on a chain.
//!
//! They are not Byway's searchers, which choose among the states of a real execution. What
//! exists here is what a chain has: paths, their costs, and what is covered. Two models of
//! exploring stand behind them, each with several ways to choose:
//!
//! - [`forward`]: symbolic execution as in KLEE. A chosen path is solved; all sides of its
//!   next branch become paths to choose from, also the one that its input takes.
//! - [`concolic`]: a run leaves the untaken sides of its branches to choose from; solving one
//!   is the next run.
//!
//! Both begin with a random test, since the path of the first state has nothing to solve.

pub mod cgs;
pub mod concolic;
pub mod dart;
pub mod dfs;
pub mod forward;
pub mod generational;
pub mod greedy;
pub mod random_cover_new;
pub mod random_path;
pub mod random_state;
pub mod random_testing;
pub mod sgs;

use super::testing_run::TestingRun;

/// Chooses and makes tests.
pub trait ChainStrategy {
    /// Makes at least one test.
    fn step(&mut self, run: &mut TestingRun<'_>);
}
