//! The error of a command: a message, details, and a hint.

use std::fmt;
use std::io;
use std::path::Path;

/// Why a command failed. The message is for the user; it never names Byway's own source.
#[derive(Debug)]
pub struct Failure {
    message: String,
    /// Lines shown below the message, such as clang's diagnostics.
    detail: Option<String>,
    hint: Option<String>,
    kind: FailureKind,
}

/// Decides the exit code.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// The input, the options or the installation are at fault.
    Input,
    /// The user asked to stop.
    Interrupted,
}

pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub fn new(message: impl Into<String>) -> Self {
        let message = message.into();
        Failure { message, detail: None, hint: None, kind: FailureKind::Input }
    }

    /// The failure of a file operation: `cannot read 'x.bc': No such file ...`.
    pub fn io(action: &str, path: &Path, error: &io::Error) -> Self {
        Failure::new(format!("cannot {action} '{}': {}", path.display(), reason(error)))
    }

    /// The user pressed Ctrl-C.
    pub fn interrupted() -> Self {
        Failure { kind: FailureKind::Interrupted, ..Failure::new("interrupted") }
    }

    /// The user pressed Ctrl-C during this activity.
    pub fn interrupted_while(doing: &str) -> Self {
        let message = format!("interrupted while {doing}");
        Failure { message, ..Failure::interrupted() }
    }

    /// Adds advice.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Names what failed, before the message.
    pub fn within(mut self, part: &str) -> Self {
        self.message = format!("{part}: {}", self.message);
        self
    }

    /// Adds the output of the tool that failed.
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        self.detail = (!detail.trim().is_empty()).then_some(detail);
        self
    }

    pub fn kind(&self) -> FailureKind {
        self.kind
    }
}

impl From<byway_rundir::RunDirError> for Failure {
    fn from(error: byway_rundir::RunDirError) -> Self {
        let failure = Failure::new(error.message());
        match error.hint() {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

impl From<byway_lab::LabError> for Failure {
    fn from(error: byway_lab::LabError) -> Self {
        let failure = Failure::new(error.message).detail(error.detail.unwrap_or_default());
        match error.hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(detail) = &self.detail {
            for line in detail.trim_end().lines() {
                write!(f, "\n  {line}")?;
            }
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

/// The text of an operating system error, without Rust's `(os error N)`.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_string(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_message_detail_and_hint() {
        let failure = Failure::new("no").detail("a\nb\n").hint("try yes");
        assert_eq!(failure.to_string(), "no\n  a\n  b\n  hint: try yes");
    }

    #[test]
    fn leaves_out_an_empty_detail() {
        assert_eq!(Failure::new("no").detail(" \n").to_string(), "no");
    }

    #[test]
    fn drops_the_error_number() {
        let error = io::Error::from_raw_os_error(libc::ENOENT);
        assert_eq!(reason(&error), "No such file or directory");
    }
}
