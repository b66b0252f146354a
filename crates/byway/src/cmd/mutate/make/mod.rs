//! Builds the program and its mutants: from the C sources of the run ([`SourceBuilder`]), or, for
//! a run of bitcode, with the user's commands ([`CommandBuilder`]).
//!
//! Mutated units are recompiled one by one, and linked with the unchanged others.

mod commands;
mod sources;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use byway_native::BuildError;

use crate::failure::{Failure, Result};
use crate::native_coverage::build::InstrumentedProgram;

pub use commands::{BuildCommands, CommandBuilder};
pub use sources::SourceBuilder;

/// Builds a program unit by unit.
pub trait ProgramBuilder: Sync {
    /// The numbers of the units that can be mutated.
    fn units(&self) -> Vec<usize>;

    /// The object of each unmutated unit.
    fn objects(&self) -> &[PathBuf];

    /// How clang parses a unit.
    fn parse_spec(&self, unit: usize) -> ParseSpec;

    /// Compiles a unit with one changed file.
    fn compile(&self, unit: usize, change: &ChangedFile<'_>, object: &Path) -> Result<MakeResult>;

    /// Links objects, one for each unit.
    fn link(&self, objects: &[PathBuf], program: &Path) -> Result<MakeResult>;

    /// Builds the program with coverage counters in `dir`.
    fn build_instrumented(&self, dir: &Path) -> Result<InstrumentedProgram>;

    /// A description of the compiler.
    fn describe(&self) -> String;
}

/// How clang parses a unit.
pub struct ParseSpec {
    /// The source, as the build names it.
    pub source: PathBuf,
    /// The directory that relative paths refer to.
    pub directory: PathBuf,
    /// Options for clang.
    pub options: Vec<OsString>,
    /// Included files can be mutated too.
    pub headers: bool,
}

/// A file with changed contents.
pub struct ChangedFile<'a> {
    /// The absolute paths under which compilers open the file.
    pub names: &'a [PathBuf],
    /// Its contents.
    pub text: &'a [u8],
    /// A directory for auxiliary files.
    pub dir: &'a Path,
}

/// The result of compiling or linking.
#[derive(Debug)]
pub enum MakeResult {
    Done,
    /// The tool rejected its input: a message, and its output.
    Rejected(String, String),
    /// The tool exceeded its time limit.
    TimedOut(String),
}

impl MakeResult {
    /// A failure unless the step is done, for the unmutated program.
    pub fn or_fail(self) -> Result<()> {
        match self {
            MakeResult::Done => Ok(()),
            MakeResult::Rejected(message, words) => Err(Failure::new(message).detail(words)),
            MakeResult::TimedOut(message) => {
                Err(Failure::new(message).hint("raise --load-timeout"))
            }
        }
    }
}

/// Separates errors in the input of a tool, which decide the fate of a mutant, from errors of the
/// machine, which end the analysis.
fn make_result(built: std::result::Result<(), BuildError>) -> Result<MakeResult> {
    match built {
        Ok(()) => Ok(MakeResult::Done),
        Err(BuildError::Stopped) => Err(Failure::interrupted()),
        Err(BuildError::Rejected(message, words)) => Ok(MakeResult::Rejected(message, words)),
        Err(BuildError::TimedOut(message)) => Ok(MakeResult::TimedOut(message)),
        Err(BuildError::Failed(message, words)) => Err(Failure::new(message).detail(words)),
    }
}
