//! Types and functions that all Byway crates share: typed ids and maps keyed by them, source
//! locations, the outcomes of paths, arithmetic on the bit patterns of integers and floats,
//! random numbers, logarithms, the work clock, source mutations, the names of UBSan's handlers, and
//! the parsing of quantities and misspelt names.
//!
//! This crate does not depend on LLVM, the IR or the engine.

#![forbid(unsafe_code)]

pub mod float;
pub mod int;
mod keyed_bytes;
pub mod logarithm;
mod mutation;
mod outcome;
mod process_memory;
pub mod quantity;
mod reason;
mod rng;
mod source_location;
pub mod spelling;
mod test_case;
pub mod ubsan;
mod work;

pub use cranelift_entity as entity;
pub use keyed_bytes::KeyedBytes;
pub use mutation::{Lines, Mutation, MutationOperator, MutationPoints};
pub use outcome::{
    Fault, FaultIdentity, FaultKind, InternalError, Limit, NativeEffect, Note, Outcome, Unsupported,
};
pub use process_memory::{MemoryGuard, ProcessMemory};
pub use reason::{InternalErrorKind, UnsupportedFeature};
pub use rng::Rng;
pub use source_location::{SrcLoc, StackArgument, StackFrame};
pub use test_case::{Input, TestCase};
pub use work::{Budget, Work};

use serde::{Deserialize, Serialize};

/// An expression in a worker's pool. Zero is never a valid expression, so `Option<ExprId>` is
/// as small as an id and testing for `None` is one comparison.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ExprId(pub std::num::NonZeroU32);
