//! `--checks`: undefined behaviour that is reported on request.

use byway_engine::Checks;
use clap::{Args, ValueEnum};

/// Help on the checks that are always on and those that `--checks` adds.
pub const CHECKS: &str = "\
Always checked: out-of-bounds accesses, use after free, use after return, null and wild
pointers, writes to constants, double and invalid frees, division by zero and its
overflow, calls through invalid function pointers, unreachable code, abort, failed
assertions, stack exhaustion. --checks adds:
  alignment        accesses less aligned than the source promises
  uninitialised    reads of uninitialised bytes
  signed-overflow  overflow of signed arithmetic
  shift            shifts by the width of the value or more
  all              all of these";

#[derive(Args, Debug)]
pub struct CheckFlags {
    /// Also report: alignment, uninitialised, signed-overflow, shift, or all
    #[arg(
        long,
        alias = "check",
        value_name = "CHECK,...",
        value_delimiter = ',',
        hide_possible_values = true,
        help_heading = "Program"
    )]
    checks: Vec<CheckFlag>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
enum CheckFlag {
    Alignment,
    #[value(alias = "uninitialized")]
    Uninitialised,
    SignedOverflow,
    Shift,
    All,
}

impl CheckFlags {
    pub fn resolve(&self) -> Checks {
        let on = |check| self.checks.contains(&check) || self.checks.contains(&CheckFlag::All);
        Checks {
            alignment: on(CheckFlag::Alignment),
            uninitialised: on(CheckFlag::Uninitialised),
            signed_overflow: on(CheckFlag::SignedOverflow),
            shift: on(CheckFlag::Shift),
        }
    }
}
