//! Terms over symbolic input bytes.
//!
//! A worker has one [`Pool`]; a term is an id in it. Terms are bit-vectors of any width:
//! booleans have one bit, floats are their bit patterns. They are simplified when they are
//! built, and structurally equal terms have the same id. Besides the pool, this crate has
//! memory accessed at symbolic offsets ([`Pool::read`], [`Pool::write`], [`expand`]),
//! evaluation under a [`Model`], [`KnownBits`] and [`Intervals`], the [`PathCondition`], and
//! SMT-LIB output ([`smtlib`]), KQuery output ([`kquery`]).
//!
//! This crate never calls a solver and knows nothing about programs.
//!
//! ```
//! use byway_expr::{Evaluator, Model, Pool};
//!
//! let mut pool = Pool::new();
//! let object = pool.input("stdin", 2);
//! let (low, high) = (pool.input_byte(object, 0), pool.input_byte(object, 1));
//! let word = pool.concat(high, low);
//! let constant = pool.constant(16, 0x6261);
//! // A word equals a constant if and only if its bytes do: two equality atoms.
//! let equal = pool.eq(word, constant);
//! assert_eq!(pool.equality_atoms(equal).len(), 2);
//!
//! let mut model = Model::new();
//! model.set_object(object, *b"ab");
//! assert!(Evaluator::new().under(&pool, &model).holds(equal));
//! ```

#![forbid(unsafe_code)]

mod build;
mod contents;
mod definedness;
mod derived;
mod eval;
pub mod expand;
mod extended;
mod float;
mod input_list;
mod interval;
mod known;
pub mod kquery;
mod lanes;
mod memory;
mod nan;
mod narrow;
mod node;
mod op;
mod path;
mod pool;
mod semantics;
mod show;
pub mod simplify;
pub mod smtlib;
mod stats;
mod support;
mod term_sort;
mod wide;

pub use contents::{BaseContents, Chunk};
pub use definedness::Definedness;
pub use eval::{Evaluation, Evaluator, Model};
pub use extended::{theory_bits, theory_widths};
pub use input_list::InputList;
pub use interval::{Interval, Intervals};
pub use known::KnownBits;
pub use lanes::ByteSet;
pub use memory::{INDEX_BITS, MemoryVersion, VersionId};
pub use node::{MAX_WIDTH, Node};
pub use op::{Op, OpCost, RoundTo};
pub use path::{Added, KnownPrefixes, PathCondition};
pub use pool::{Collected, ExprMap, InputId, InputObject, Pool, Roots, Sweep, WalkScope};
pub use stats::{EqualityAtom, OperatorCounts};
pub use support::{InputByte, Support};
pub use term_sort::{FloatShape, TermSort};
