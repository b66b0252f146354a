//! Files with one JSON record per line.
//!
//! Each write appends whole lines, so a killed process leaves at most the last line incomplete.
//! A line without its line end is not a record.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use byway_testcase::atomic;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Result, RunDirError};

/// Appends records to a file.
pub struct RecordAppender {
    path: PathBuf,
    file: File,
}

impl RecordAppender {
    /// Creates the file; fails if it exists.
    pub fn create(path: PathBuf) -> Result<Self> {
        let file = File::options().append(true).create_new(true).open(&path);
        let file = file.map_err(|error| RunDirError::io("create", &path, &error))?;
        Ok(RecordAppender { path, file })
    }

    /// Opens a file to append more records. An incomplete last line is removed.
    pub fn reopen(path: PathBuf) -> Result<Self> {
        let failed = |error: io::Error| RunDirError::io("write", &path, &error);
        let file = File::options().append(true).read(true).open(&path).map_err(failed)?;
        let whole = end_of_last_line(&file).map_err(failed)?;
        file.set_len(whole).map_err(failed)?;
        Ok(RecordAppender { path, file })
    }

    /// Replaces a file by one with these records, to which more are appended.
    pub fn replace(path: PathBuf, records: &[impl Serialize]) -> Result<Self> {
        let mut lines = Vec::new();
        let written = put_lines(&mut lines, records).and_then(|()| atomic::write(&path, &lines));
        written.map_err(|error| RunDirError::io("write", &path, &error))?;
        RecordAppender::reopen(path)
    }

    /// Waits until everything that was written to the file system is on the disk.
    pub fn sync_file_system(&self) -> Result<()> {
        let synced = rustix::fs::syncfs(&self.file).map_err(io::Error::from);
        synced.map_err(|error| RunDirError::io("write", &self.path, &error))
    }

    pub fn add(&mut self, record: &impl Serialize) -> Result<()> {
        self.add_all(std::slice::from_ref(record))
    }

    /// Appends all records with one write.
    pub fn add_all(&mut self, records: &[impl Serialize]) -> Result<()> {
        let mut lines = Vec::new();
        let written = put_lines(&mut lines, records);
        let written = written.and_then(|()| self.file.write_all(&lines));
        written.map_err(|error| RunDirError::io("write", &self.path, &error))
    }
}

/// Appends each record as a line.
pub(crate) fn put_lines(lines: &mut Vec<u8>, records: &[impl Serialize]) -> io::Result<()> {
    for record in records {
        serde_json::to_writer(&mut *lines, record)?;
        lines.push(b'\n');
    }
    Ok(())
}

/// The length of a file up to its last line end.
fn end_of_last_line(mut file: &File) -> io::Result<u64> {
    let mut end = file.metadata()?.len();
    let mut block = vec![0; 1 << 16];
    while end > 0 {
        let start = end.saturating_sub(block.len() as u64);
        let read = &mut block[..(end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(read)?;
        if let Some(at) = read.iter().rposition(|&byte| byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// Iterates over the records of a file.
pub struct RecordLines<T> {
    path: PathBuf,
    reader: BufReader<File>,
    line: u64,
    record: PhantomData<T>,
}

impl<T: DeserializeOwned> RecordLines<T> {
    pub fn open(path: PathBuf) -> Result<Self> {
        let file = File::open(&path).map_err(|error| RunDirError::io("read", &path, &error))?;
        Ok(RecordLines { path, reader: BufReader::new(file), line: 0, record: PhantomData })
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

impl<T: DeserializeOwned> Iterator for RecordLines<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        self.read().transpose()
    }
}

/// The error for a line that is not a record. `serde_json` counts lines within the text it
/// parses, which is one line here: only its column is useful.
fn damaged(path: &Path, line: u64, error: &serde_json::Error) -> RunDirError {
    let text = error.to_string();
    let message = text.split(" at line ").next().unwrap_or(&text);
    let (path, column) = (path.display(), error.column());
    RunDirError::new(format!("'{path}' is damaged: line {line}, column {column}: {message}"))
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
        let records = RecordLines::<u32>::open(path).expect("readable");
        records.take(5).map(|record| record.map_err(|error| error.to_string())).collect()
    }

    #[test]
    fn appended_records_are_read_back() {
        let dir = TempDir::new().expect("a directory");
        let path = dir.path().join("x.jsonl");
        let mut file = RecordAppender::create(path.clone()).expect("writable");
        for record in ["one", "two\nlines"] {
            file.add(&record).expect("writable");
        }
        file.add_all(&["three", "four"]).expect("writable");
        file.add_all(&[0u32; 0]).expect("writable");
        let read: Result<Vec<String>> =
            RecordLines::open(path.clone()).expect("readable").collect();
        assert_eq!(read.expect("sound"), ["one", "two\nlines", "three", "four"]);
        assert!(RecordAppender::create(path).is_err(), "the file exists");
    }

    #[test]
    fn an_incomplete_last_line_is_removed_before_more_is_appended() {
        let dir = TempDir::new().expect("a directory");
        let path = dir.path().join("x.jsonl");
        let long = format!("1\n{}", "2".repeat(200_000));
        let cases = [("1\n2\n3", "1\n2\n7\n"), ("1\n", "1\n7\n"), ("12", "7\n"), ("", "7\n")];
        for (text, expected) in cases.into_iter().chain([(&*long, "1\n7\n")]) {
            fs::write(&path, text).expect("a file");
            RecordAppender::reopen(path.clone()).expect("writable").add(&7).expect("writable");
            assert_eq!(fs::read_to_string(&path).expect("a file"), expected);
        }
    }

    #[test]
    fn an_incomplete_last_line_is_ignored() {
        assert_eq!(records(b"1\n2\n3"), [Ok(1), Ok(2)]);
        assert_eq!(records(b"1\n2\n"), [Ok(1), Ok(2)]);
        assert_eq!(records(b""), []);
        assert_eq!(records(b"{\"a"), []);
    }

    #[test]
    fn a_damaged_line_is_reported_with_its_number() {
        let read = records(b"1\n{}\n");
        let Err(text) = &read[1] else { panic!("{read:?}") };
        assert!(text.contains("x.jsonl' is damaged: line 2, column "), "{text}");
        assert!(!text.contains("at line 1"), "{text}");
        assert!(records(b"\xff\n")[0].is_err());
    }
}
