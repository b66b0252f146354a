//! Option groups that several commands share, one per module, each with its resolution.

mod checks;
mod color;
mod entry;
mod invocation;
mod native;
mod symbolic;

pub use checks::CheckFlags;
pub use color::{ColorFlag, environment_allows_colour};
pub use entry::EntryFlags;
pub use invocation::InvocationFlags;
pub use native::{NativeFlags, PartialTestsFlag};
pub use symbolic::SymbolicFlags;
