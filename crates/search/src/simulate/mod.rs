//! A simulated program that any searcher can explore, without engine, solver or
//! LLVM: orders, chances and costs of searchers are tested on it, and it holds both
//! sides to the [protocol](crate::Protocol).
//!
//! A [`Tree`] is the execution tree of a program, given as text or generated. A
//! [`Simulation`] is what the engine is to a real program: it owns the states, runs
//! them, forks them, and tells what happened.

mod facts;
mod rest;
mod run;
mod tree;

pub use rest::Rests;
pub use run::{Feasibility, Options, Record, Simulation, explore};
pub use tree::{Node, NodeId, NodeKind, Shape, Tree};
