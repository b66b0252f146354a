//! The interface to the executable that runs the lab: how to start runs, and how to check a
//! command line before anything runs.

use std::io;
use std::path::{Path, PathBuf};

/// Lists the files a run with these arguments reads, or explains why it cannot.
pub type InputFinder<'a> = &'a dyn Fn(&[String]) -> Result<Vec<PathBuf>, String>;

/// Digests bytes into text that is valid in a file name.
pub type Digester<'a> = &'a (dyn Fn(&[u8]) -> String + Sync);

/// The executable that the lab is part of.
pub struct LabHost<'a> {
    /// The path of `byway`, started for each run.
    pub executable: &'a Path,
    /// The version of `byway`.
    pub version: &'a str,
    /// Checks arguments of `byway`, and explains what is wrong with them.
    pub check: &'a dyn Fn(&[String]) -> Result<(), String>,
    /// Lists the files and directories that a run reads beside its program: included headers,
    /// seeds, host files.
    pub reads: InputFinder<'a>,
    /// A digest of all parts of the build.
    pub build: &'a dyn Fn() -> Result<String, String>,
    /// Changes the working directory to that of the runs, so that relative names agree.
    pub enter: &'a dyn Fn(&Path) -> io::Result<()>,
    /// Digests bytes.
    pub digest: Digester<'a>,
    /// Whether the user has asked to stop.
    pub interrupted: &'a (dyn Fn() -> bool + Sync),
    /// Writes to standard error.
    pub say: &'a dyn Fn(&str),
    /// Whether standard error is a terminal.
    pub terminal: bool,
}
