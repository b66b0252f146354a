//! Static analyses. Each works on
//! plain IR and is tested against its textbook definition.

mod callgraph;
mod cfg;
pub mod dependence;
mod distance;
mod dom;
pub mod effects;
mod graph;
pub mod points_to;
mod set_table;
mod signature;

pub use callgraph::CallGraph;
pub use cfg::Cfg;
pub use dependence::Dependences;
pub use distance::{
    CallEffect, DistanceGraph, Distances, FunctionDistances, ProgramPoint, Reachable,
};
pub use dom::DomTree;
pub use effects::ProgramEffects;
pub use graph::Digraph;
pub use points_to::PointsTo;
pub use signature::{CallShape, SignatureMismatch, suits};
