//! `run.stats`: a table of SQLite with KLEE's columns, and a row for each moment of a run.
//!
//! The columns are those of KLEE 3: in its order, of its types, times in microseconds. A
//! reader may open the file while the run goes on, and a killed run leaves a valid database.

mod reader;
mod row;
mod writer;

pub use reader::{RecordedStats, read};
pub use row::KleeStatsRow;
pub use writer::KleeStatsWriter;

/// The name of the file in KLEE's output directory.
pub const FILE: &str = "run.stats";

#[cfg(test)]
mod tests;
