//! The checks that can be asked for.

use byway_engine::Checks;
use clap::ValueEnum;

/// A check that is off unless asked for.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum CheckFlag {
    /// Accesses that break the alignment the source promised
    Alignment,
    /// Reads of bytes that were never written
    #[value(alias = "uninitialized")]
    Uninitialised,
    /// Overflow of signed arithmetic
    SignedOverflow,
    /// Shifts by the width of the value or more
    Shift,
    /// All of these
    All,
}

/// The checks that were asked for.
pub fn checks(flags: &[CheckFlag]) -> Checks {
    let on = |check| flags.contains(&check) || flags.contains(&CheckFlag::All);
    Checks {
        alignment: on(CheckFlag::Alignment),
        uninitialised: on(CheckFlag::Uninitialised),
        signed_overflow: on(CheckFlag::SignedOverflow),
        shift: on(CheckFlag::Shift),
    }
}
