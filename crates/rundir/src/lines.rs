//! Files of one JSON record a line.
//!
//! A record is appended with one write, alone or with others, its line end last; so a
//! process that is killed leaves at most the last line torn, and a line without its end
//! is no record.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Result, RunDirError};

/// A file that records are added to.
pub struct Appender {
    path: PathBuf,
    file: File,
}

impl Appender {
    /// A new file.
    pub fn create(path: PathBuf) -> Result<Self> {
        let file = File::options().append(true).create_new(true).open(&path);
        let file = file.map_err(|error| RunDirError::io("create", &path, &error))?;
        Ok(Appender { path, file })
    }

    /// Adds a record.
    pub fn add(&mut self, record: &impl Serialize) -> Result<()> {
        self.add_all(std::slice::from_ref(record))
    }

    /// Adds records, all with one write.
    pub fn add_all(&mut self, records: &[impl Serialize]) -> Result<()> {
        let mut lines = Vec::new();
        let made = records.iter().try_for_each(|record| {
            serde_json::to_writer(&mut lines, record)?;
            lines.push(b'\n');
            Ok(())
        });
        let written = made.map_err(|error: serde_json::Error| io::Error::from(error));
        let written = written.and_then(|()| self.file.write_all(&lines));
        written.map_err(|error| RunDirError::io("write", &self.path, &error))
    }
}

/// The records of a file, one after the other.
pub struct Records<T> {
    path: PathBuf,
    reader: BufReader<File>,
    line: u64,
    record: PhantomData<T>,
}

impl<T: DeserializeOwned> Records<T> {
    /// Opens a file.
    pub fn open(path: PathBuf) -> Result<Self> {
        let file = File::open(&path).map_err(|error| RunDirError::io("read", &path, &error))?;
        Ok(Records { path, reader: BufReader::new(file), line: 0, record: PhantomData })
    }

    fn read(&mut self) -> Result<Option<T>> {
        let mut line = Vec::new();
        let read = self.reader.read_until(b'\n', &mut line);
        read.map_err(|error| RunDirError::io("read", &self.path, &error))?;
        if line.pop() != Some(b'\n') {
            return Ok(None);
        }
        self.line += 1;
        serde_json::from_slice(&line)
            .map(Some)
            .map_err(|error| damaged(&self.path, self.line, &error))
    }
}

impl<T: DeserializeOwned> Iterator for Records<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        self.read().transpose()
    }
}

/// A record that cannot be read. The library counts lines within the text it was
/// given, which is one line here, so only the column it names is of use.
fn damaged(path: &Path, line: u64, error: &serde_json::Error) -> RunDirError {
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or(&text);
    let column = error.column();
    RunDirError::new(format!(
        "'{}' is damaged: line {line}, column {column}: {what}",
        path.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::TempDir;

    fn records(text: &[u8]) -> Vec<std::result::Result<u32, String>> {
        let dir = TempDir::new().expect("a directory");
        let path = dir.path().join("x.jsonl");
        fs::write(&path, text).expect("a file");
        let records = Records::<u32>::open(path).expect("readable");
        records.take(5).map(|record| record.map_err(|failure| failure.to_string())).collect()
    }

    #[test]
    fn what_is_added_is_read() {
        let dir = TempDir::new().expect("a directory");
        let path = dir.path().join("x.jsonl");
        let mut file = Appender::create(path.clone()).expect("writable");
        for record in ["one", "two\nlines"] {
            file.add(&record).expect("writable");
        }
        file.add_all(&["three", "four"]).expect("writable");
        file.add_all(&[0u32; 0]).expect("writable");
        let read: Result<Vec<String>> = Records::open(path.clone()).expect("readable").collect();
        assert_eq!(read.expect("sound"), ["one", "two\nlines", "three", "four"]);
        assert!(Appender::create(path).is_err(), "it is there already");
    }

    #[test]
    fn a_torn_last_line_is_no_record() {
        assert_eq!(records(b"1\n2\n3"), [Ok(1), Ok(2)]);
        assert_eq!(records(b"1\n2\n"), [Ok(1), Ok(2)]);
        assert_eq!(records(b""), []);
        assert_eq!(records(b"{\"a"), []);
    }

    #[test]
    fn damage_is_named_with_its_line() {
        let read = records(b"1\n{}\n");
        let Err(text) = &read[1] else { panic!("{read:?}") };
        assert!(text.contains("x.jsonl' is damaged: line 2, column "), "{text}");
        assert!(!text.contains("at line 1"), "{text}");
        assert!(records(b"\xff\n")[0].is_err());
    }
}
