//! Static analyses. Each works on
//! plain IR and is tested against its textbook definition.

mod callgraph;
mod cfg;
mod distance;
mod dom;
mod graph;

pub use callgraph::CallGraph;
pub use cfg::Cfg;
pub use distance::{DistanceGraph, Distances, FunctionDistances, ProgramPoint, Reachable};
pub use dom::DomTree;
pub use graph::Digraph;
