//! Bitwuzla: terms, translation, and incremental instances.

pub mod instance;
pub mod terms;
pub mod translate;

pub use instance::{Instance, Outcome, Setup};
pub use terms::{Kind, RoundingMode, Term, Terms};
pub use translate::{Assertion, Tie, Ties, Translator};
