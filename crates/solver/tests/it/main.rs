//! Tests of the solver against evaluation, against trying everything, and against
//! itself. One executable, since each links all of Bitwuzla.

mod bitwuzla;
mod blast;
mod brute_force;
mod common;
mod floats;
mod narrow;
mod queries;
mod query_builder;
mod rules;
mod traces;
mod watched;
