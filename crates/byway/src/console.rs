//! Standard output and standard error: plain lines, and colours on terminals.

use std::fmt::Display;
use std::io::{self, Write};

use crate::failure::{Failure, Result, reason};

/// Writes a line to standard error. Errors are ignored, because no other stream could report them.
pub fn say(line: &str) {
    say_raw(&format!("{line}\n"));
}

/// Writes text with its own line ends to standard error.
pub fn say_raw(text: &str) {
    // The test harness captures only the macro's output.
    #[cfg(test)]
    eprint!("{text}");
    #[cfg(not(test))]
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Writes text to standard output; a closed pipe is not an error.
pub fn print(text: &str) -> Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Ok(()) => Ok(()),
        // As in `byway ir x.c | head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => {
            let why = reason(&error);
            Err(Failure::new(format!("cannot write to standard output: {why}")))
        }
    }
}

/// Colours text with terminal escape sequences, or leaves it plain.
#[derive(Copy, Clone)]
pub struct Style {
    color: bool,
}

impl Style {
    /// `color`: write escape sequences.
    pub fn new(color: bool) -> Self {
        Style { color }
    }

    fn paint(self, codes: &str, text: impl Display) -> String {
        match self.color {
            true => format!("\x1b[{codes}m{text}\x1b[0m"),
            false => text.to_string(),
        }
    }

    /// The head of an error.
    pub fn error(self, text: impl Display) -> String {
        self.paint("1;31", text)
    }

    /// The head of a warning.
    pub fn warning(self, text: impl Display) -> String {
        self.paint("1;33", text)
    }

    /// The head of a note.
    pub fn note(self, text: impl Display) -> String {
        self.paint("1;36", text)
    }

    /// Emphasised text.
    pub fn strong(self, text: impl Display) -> String {
        self.paint("1", text)
    }

    /// The frame around source lines.
    pub fn gutter(self, text: impl Display) -> String {
        self.paint("1;34", text)
    }

    /// Secondary text.
    pub fn dim(self, text: impl Display) -> String {
        self.paint("2", text)
    }
}
