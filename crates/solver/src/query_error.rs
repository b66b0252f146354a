//! What the user must hear of at once.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::rc::Rc;

/// Something that should not have happened. The run can go on.
#[derive(Debug)]
pub enum QueryError {
    /// An answer that the bare backend contradicts: a bug in Byway or in Bitwuzla.
    Disagreement {
        /// How they differ.
        what: String,
        /// The query as SMT-LIB.
        query: String,
    },
    /// A query could not be written down; none will be from here on.
    LogFailed {
        /// Its file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// Who is told.
pub type ErrorHandler = Rc<dyn Fn(&QueryError)>;

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueryError::Disagreement { what, query } => {
                write!(f, "the solver's answer is wrong: {what}. The query:\n{query}")
            }
            QueryError::LogFailed { path, error } => {
                write!(f, "queries are no longer logged: {}: {error}", path.display())
            }
        }
    }
}
