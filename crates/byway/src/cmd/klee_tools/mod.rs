//! KLEE's tools under their own names, with their options and the form of their output, so
//! that scripts written for KLEE run unchanged.

pub mod klee_replay;
pub mod klee_stats;
pub mod ktest_gen;
pub mod ktest_randgen;
pub mod ktest_tool;

mod python_text;
mod test_builder;

use std::ffi::OsString;

use crate::console::{print, say_raw};
use crate::exit;
use crate::failure::Result;

/// The size of symbolic standard output in KLEE's model, in bytes.
const STDOUT_SIZE: usize = 1024;

/// Prints the help of a tool that parses its words itself, if they ask for it or are missing;
/// returns the exit code.
fn help_asked(words: &[OsString], help: &str) -> Result<Option<u8>> {
    match words {
        [] => {
            say_raw(help);
            Ok(Some(exit::BAD_INPUT))
        }
        [word] if word == "--help" => print(help).map(|()| Some(exit::SUCCESS)),
        _ => Ok(None),
    }
}
