//! A simulated program that any searcher can explore, without engine, solver or LLVM. Tests
//! and measurements of searchers run on it, and every run is checked against the
//! [protocol](crate::Protocol).
//!
//! An [`ExecutionTree`] is the execution tree of a program, parsed from text or generated. A
//! [`Simulation`] plays the engine: it owns the states, runs and forks them, and reports
//! what happened.

mod metrics;
mod run;
mod suspension;
mod target;
mod tree;

pub use run::{FeasibilityMode, Simulation, SimulationOptions, SimulationRecord, explore};
pub use suspension::RandomSuspension;
pub use tree::{ExecutionTree, TreeNode, TreeNodeId, TreeNodeKind, TreeShape};
