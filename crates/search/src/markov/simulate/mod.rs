//! Strategies of concolic testing on chains whose probabilities are known.
//!
//! A [`ChainModel`] stands for a program: [random](random_chain), or [read from
//! text](chain_file). [`OptimalPolicy`] is the cheapest way to cover all of its states, which
//! needs the probabilities; no strategy knows them. A [`TestingRun`] is one run of a
//! [strategy](strategy), and [`compare`] makes many of each.
//!
//! Everything is for small chains: the sets of covered states are machine words.

mod chain;
pub mod chain_file;
mod compare;
mod novelty;
mod optimal;
mod path_tree;
mod random_chain;
mod strategy;
mod testing_run;
#[cfg(test)]
mod tests;
mod within;

pub use chain::{ChainError, ChainModel, ChainTransition, MAX_STATES, StateSet};
pub use compare::{ChainComparison, ComparedStrategy, StrategyCosts, compare};
pub use optimal::{OptimalAction, OptimalPolicy, TooManySets};
pub use random_chain::random_chain;
pub use strategy::ChainStrategy;
pub use strategy::greedy::GreedyStrategy;
pub use testing_run::{MAX_TESTS, TestingRun};
