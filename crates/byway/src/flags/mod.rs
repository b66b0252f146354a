//! Option groups that several commands share, one per module, each with its resolution.

mod checks;
mod color;
mod entry;
mod invocation;
mod native;
mod shares;
mod symbolic;

pub use checks::CheckFlags;
pub use color::{ColorFlag, environment_allows_colour};
pub use entry::EntryFlags;
pub use invocation::InvocationFlags;
pub use native::{NativeFlags, PartialTestsFlag};
pub use shares::ShareFlags;
pub use symbolic::SymbolicFlags;

/// What an error of clap says, without its usage and the word that begins it.
pub fn clap_message(error: &clap::Error) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    // The usage follows after the first paragraph.
    text.split("\n\n").next().unwrap_or_default().trim().to_string()
}
