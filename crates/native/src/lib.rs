//! Running programs natively.
//!
//! A program is compiled for this machine, linked with a library that takes its inputs from
//! a test, checked by clang's sanitizers, and run in a [`sandbox`]:
//!
//! ```text
//! Recipe ──build──▶ Executable ──run(test)──▶ NativeRun {ending, remarks, output}
//!        ──build_exact──▶ the same, with the C library it was explored with, unwatched
//!        ──Plain::build──▶ objects, any of which can be made again otherwise
//! ```
//!
//! The address sanitizer ends the program at a fault that Byway reports as a fault too. Findings
//! of the undefined behaviour sanitizer are only recorded as remarks, because many of them
//! are no faults to Byway (an inner array overrun inside its struct, a null pointer that is
//! offset but not read).
//!
//! [`child`] runs a command with a time limit. [`snapshot`] describes the contents that a
//! program left in a directory, which [`held`] keeps open meanwhile.

pub mod child;
pub mod held;
pub mod sandbox;
pub mod snapshot;

mod build;
mod exact;
mod plain;
mod report;
mod run;
mod symbols;

pub use build::{BuildError, Executable, Linking, Recipe, Source, SourceKind, write_library};
pub use exact::Musl;
pub use plain::Plain;
pub use run::{Assertion, Ending, Job, NativeRun, Remark, SanitizerReport};
