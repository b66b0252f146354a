//! Source locations and stack frames.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A position in a source file, as plain data that does not depend on the
/// module. Line or column zero means "unknown".
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct SrcLoc {
    /// The file as the compiler recorded it, joined with its directory if relative.
    pub file: String,
    /// One-based line; zero if unknown.
    pub line: u32,
    /// One-based column; zero if unknown.
    pub column: u32,
}

impl fmt::Display for SrcLoc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line != 0 {
            write!(f, ":{}", self.line)?;
            if self.column != 0 {
                write!(f, ":{}", self.column)?;
            }
        }
        Ok(())
    }
}

/// One line of a call stack, innermost first. Inlined calls are frames of their
/// own, so that a stack does not depend on the optimiser.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct StackFrame {
    /// The function's name in the source.
    pub function: String,
    /// The location in that function, if the program has debug information.
    pub loc: Option<SrcLoc>,
    /// Whether the function is user code, not part of libc or the runtime.
    pub user: bool,
    /// The arguments of the call, if the engine was asked for them and knows them. Records of
    /// runs do not contain them: they differ between paths with the same stack.
    #[serde(skip)]
    pub arguments: Vec<StackArgument>,
}

/// An argument of a call on a stack.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StackArgument {
    /// The parameter's name in the source, if it is known.
    pub name: Option<String>,
    /// The width of the parameter.
    pub bits: u32,
    /// The value; `None` if it depends on symbolic input.
    pub value: Option<u128>,
}
