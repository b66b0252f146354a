//! What decides queries when no layer can: Bitwuzla, in two ways. [`IncrementalBackend`]
//! keeps instances that grow along paths; [`BareBackend`] makes a new one for every query and
//! shares nothing with anyone.

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

/// What a backend found out about a slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SliceAnswer {
    /// It holds under these bytes, so the backend says.
    Sat(Assignment),
    /// These conjuncts and the asked term exclude each other.
    Unsat(Vec<ExprId>),
    /// Nothing.
    Unknown(UnknownReason),
}
