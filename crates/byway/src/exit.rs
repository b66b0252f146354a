//! The exit codes, as `byway --help` lists them.

/// The command did what was asked.
pub const SUCCESS: u8 = 0;
/// The program did something it must not do.
pub const FAULT: u8 = 1;
/// Bad input, bad options, or a broken installation.
pub const BAD_INPUT: u8 = 2;
/// The program needs something Byway does not have.
pub const UNSUPPORTED: u8 = 3;
/// The instruction budget was used up.
pub const OUT_OF_BUDGET: u8 = 4;
/// No fault was found, but the exploration is incomplete.
pub const INCOMPLETE: u8 = 5;
/// A bug in Byway.
pub const BUG: u8 = 101;
/// The user pressed Ctrl-C.
pub const INTERRUPTED: u8 = 130;
