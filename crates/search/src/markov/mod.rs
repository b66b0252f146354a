//! The program as a Markov chain, and the greedy choice between a random test and solving a path.
//!
//! The states of the chain are the basic blocks of the inter-procedural control-flow graph. Its
//! transition probabilities are estimated from the tests so far ([`Estimator`]). The *expected
//! reward* of a state is the number of uncovered states that a random execution visits from
//! there ([`ExpectedRewards`]). A random test is worth the reward of the start, a solved path
//! that of its last state; the better value per cost is the greedy choice ([`CandidatePaths`]).
//!
//! ```text
//! a test ran ──count_transition, count_end, cover──▶ ExpectedRewards ──▶ reward of each state
//!                                             CandidatePaths::choose ◀─┘
//!                                                      │
//!                                     GreedyChoice: a random test, or a path to solve
//! ```
//!
//! After Wang, Sun, Chen, Zhang, Wang, Lin: Towards Optimal Concolic Testing, ICSE 2018. As
//! there, a visit of an uncovered state counts each time, so a state in a loop can count more
//! than once. [`simulate`] compares the greedy choice with the optimal policy and with other
//! strategies on small chains whose probabilities are known.

mod elimination;
mod estimator;
mod greedy;
mod position_set;
mod program_chain;
mod report;
mod rewards;
pub mod simulate;
mod solving_cost;

pub use elimination::EliminationWork;
pub use estimator::Estimator;
pub use greedy::{CandidateId, CandidatePaths, GreedyChoice};
pub use program_chain::{ChainSite, ProgramChain};
pub use report::{BlockReward, MOST_BLOCKS, MarkovReport};
pub use rewards::{ExpectedRewards, UnknownTransition};
pub use solving_cost::SolvingCost;

use byway_base::entity::entity_impl;

/// A state of the Markov chain: a basic block of the program.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ChainState(u32);
entity_impl!(ChainState, "state");
