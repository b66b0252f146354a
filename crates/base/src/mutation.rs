//! Mutations: small changes of a program's source. The mutation finder proposes them, and
//! mutation testing applies them.

use serde::{Deserialize, Serialize};

/// The kinds of mutations.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MutationOperator {
    /// `+` to `-`, `*`, `/`, `%` and so on; a sign is removed.
    Arithmetic,
    /// `<` to `<=`, `>`, `>=`, `==`, `!=` and so on.
    Relational,
    /// `&&` to `||` and back; a `!` is removed.
    Logical,
    /// `&` to `|`, `^` and so on, `<<` to `>>` and back; a `~` is removed.
    Bitwise,
    /// `+=` to `-=`, `=` and so on.
    Assignment,
    /// `++` to `--` and back, prefix to postfix and back.
    Increment,
    /// A literal to zero, one, and its neighbours.
    Constant,
    /// A statement is removed.
    Deletion,
}

impl MutationOperator {
    /// All operators.
    pub const ALL: [MutationOperator; 8] = [
        MutationOperator::Arithmetic,
        MutationOperator::Relational,
        MutationOperator::Logical,
        MutationOperator::Bitwise,
        MutationOperator::Assignment,
        MutationOperator::Increment,
        MutationOperator::Constant,
        MutationOperator::Deletion,
    ];

    /// The inverse of [`name`](Self::name).
    pub fn by_name(name: &str) -> Option<MutationOperator> {
        MutationOperator::ALL.into_iter().find(|operator| operator.name() == name)
    }

    /// Its name in options and records.
    pub fn name(self) -> &'static str {
        match self {
            MutationOperator::Arithmetic => "arithmetic",
            MutationOperator::Relational => "relational",
            MutationOperator::Logical => "logical",
            MutationOperator::Bitwise => "bitwise",
            MutationOperator::Assignment => "assignment",
            MutationOperator::Increment => "increment",
            MutationOperator::Constant => "constant",
            MutationOperator::Deletion => "deletion",
        }
    }
}

/// One mutation: replaces a range of bytes of a file. It never changes the number of lines.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Mutation {
    /// The file, as the compiler named it.
    pub file: String,
    /// The offset of the first replaced byte.
    pub begin: usize,
    /// The offset after the last replaced byte.
    pub end: usize,
    /// The replacement.
    pub replacement: String,
    /// The kind of mutation.
    pub operator: MutationOperator,
    /// The function that contains it.
    pub function: String,
    /// The line of the first byte.
    pub line: u32,
    /// The column of the first byte.
    pub column: u32,
    /// The lines of the whole expression or statement: an execution of the mutated code executes
    /// one of these.
    pub reach: Lines,
    /// The lines of the function, for the case that none of the above has code.
    pub within: Lines,
}

/// A range of lines as compilers and debuggers count them: `#line` directives can change the
/// number and the file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Lines {
    /// The file, after `#line` directives.
    pub file: String,
    /// The first line.
    pub first: u32,
    /// The last line; both are 0 if a `#line` directive within the range makes them unknown.
    pub last: u32,
}

/// The mutations of one compilation unit.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MutationPoints {
    /// The mutations by file and offset, without duplicates.
    pub mutations: Vec<Mutation>,
    /// Skipped locations whose text is part of a macro definition: the file and the line where
    /// the macro is used, without duplicates.
    pub in_macros: Vec<(String, u32)>,
}
