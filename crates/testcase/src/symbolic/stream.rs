//! What the standard streams are: pipes, files or terminals.

use std::fmt;

/// The names of the standard streams in options and inputs, by descriptor.
pub(super) const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// What a standard stream is.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)] // the names say it
pub enum StreamType {
    #[default]
    Pipe,
    File,
    Terminal,
}

impl StreamType {
    /// The number of types.
    pub(super) const COUNT: u32 = 3;

    /// The type with this number in a test.
    pub(super) fn by_number(number: u32) -> StreamType {
        match number {
            1 => StreamType::File,
            2 => StreamType::Terminal,
            _ => StreamType::Pipe,
        }
    }

    /// Its number in a test.
    pub(super) fn number(self) -> u32 {
        self as u32
    }
}

impl fmt::Display for StreamType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StreamType::Pipe => "a pipe",
            StreamType::File => "a file",
            StreamType::Terminal => "a terminal",
        })
    }
}

/// How `--stream-type` determines the type of a stream.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum StreamChoice {
    /// The same on all paths.
    Fixed(StreamType),
    /// Symbolic.
    Any,
}

impl Default for StreamChoice {
    fn default() -> Self {
        StreamChoice::Fixed(StreamType::default())
    }
}

impl StreamChoice {
    pub(super) fn by_name(name: &str) -> Option<StreamChoice> {
        Some(match name {
            "pipe" => StreamChoice::Fixed(StreamType::Pipe),
            "file" => StreamChoice::Fixed(StreamType::File),
            "tty" => StreamChoice::Fixed(StreamType::Terminal),
            "any" => StreamChoice::Any,
            _ => return None,
        })
    }
}

/// The standard streams, in words, that are no pipes: `standard input is a terminal`.
pub(super) fn unusual(types: [StreamType; 3]) -> impl Iterator<Item = String> {
    let names = ["standard input", "standard output", "standard error"];
    let other = names.into_iter().zip(types).filter(|(_, of)| *of != StreamType::Pipe);
    other.map(|(name, of)| format!("{name} is {of}"))
}
