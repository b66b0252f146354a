//! Bitwuzla: safe terms, translation, incremental instances.

pub mod instance;
pub mod terms;
pub mod translate;

pub use instance::{BitwuzlaInstance, InstanceOptions, SatResult};
pub use terms::{Kind, RoundingMode, SmtTerm, TermFactory};
pub use translate::{SideConstraint, SideConstraints, Translation, Translator};
