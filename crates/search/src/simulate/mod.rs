//! A simulated program that any searcher can explore, without engine, solver or
//! LLVM: orders, chances and costs of searchers are tested on it, and it holds both
//! sides to the [protocol](crate::Protocol).
//!
//! A [`ExecutionTree`] is the execution tree of a program, given as text or generated. A
//! [`Simulation`] is what the engine is to a real program: it owns the states, runs
//! them, forks them, and tells what happened.

mod metrics;
mod run;
mod suspension;
mod tree;

pub use run::{FeasibilityMode, Simulation, SimulationOptions, SimulationRecord, explore};
pub use suspension::RandomSuspension;
pub use tree::{ExecutionTree, TreeNode, TreeNodeId, TreeNodeKind, TreeShape};
