//! The command line as a user meets it: each test runs the real `byway`, with the
//! real bitcode reader and C library.

mod bad_input;
mod cache;
mod changed;
mod cover;
mod diagnostics;
mod entry;
mod environment;
mod examples;
mod exec;
mod glibc;
mod glibc_headers;
mod greedy;
mod ir;
mod isolation;
mod lab;
mod limits;
mod memory;
mod mutate;
mod obstacles;
mod prune;
mod reach;
mod readme;
mod reduce;
mod replay;
mod results;
mod run;
mod sandbox;
mod seeds;
mod setup;
mod simulate;
mod subpaths;
mod symbolic;
mod thrift;
mod triage;
mod undefined;
