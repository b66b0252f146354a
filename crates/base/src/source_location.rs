//! Where something is in the user's source.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A position in a source file, resolved to plain text so that it outlives the
/// module it came from. Line or column zero means "unknown".
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
/// own, so that a stack reads the same whatever the optimiser did.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct StackFrame {
    /// The function's name as the user wrote it.
    pub function: String,
    /// Where in that function, if the program carries debug locations.
    pub loc: Option<SrcLoc>,
    /// Whether the function is the user's own, not libc's or the runtime's.
    pub user: bool,
}
