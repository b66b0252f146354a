//! What the lab says when it cannot go on: a message for the person who wrote the experiment.

use std::fmt;
use std::io;
use std::path::Path;

/// Why it cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// What is wrong, and where.
    pub message: String,
    /// Lines below it, such as the line of the file that is meant.
    pub detail: Option<String>,
    /// What to do about it.
    pub hint: Option<String>,
}

/// The result of whatever may fail with a message.
pub type Result<T> = std::result::Result<T, Problem>;

impl Problem {
    /// A problem with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Problem { message: message.into(), detail: None, hint: None }
    }

    /// The failure of a file operation.
    pub fn io(action: &str, path: &Path, error: &io::Error) -> Self {
        let text = error.to_string();
        let reason = text.split(" (os error").next().unwrap_or_default();
        Problem::new(format!("cannot {action} '{}': {reason}", path.display()))
    }

    /// Adds lines below it.
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// Adds what to do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [Some(&self.message), self.detail.as_ref(), self.hint.as_ref()];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        f.write_str(&parts.join("\n"))
    }
}
