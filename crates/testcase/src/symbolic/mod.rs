//! Symbolic arguments, environment, files and standard input: what was asked for, in
//! the words of the command line.
//!
//! A program's words are its arguments and, in between, options that stand for input.
//! The words and the names of what becomes input are KLEE's where KLEE has them. The
//! runtime (`runtime/src/symbolic_input.c`) makes the input while a program is
//! explored; [`Wishes`] is the same list, read on this side of it. A test holds the
//! words among its arguments, so it says by itself what its inputs stand for:
//! [`Situation`] is what a program finds that is run on it.

mod encode;
mod read;
mod situation;
mod status;

pub use situation::{Failure, File, Situation};
pub use status::Status;

/// What a program is given beside what it asks for itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wishes {
    /// Its arguments, without its name.
    pub arguments: Vec<Argument>,
    /// Variables of its environment that are input: their names, and how many bytes
    /// their values have at most.
    pub variables: Vec<(Vec<u8>, u32)>,
    /// How many files `A`, `B`, ... there are, and how many bytes each has at most.
    pub files: Option<(u32, u32)>,
    /// How many bytes standard input has at most.
    pub stdin: Option<u32>,
    /// Whether files and standard input may be shorter.
    pub sizes: bool,
    /// Whether what `stat` says of the files is input.
    pub status: bool,
    /// How many system calls may fail.
    pub failures: u32,
    /// Whether a system call without a model ends the path.
    pub end_unmodelled: bool,
}

/// One or several arguments of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// As it stands.
    Given(Vec<u8>),
    /// Symbolic, of at most so many bytes.
    Symbolic(u32),
    /// Several of these.
    Several {
        /// How many at least.
        least: u32,
        /// How many at most.
        most: u32,
        /// The bytes of each, at most.
        length: u32,
    },
}

impl Wishes {
    /// Reads the words that follow a program's name; an error says what is wrong with
    /// which.
    pub fn read(words: &[Vec<u8>]) -> Result<Wishes, String> {
        read::read(words)
    }
}

/// Whether a word is an option that [`Wishes::read`] knows, not an argument.
pub fn is_option(word: &[u8]) -> bool {
    read::option(word).is_some()
}
