//! Tests of the IR through its public interface: properties of all modules are tested on
//! random ones, and the analyses on hand-written files.

mod cache;
mod dependence;
mod distances;
mod docs;
mod effects;
mod files;
mod fuzz;
mod generate;
mod graphs;
mod text;
mod verify;
