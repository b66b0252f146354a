//! Dynamic program dependence: which decisions of a path each of its instructions depends on.
//!
//! ```text
//! code with observations ──→ PathLog: blocks, accesses, calls, decisions
//!                               │
//! StaticEffects ──────────→ DependenceTracker: walks the path again, with labels for values
//! (sides of branches)           │
//!                               └──→ PathDependences, for a reducer
//! ```
//!
//! An instruction depends on a decision if another case could keep it from being executed or
//! change its operands: by control, by data, or because code on the side that was not taken
//! could have defined what it reads (*potential* dependence). The last needs to know what that
//! code may do, which only a static analysis can say.
//!
//! A check that a path passed controls nothing behind it, or everything would depend on every
//! check before it. Reducers account for paths that fail where others passed.
//!
//! | file | content |
//! |---|---|
//! | `label.rs` | labels: lists of decisions |
//! | `memory.rs`, `byte_labels.rs` | labels of memory |
//! | `effects.rs`, `pointer_writes.rs` | what code may do that does not run |
//! | `path_log.rs` | what a path did |
//! | `tracker.rs` | the walk: `branches.rs` and `regions.rs` for control, `accesses.rs` for memory, `calls.rs` |
//! | `changed.rs`, `slice.rs` | a change, and what it can affect |
//! | `observed.rs` | the code whose behaviours are explored |
//! | `result.rs` | the dependences of a path |

mod accesses;
mod branches;
mod byte_labels;
mod calls;
mod changed;
mod effects;
mod label;
mod memory;
mod observed;
mod path_log;
mod pointer_writes;
mod regions;
mod result;
mod slice;
mod tracker;

pub use changed::{ChangedCode, ChangedLines};
pub use effects::StaticEffects;
pub use observed::ObservedCode;
pub use path_log::{LoggedDecision, PathLog};
pub use result::{GiveUpReason, PathDependences, PathPoint};
pub use tracker::DependenceTracker;
