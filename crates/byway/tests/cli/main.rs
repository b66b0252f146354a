//! The command line as a user meets it: each test runs the real `byway`, with the
//! real bitcode reader and C library.

mod bad_input;
mod cache;
mod campaign;
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
mod ktest_tools;
