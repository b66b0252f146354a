//! Small changes of a program's source, as whoever reads the source offers them and
//! whoever tries the tests on them takes them.

use serde::{Deserialize, Serialize};

/// The kinds of changes.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MutationOperator {
    /// `+` to `-`, `*`, `/`, `%` and so on; a sign is left out.
    Arithmetic,
    /// `<` to `<=`, `>`, `>=`, `==`, `!=` and so on.
    Relational,
    /// `&&` to `||` and back; a `!` is left out.
    Logical,
    /// `&` to `|`, `^` and so on, `<<` to `>>` and back; a `~` is left out.
    Bitwise,
    /// `+=` to `-=`, `=` and so on.
    Assignment,
    /// `++` to `--` and back, before to behind and back.
    Increment,
    /// A literal to zero, one, and its neighbours.
    Constant,
    /// A statement to nothing.
    Deletion,
}

impl MutationOperator {
    /// All of them.
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

    /// The one of this name.
    pub fn by_name(name: &str) -> Option<MutationOperator> {
        MutationOperator::ALL.into_iter().find(|operator| operator.name() == name)
    }

    /// Its name.
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

/// One change: these bytes of a file are replaced. It never changes the number of lines.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Mutation {
    /// The file, as the compiler named it.
    pub file: String,
    /// The offset of the first byte that is replaced.
    pub begin: usize,
    /// The offset behind the last.
    pub end: usize,
    /// What they are replaced by.
    pub replacement: String,
    /// The kind of change.
    pub operator: MutationOperator,
    /// The function it is in.
    pub function: String,
    /// The line of the first byte.
    pub line: u32,
    /// The column of the first byte.
    pub column: u32,
    /// The lines of the whole expression or statement: whoever runs what is changed runs one
    /// of these.
    pub reach: Lines,
    /// The lines of the function, for where none of those has code.
    pub within: Lines,
}

/// Lines as compilers and debuggers count them: where `#line` says so, they are others than
/// those of the text, or of another file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Lines {
    /// The file.
    pub file: String,
    /// The first.
    pub first: u32,
    /// The last; both are 0 where a `#line` is among them, and nobody can tell.
    pub last: u32,
}

/// What can be changed in one compilation.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MutationPoints {
    /// The changes, by file and place, each once.
    pub mutations: Vec<Mutation>,
    /// Places that were left alone because a macro's definition holds their text: the file
    /// and the line where the macro is used, each once.
    pub in_macros: Vec<(String, u32)>,
}
