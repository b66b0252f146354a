//! Errors that are reported to the user at once.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::rc::Rc;

/// An error of the solver's checks or its log. The run continues.
#[derive(Debug)]
pub enum QueryError {
    /// The bare backend contradicts an answer: a bug in Byway or in Bitwuzla.
    Disagreement {
        /// How the answers differ.
        difference: String,
        /// The query as SMT-LIB.
        query: String,
    },
    /// A query could not be written. The log ends with it.
    LogFailed {
        /// The query's file.
        path: PathBuf,
        /// The error of the write.
        error: io::Error,
    },
}

/// Receives errors as they occur.
pub type ErrorHandler = Rc<dyn Fn(&QueryError)>;

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueryError::Disagreement { difference, query } => {
                write!(f, "the solver's answer is wrong: {difference}. The query:\n{query}")
            }
            QueryError::LogFailed { path, error } => {
                write!(f, "queries are no longer logged: {}: {error}", path.display())
            }
        }
    }
}
