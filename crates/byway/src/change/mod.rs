//! The change that a command is about: the code of a program that an edit touches.
//!
//! ```text
//! --since REV ──git──▶ Changes ──[`DiffedProgram`]──▶ lines with code ──▶ reach: targets
//! --changed FILE:LINE ──────────────────────────────────────┴─[`ProgramChange`]──▶ run
//! ```

mod diffed;
mod program_change;
mod sources;

pub use diffed::{DiffedProgram, RemovedCode, changed_since};
pub use program_change::ProgramChange;
pub use sources::check as check_sources;
