//! Symbolic arguments, environment, files and standard input, as the command line asks
//! for them.
//!
//! The words after a program's name are its arguments and, among them, options that
//! stand for symbolic input. Options and input names are KLEE's where KLEE has them. The
//! runtime (`runtime/src/symbolic_input.c`) creates the input while a program is
//! explored; [`SymbolicInputSpec`] is the same list, parsed here. A test stores these
//! words as its arguments, so it describes the meaning of its own inputs:
//! [`ProgramInput`] decodes the arguments, variables, files and standard input that the
//! program receives.

mod encode;
mod klee;
mod parse;
mod program_input;
mod status;
mod stream;

pub use klee::{is_klees_own, with_own_names};
pub use program_input::{FailingCall, InputFile, ProgramInput};
pub use status::FileStatus;
pub use stream::{StreamChoice, StreamType};

/// The symbolic input of a program, beside the inputs it creates by calling an intrinsic.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SymbolicInputSpec {
    /// The program's arguments, without its name.
    pub arguments: Vec<Argument>,
    /// Symbolic environment variables: name and maximal length of the value in bytes.
    pub variables: Vec<(Vec<u8>, u32)>,
    /// The number of files `A`, `B`, ... and the maximal size of each in bytes.
    pub files: Option<(u32, u32)>,
    /// The maximal size of standard input in bytes.
    pub stdin: Option<u32>,
    /// Files and standard input may be shorter than their maximal size.
    pub symbolic_sizes: bool,
    /// The result of `stat` on the files is symbolic.
    pub symbolic_status: bool,
    /// Permissions are checked by the symbolic results of `stat`.
    pub symbolic_access: bool,
    /// What standard input, output and error are.
    pub streams: [StreamChoice; 3],
    /// The number of system calls that may fail on one path.
    pub max_failures: u32,
    /// The number of allocations that may fail on one path.
    pub allocation_failures: u32,
    /// A system call without a model ends the path.
    pub end_unmodelled: bool,
}

/// One or several arguments of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A fixed word.
    Concrete(Vec<u8>),
    /// A symbolic word of at most this many bytes.
    Symbolic(u32),
    /// `min` to `max` symbolic words of at most `length` bytes each.
    #[allow(missing_docs)] // described by the variant
    Several { min: u32, max: u32, length: u32 },
}

impl SymbolicInputSpec {
    /// Parses the words after a program's name. The error names the wrong option.
    pub fn parse(words: &[Vec<u8>]) -> Result<SymbolicInputSpec, String> {
        parse::parse(words)
    }
}

/// Whether a word is an option of [`SymbolicInputSpec::parse`], not an argument.
pub fn is_option(word: &[u8]) -> bool {
    parse::option(word).is_some()
}
