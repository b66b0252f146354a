//! How the program is made: by Byway, of the C sources of the run ([`SourceBuilder`]), or by
//! commands of the user's ([`CommandBuilder`]), where the run was of bitcode.
//!
//! Either way the units that are changed are compiled one by one, and linked with the
//! rest as it is.

mod commands;
mod sources;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use byway_native::BuildError;

use crate::failure::{Failure, Result};
use crate::native_coverage::build::InstrumentedProgram;

pub use commands::{BuildCommands, CommandBuilder};
pub use sources::SourceBuilder;

/// Who makes the program.
pub trait ProgramBuilder: Sync {
    /// The units that can be changed, by number.
    fn units(&self) -> Vec<usize>;

    /// The object of each unit as it is, by number.
    fn objects(&self) -> &[PathBuf];

    /// What clang has to know to read a unit as it is compiled.
    fn reading(&self, unit: usize) -> ParseSpec;

    /// Compiles a unit while a file of it holds something else.
    fn compile(&self, unit: usize, change: &ChangedFile<'_>, object: &Path) -> Result<MakeResult>;

    /// Links objects, one for each unit.
    fn link(&self, objects: &[PathBuf], program: &Path) -> Result<MakeResult>;

    /// The program built in a directory so that it counts what runs of it.
    fn counting(&self, dir: &Path) -> Result<InstrumentedProgram>;

    /// How it is compiled, in words.
    fn describe(&self) -> String;
}

/// How clang reads a unit.
pub struct ParseSpec {
    /// The source, as it is named.
    pub source: PathBuf,
    /// The directory that relative names mean.
    pub directory: PathBuf,
    /// What clang is told.
    pub options: Vec<OsString>,
    /// Whether files that the source includes can be changed, too.
    pub headers: bool,
}

/// A file that holds something else.
pub struct ChangedFile<'a> {
    /// The names that compilers have for the file, from the root on.
    pub names: &'a [PathBuf],
    /// What it holds.
    pub text: &'a [u8],
    /// A directory for files that it takes to say so.
    pub dir: &'a Path,
}

/// What came of making something.
#[derive(Debug)]
pub enum MakeResult {
    /// It is there.
    Done,
    /// A tool refused, in these words.
    Rejected(String, String),
    /// A tool did not end in time.
    TimedOut(String),
}

impl MakeResult {
    /// Where there is no doubt that it can be made.
    pub fn or_fail(self) -> Result<()> {
        match self {
            MakeResult::Done => Ok(()),
            MakeResult::Rejected(message, words) => Err(Failure::new(message).detail(words)),
            MakeResult::TimedOut(message) => {
                Err(Failure::new(message).hint("--load-timeout allows more"))
            }
        }
    }
}

/// What a build that failed tells. What the machine is to blame for is nothing that a mutant
/// can be judged by.
fn made(built: std::result::Result<(), BuildError>) -> Result<MakeResult> {
    match built {
        Ok(()) => Ok(MakeResult::Done),
        Err(BuildError::Stopped) => Err(Failure::interrupted()),
        Err(BuildError::Rejected(message, words)) => Ok(MakeResult::Rejected(message, words)),
        Err(BuildError::TimedOut(message)) => Ok(MakeResult::TimedOut(message)),
        Err(BuildError::Failed(message, words)) => Err(Failure::new(message).detail(words)),
    }
}
