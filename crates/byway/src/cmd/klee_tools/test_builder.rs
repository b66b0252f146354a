//! Builds tests as KLEE's POSIX model names their objects: arguments, files, standard streams.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use byway_base::{Input, TestCase};
use byway_testcase::ktest;

use crate::failure::{Failure, Result};

/// The version of KLEE's model, which its tests end with.
const MODEL_VERSION: u32 = 1;

/// The size of `struct stat`.
const STATUS_SIZE: usize = 144;

/// KLEE's model names files by letters.
pub const MAX_FILES: usize = 26;

/// A test that is being built. Objects are added in the order of KLEE's model.
#[derive(Default)]
pub struct TestBuilder {
    inputs: Vec<Input>,
    arguments: usize,
}

impl TestBuilder {
    /// Adds an argument: its bytes, with a zero at the end.
    pub fn argument(&mut self, bytes: Vec<u8>) {
        let name = format!("arg{:02}", self.arguments);
        self.arguments += 1;
        self.push(name, bytes);
    }

    /// Adds a number, such as that of arguments.
    pub fn number(&mut self, name: &str, number: u32) {
        self.push(name.into(), number.to_le_bytes().to_vec());
    }

    /// Adds the file with this index: its contents, and the result of `stat` on it, if it is a
    /// real one.
    pub fn file(&mut self, index: usize, contents: Vec<u8>, status: Option<&Metadata>) {
        if let Some(letter) = ('A'..='Z').nth(index) {
            self.stream(&format!("{letter}_data"), contents, status);
        }
    }

    /// Adds a standard stream, as [`TestBuilder::file`]. KLEE has no empty objects.
    pub fn stream(&mut self, name: &str, contents: Vec<u8>, status: Option<&Metadata>) {
        if contents.is_empty() {
            return;
        }
        let status = status_bytes(status, contents.len() as u64);
        self.push(name.into(), contents);
        self.push(format!("{name}_stat"), status);
    }

    fn push(&mut self, name: String, bytes: Vec<u8>) {
        self.inputs.push(Input { name, bytes });
    }

    /// Writes the test, with these words as those of its program's call.
    pub fn write(mut self, args: Vec<Vec<u8>>, path: &Path) -> Result<()> {
        self.number("model_version", MODEL_VERSION);
        let test = TestCase { args, inputs: self.inputs };
        ktest::write(path, &test).map_err(|error| Failure::io("write", path, &error))
    }
}

/// `struct stat` of x86-64 Linux. Without a file: that of a regular file which everyone may
/// use, the same at any time.
fn status_bytes(file: Option<&Metadata>, size: u64) -> Vec<u8> {
    let long = |field: fn(&Metadata) -> u64, default| file.map_or(default, field);
    let word = |field: fn(&Metadata) -> u32, default| file.map_or(default, field);
    let mut bytes = Vec::with_capacity(STATUS_SIZE);
    for number in [long(Metadata::dev, 1), long(Metadata::ino, 1), long(Metadata::nlink, 1)] {
        bytes.extend(number.to_le_bytes());
    }
    let owner = [word(Metadata::uid, 0), word(Metadata::gid, 0)];
    for number in [word(Metadata::mode, libc::S_IFREG | 0o777), owner[0], owner[1], 0] {
        bytes.extend(number.to_le_bytes());
    }
    let blocks = long(Metadata::blocks, size.div_ceil(512));
    for number in [long(Metadata::rdev, 0), size, long(Metadata::blksize, 4096), blocks] {
        bytes.extend(number.to_le_bytes());
    }
    let times = file.map_or([0; 6], |file| {
        [
            file.atime(),
            file.atime_nsec(),
            file.mtime(),
            file.mtime_nsec(),
            file.ctime(),
            file.ctime_nsec(),
        ]
    });
    bytes.extend(times.iter().flat_map(|number| number.to_le_bytes()));
    bytes.resize(STATUS_SIZE, 0);
    bytes
}
