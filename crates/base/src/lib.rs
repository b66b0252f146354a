//! Words every Byway crate shares: typed ids and the maps keyed by them, places
//! in the user's source, the closed set of ways a path can end, arithmetic on the
//! bit patterns of integers and floats, random numbers, the clock of work, changes of a
//! source, and how people write numbers and misspell names.
//!
//! This crate knows nothing of LLVM, of the IR or of execution.

pub mod float;
pub mod int;
mod mutation;
mod outcome;
pub mod quantity;
mod rng;
mod source_location;
pub mod spelling;
mod test_case;
mod work;

pub use cranelift_entity as entity;
pub use mutation::{Lines, Mutation, MutationOperator, MutationPoints};
pub use outcome::{Fault, FaultKind, Limit, Note, Outcome, Unsupported};
pub use rng::Rng;
pub use source_location::{SrcLoc, StackFrame};
pub use test_case::{Input, TestCase};
pub use work::{Budget, Work};

use serde::{Deserialize, Serialize};

/// An expression in a worker's pool. Zero is never a valid expression, so that
/// `Option<ExprId>` is one machine word and "no expression" is one comparison.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ExprId(pub std::num::NonZeroU32);
