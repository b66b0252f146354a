//! Under-constrained starts: a path that begins with a call of any function, on input of the
//! types that the debug information gives it, with nothing assumed about the caller.
//!
//! ```text
//! add_entry   a function without parameters that makes the arguments and calls the function
//! DebugLayout  what the debug information says: sizes, and where the pointers are
//! InputTable  the objects that a path made so far, and what each pointer in them can be
//! shape       the input of a path that ended, as a tree
//! ```
//!
//! **A pointer is a choice.** The first byte of its input selects one of few addresses: null, or
//! that of an object reserved for it, or, with aliasing, an object reserved before. So every
//! question about a pointer is one about a single byte, and no value has to be excluded. The
//! object has an address and a size from the start, but gets its contents, with pointers of their
//! own, when it is first accessed (`interp/unconstrained.rs`): recursive structures grow as far as
//! the function follows them, up to a depth.

mod callbacks;
mod entry;
mod layout;
mod options;
mod shape;
mod table;

pub(crate) use callbacks::callbacks;
pub(crate) use entry::{ENTRY, parameter};
pub use entry::{EntryError, add_entry, start_at};
pub(crate) use layout::{DebugLayout, FieldKind, ObjectLayout, SpecialField};
pub use options::UnconstrainedOptions;
pub(crate) use shape::shape;
pub use shape::{InputShape, PointerTarget, ShapeKind, ShapeObject, ShapePointer};
pub(crate) use table::{InputContents, InputRole, InputTable, PointerSlot, UnconstrainedObject};
