//! Tests of the public interface, one file per subject.

mod collect;
mod derived;
mod floats;
mod generate;
mod intervals;
mod lanes;
mod memory;
mod narrow;
mod path;
mod rules;
mod smtlib;
mod stats;
mod terms;
