//! Tests of the solver against evaluation, brute force and itself. One executable, because
//! each links all of Bitwuzla.

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
mod wrappers;
