//! Tests of the IR from outside: what is promised of every module is tried on
//! random ones, and the analyses on hand-written files.

mod cache;
mod distances;
mod docs;
mod files;
mod generate;
mod graphs;
mod text;
mod verify;
