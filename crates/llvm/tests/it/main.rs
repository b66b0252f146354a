//! Integration tests: lowering, linking, debug information, damaged input.

mod damage;
mod debug;
mod linking;
mod lowering;
mod support;
