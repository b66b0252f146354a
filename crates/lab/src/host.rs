//! What the lab is given by whoever starts it: the executable whose runs it compares, and a
//! way to ask whether a command line makes sense before anything runs.

use std::io;
use std::path::{Path, PathBuf};

/// Tells what a run with these arguments reads, or why that cannot be told.
pub type Reads<'a> = &'a dyn Fn(&[String]) -> Result<Vec<PathBuf>, String>;

/// Makes a digest of some bytes.
pub type Digester<'a> = &'a (dyn Fn(&[u8]) -> String + Sync);

/// The executable that the lab belongs to.
pub struct Host<'a> {
    /// `byway` itself, to be started for each run.
    pub executable: &'a Path,
    /// Its version.
    pub version: &'a str,
    /// Whether these arguments of `byway` make sense; if not, why.
    pub check: &'a dyn Fn(&[String]) -> Result<(), String>,
    /// The files and directories that a run with these arguments reads beside its program:
    /// what C sources include, seeds, files that it is shown.
    pub reads: Reads<'a>,
    /// What stands for all parts of the build; if it cannot be told, why.
    pub build: &'a dyn Fn() -> Result<String, String>,
    /// Makes relative names mean what they mean to the runs, which are started in this directory.
    pub enter: &'a dyn Fn(&Path) -> io::Result<()>,
    /// A digest of some bytes, in letters that suit a file's name.
    pub digest: Digester<'a>,
    /// Whether the user asked to stop.
    pub interrupted: &'a (dyn Fn() -> bool + Sync),
    /// Says something on standard error, as it is.
    pub say: &'a dyn Fn(&str),
    /// The width of the terminal on standard error, if it is one.
    pub terminal: Option<usize>,
}
