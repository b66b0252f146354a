//! The error of every operation on a run directory.

use std::fmt;
use std::io;
use std::path::Path;

/// Why a run directory could not be written or read: one sentence for the user, and what
/// to do about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunDirError {
    message: String,
    hint: Option<String>,
    is_disk_full: bool,
}

/// The result of an operation on a run directory.
pub type Result<T> = std::result::Result<T, RunDirError>;

impl RunDirError {
    /// An error in one sentence.
    pub fn new(message: impl Into<String>) -> Self {
        RunDirError { message: message.into(), hint: None, is_disk_full: false }
    }

    /// A failed file operation: `cannot read 'x.json': No such file or directory`.
    pub fn io(action: &str, path: &Path, error: &io::Error) -> Self {
        let message = format!("cannot {action} '{}': {}", path.display(), reason(error));
        let is_disk_full =
            matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
        RunDirError { is_disk_full, ..RunDirError::new(message) }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What went wrong, without the hint.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Whether there is no space left on the disk, or in the user's quota.
    pub fn is_disk_full(&self) -> bool {
        self.is_disk_full
    }

    /// What the user can do about it.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for RunDirError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for RunDirError {}

/// The operating system's own words, without Rust's `(os error N)`.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.find(" (os error").map_or(text.clone(), |end| text[..end].to_string())
}
