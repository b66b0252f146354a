//! Colours, for terminals only.

use std::fmt::Display;

/// How to set texts off. Without colours, the words stand alone.
#[derive(Copy, Clone)]
pub struct Style {
    color: bool,
}

impl Style {
    /// With or without colours.
    pub fn new(color: bool) -> Self {
        Style { color }
    }

    fn paint(self, codes: &str, text: impl Display) -> String {
        match self.color {
            true => format!("\x1b[{codes}m{text}\x1b[0m"),
            false => text.to_string(),
        }
    }

    /// What went wrong.
    pub fn error(self, text: impl Display) -> String {
        self.paint("1;31", text)
    }

    /// What the reader should know.
    pub fn warning(self, text: impl Display) -> String {
        self.paint("1;33", text)
    }

    /// A remark beside it.
    pub fn note(self, text: impl Display) -> String {
        self.paint("1;36", text)
    }

    /// What to read first.
    pub fn strong(self, text: impl Display) -> String {
        self.paint("1", text)
    }

    /// The frame around source lines.
    pub fn gutter(self, text: impl Display) -> String {
        self.paint("1;34", text)
    }

    /// What most readers skip.
    pub fn dim(self, text: impl Display) -> String {
        self.paint("2", text)
    }
}
