//! The backends: Bitwuzla, used in two ways. [`IncrementalBackend`] keeps instances that
//! grow along paths; [`BareBackend`] creates a new instance for every query and shares
//! nothing.

mod bare;
pub mod bitwuzla;
mod incremental;
mod path_instance;
pub(crate) mod size;

pub use bare::BareBackend;
pub use incremental::IncrementalBackend;

use byway_base::ExprId;

use crate::answer::UnknownReason;
use crate::query::Assignment;

/// The answer to a slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SliceAnswer {
    /// Satisfiable by these bytes; not yet confirmed by evaluation.
    Sat(Assignment),
    /// The condition contradicts these conjuncts.
    Unsat(Vec<ExprId>),
    /// Undecided.
    Unknown(UnknownReason),
}
