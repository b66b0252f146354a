//! KLEE's statistics, as files that KLEE's tools and others read.
//!
//! [`run_stats`] writes and reads `run.stats`, an SQLite database with a row for each moment
//! of a run; [`istats`] writes `run.istats`, a profile by instruction in callgrind's format,
//! which KCachegrind and `callgrind_annotate` show. [`sqlite`] is the little of SQLite that
//! this needs: the only module that calls it.
//!
//! The crate knows the files, not what the numbers mean to Byway: whoever fills in a row
//! decides that.

pub mod istats;
pub mod run_stats;
pub mod sqlite;
