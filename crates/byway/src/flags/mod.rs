//! Flags that several commands share, and what they resolve to.

mod checks;
mod color;
mod invocation;
mod native;
mod symbolic;

pub use checks::{CheckFlag, checks};
pub use color::{ColorFlag, colour_is_welcome};
pub use invocation::{first_file, invocation};
pub use native::{NativeFlags, PartialTestsFlag};
pub use symbolic::SymbolicFlags;
