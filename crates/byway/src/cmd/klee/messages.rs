//! KLEE's lines on standard error, and their copies in `messages.txt` and `warnings.txt`.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::console;

/// Prints messages and warnings, and writes them to files once there is a directory for them.
pub struct KleeMessages {
    warns_to_file_only: bool,
    messages: LogFile,
    warnings: LogFile,
}

/// A file, and the lines that wait for it.
#[derive(Default)]
struct LogFile {
    file: Option<File>,
    waiting: String,
}

impl LogFile {
    fn add(&mut self, line: &str) {
        match &mut self.file {
            // The run directory reports a full disk.
            Some(file) => drop(writeln!(file, "{line}")),
            None => self.waiting += &format!("{line}\n"),
        }
    }

    fn open(&mut self, path: &Path) -> io::Result<()> {
        let mut file = File::create(path)?;
        file.write_all(std::mem::take(&mut self.waiting).as_bytes())?;
        self.file = Some(file);
        Ok(())
    }
}

impl KleeMessages {
    pub fn new(warns_to_file_only: bool) -> KleeMessages {
        let (messages, warnings) = (LogFile::default(), LogFile::default());
        KleeMessages { warns_to_file_only, messages, warnings }
    }

    /// Creates the files.
    pub fn open(&mut self, directory: &Path) -> io::Result<()> {
        self.messages.open(&directory.join("messages.txt"))?;
        self.warnings.open(&directory.join("warnings.txt"))
    }

    /// Prints a message.
    pub fn message(&mut self, text: &str) {
        console::say(&format!("KLEE: {text}"));
        self.note(text);
    }

    /// Prints a warning.
    pub fn warning(&mut self, text: &str) {
        self.warn("WARNING", text);
    }

    /// Prints a warning that is not repeated.
    pub fn warning_once(&mut self, text: &str) {
        self.warn("WARNING ONCE", text);
    }

    fn warn(&mut self, kind: &str, text: &str) {
        if !self.warns_to_file_only {
            console::say(&format!("KLEE: {kind}: {text}"));
        }
        self.warnings.add(&format!("KLEE: {kind}: {text}"));
    }

    /// Records a message without printing it.
    pub fn note(&mut self, text: &str) {
        self.messages.add(&format!("KLEE: {text}"));
    }
}
