//! Integration tests: lowering, linking, debug information, damaged input.

mod damage;
mod debug;
mod headers;
mod linking;
mod lowering;
mod support;
