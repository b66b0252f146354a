//! The error of the lab: a message for the author of the experiment.

use std::fmt;
use std::io;
use std::path::Path;

/// Why an experiment, or one of its runs, failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabError {
    /// One sentence, with the line of the experiment if it has one.
    pub message: String,
    /// Further lines, such as the text of that line.
    pub detail: Option<String>,
    /// What the user can do about it.
    pub hint: Option<String>,
}

/// The result of an operation of the lab.
pub type Result<T> = std::result::Result<T, LabError>;

impl LabError {
    /// An error without detail or hint.
    pub fn new(message: impl Into<String>) -> Self {
        LabError { message: message.into(), detail: None, hint: None }
    }

    /// A failed file operation: `cannot read 'x.toml': No such file or directory`.
    pub fn io(action: &str, path: &Path, error: &io::Error) -> Self {
        let text = error.to_string();
        let reason = text.split(" (os error").next().unwrap_or_default();
        LabError::new(format!("cannot {action} '{}': {reason}", path.display()))
    }

    /// Sets the further lines.
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// Sets the hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl From<byway_rundir::RunDirError> for LabError {
    fn from(error: byway_rundir::RunDirError) -> Self {
        let hint = error.hint().map(String::from);
        LabError { hint, ..LabError::new(error.message()) }
    }
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [Some(&self.message), self.detail.as_ref(), self.hint.as_ref()];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        f.write_str(&parts.join("\n"))
    }
}
