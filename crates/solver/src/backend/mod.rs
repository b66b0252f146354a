//! What decides queries when no layer can: Bitwuzla, in two ways. [`Incremental`]
//! keeps instances that grow along paths; [`Bare`] makes a new one for every query and
//! shares nothing with anyone.

mod bare;
pub mod bitwuzla;
mod incremental;
mod lineage;
pub(crate) mod size;

pub use bare::Bare;
pub use incremental::Incremental;

use byway_base::ExprId;

use crate::answer::Why;
use crate::query::Assignment;

/// What a backend found out about a slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds under these bytes, so the backend says.
    Sat(Assignment),
    /// These conjuncts and the asked term exclude each other.
    Unsat(Vec<ExprId>),
    /// Nothing.
    Unknown(Why),
}
