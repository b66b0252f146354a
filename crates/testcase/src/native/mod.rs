//! Native runs of tests: the program compiled for this machine, linked with a library
//! that takes its inputs from a test, watched by clang's sanitizers.
//!
//! ```text
//! Recipe ──build──▶ Executable ──run(test)──▶ NativeRun {ending, remarks, output}
//!        ──build_exact──▶ the same, with the C library it was explored with, unwatched
//!        ──Plain::build──▶ objects, any of which can be made again otherwise
//! ```
//!
//! The address sanitizer ends the program at what is a fault for Byway too. What the
//! undefined behaviour sanitizer finds is only remarked on, because much of it is no
//! fault to Byway (an inner array overrun inside its struct, a null pointer that is
//! offset but not read): whoever expects such a fault finds it among the remarks.

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
