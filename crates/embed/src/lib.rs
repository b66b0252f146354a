//! Bitcode inside native files.
//!
//! An object that `byway cc` makes has a section [`SECTION`] with one [`EmbeddedSource`] record.
//! A linker concatenates sections of one name, so an executable, a shared library or the result
//! of `ld -r` has the records of exactly those objects, and of those archive members, that the
//! linker chose. The section is not loaded when the program runs, and GNU strip keeps it.
//!
//! [`elf`] reads 64-bit little-endian ELF files, [`append`] writes the section, [`record`] is
//! what the section holds, and [`ar`] reads and writes archives.

pub mod append;
pub mod ar;
pub mod elf;
pub mod record;

pub use record::{EmbeddedContent, EmbeddedSource};

/// The section of the records.
pub const SECTION: &str = ".byway.bitcode";
