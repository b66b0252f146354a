//! Reads and writes KLEE's `.ktest` format.
//!
//! ```text
//! file    = magic version:u32 args:list(string) [symbolic:u32 length:u32] inputs:list(input)
//! magic   = "KTEST" | "BOUT\n" (the oldest files)
//! list(x) = count:u32 x*
//! input   = name:string bytes:string
//! string  = length:u32 byte*                   all numbers big-endian
//! ```
//!
//! Version 3 is written, versions 1 to 3 are read. The two numbers in brackets came with
//! version 2, described symbolic arguments, and are zero in every file that KLEE writes.
//! Unlike KLEE's reader, this one gives a reason for every file it rejects, and rejects
//! trailing bytes. Nothing is allocated for a count before its bytes are found.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use byway_base::{Input, TestCase};

use crate::atomic;

/// The extension of test files.
pub const EXTENSION: &str = "ktest";

const MAGIC: &[u8; 5] = b"KTEST";
const OLD_MAGIC: &[u8; 5] = b"BOUT\n";
const VERSION: u32 = 3;
/// The first version with the two numbers on symbolic arguments.
const SYMBOLIC_ARGUMENTS_SINCE: u32 = 2;
/// The limit on file size in bytes. Tests are small; the path may name an endless device.
const MAX_FILE: u64 = 1 << 30;

/// The reason why bytes are not a test, or why a test cannot be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KtestError {
    /// The file does not begin with the magic bytes.
    NotATest,
    /// The version is unknown.
    Version(u32),
    /// The file ends too early.
    CutShort {
        /// The element being read.
        what: String,
        /// The bytes it needs.
        needed: u64,
        /// The bytes that remain.
        left: u64,
    },
    /// This many bytes follow the end of the test.
    TooLong(u64),
    /// A name or argument contains bytes that it must not.
    BadName {
        /// The element with that name.
        what: String,
        /// The defect.
        why: &'static str,
    },
    /// A size or count exceeds the range of the format.
    TooLarge(String),
}

impl fmt::Display for KtestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KtestError::NotATest => f.write_str("not a test: it does not begin with 'KTEST'"),
            KtestError::Version(version) => {
                write!(f, "a test of version {version}, but only 1 to {VERSION} are known")
            }
            KtestError::CutShort { what, needed, left } => {
                write!(f, "cut short: {what} takes {needed} bytes more, but only {left} are left")
            }
            KtestError::TooLong(bytes) => {
                write!(f, "damaged: {bytes} bytes follow where the test should end")
            }
            KtestError::BadName { what, why } => write!(f, "{what} {why}"),
            KtestError::TooLarge(what) => write!(f, "{what} is too large for a .ktest file"),
        }
    }
}

impl std::error::Error for KtestError {}

/// Reads the test in a file.
pub fn read(path: &Path) -> io::Result<TestCase> {
    Ok(decode(&read_bytes(path)?)?)
}

/// Reads a file that should be a test, without decoding it.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(KtestError::TooLarge("the file".into()).into());
    }
    Ok(bytes)
}

/// Writes a test to a file, atomically.
pub fn write(path: &Path, test: &TestCase) -> io::Result<()> {
    atomic::write(path, &encode(test)?)
}

impl From<KtestError> for io::Error {
    fn from(error: KtestError) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, error)
    }
}

/// Encodes a test as the bytes of a file.
pub fn encode(test: &TestCase) -> Result<Vec<u8>, KtestError> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_be_bytes());
    put_number(&mut bytes, test.args.len(), || "the list of arguments".into())?;
    for (index, arg) in test.args.iter().enumerate() {
        put_name(&mut bytes, arg, || argument(index))?;
    }
    bytes.extend([0; 8]);
    put_number(&mut bytes, test.inputs.len(), || "the list of inputs".into())?;
    for (index, input) in test.inputs.iter().enumerate() {
        put_name(&mut bytes, input.name.as_bytes(), || name_of(index))?;
        put_string(&mut bytes, &input.bytes, || format!("input '{}'", input.name))?;
    }
    Ok(bytes)
}

fn put_number(
    bytes: &mut Vec<u8>,
    number: usize,
    what: impl Fn() -> String,
) -> Result<(), KtestError> {
    // KLEE's tools read numbers as signed.
    let number = i32::try_from(number).map_err(|_| KtestError::TooLarge(what()))?;
    bytes.extend(number.to_be_bytes());
    Ok(())
}

fn put_string(
    bytes: &mut Vec<u8>,
    string: &[u8],
    what: impl Fn() -> String,
) -> Result<(), KtestError> {
    put_number(bytes, string.len(), what)?;
    bytes.extend(string);
    Ok(())
}

/// Writes a string that C reads up to a zero byte.
fn put_name(bytes: &mut Vec<u8>, name: &[u8], what: impl Fn() -> String) -> Result<(), KtestError> {
    reject_zero(name, &what)?;
    put_string(bytes, name, what)
}

fn reject_zero(name: &[u8], what: impl Fn() -> String) -> Result<(), KtestError> {
    match name.contains(&0) {
        true => Err(KtestError::BadName { what: what(), why: "holds a zero byte" }),
        false => Ok(()),
    }
}

fn argument(index: usize) -> String {
    format!("argument {index}")
}

fn name_of(index: usize) -> String {
    format!("the name of input {index}")
}

/// Decodes the bytes of a file. Never panics, whatever the bytes are.
pub fn decode(bytes: &[u8]) -> Result<TestCase, KtestError> {
    let mut reader = KtestReader { rest: bytes };
    let magic = reader.rest.split_at_checked(MAGIC.len()).ok_or(KtestError::NotATest)?;
    if magic.0 != MAGIC && magic.0 != OLD_MAGIC {
        return Err(KtestError::NotATest);
    }
    reader.rest = magic.1;
    let version = reader.number(|| "the version".into())?;
    if !(1..=VERSION).contains(&version) {
        return Err(KtestError::Version(version));
    }

    let mut test = TestCase::default();
    for index in 0..reader.number(|| "the number of arguments".into())? as usize {
        let arg = reader.string(|| argument(index))?;
        reject_zero(arg, || argument(index))?;
        test.args.push(arg.to_vec());
    }
    if version >= SYMBOLIC_ARGUMENTS_SINCE {
        reader.number(|| "the number of symbolic arguments".into())?;
        reader.number(|| "the length of symbolic arguments".into())?;
    }
    for index in 0..reader.number(|| "the number of inputs".into())? as usize {
        let name = reader.string(|| name_of(index))?;
        reject_zero(name, || name_of(index))?;
        let name = std::str::from_utf8(name)
            .map_err(|_| KtestError::BadName { what: name_of(index), why: "is not UTF-8" })?
            .to_string();
        let bytes = reader.string(|| format!("input '{name}'"))?.to_vec();
        test.inputs.push(Input { name, bytes });
    }
    match reader.rest.len() {
        0 => Ok(test),
        left => Err(KtestError::TooLong(left as u64)),
    }
}

struct KtestReader<'a> {
    rest: &'a [u8],
}

impl<'a> KtestReader<'a> {
    fn bytes(&mut self, count: usize, what: impl Fn() -> String) -> Result<&'a [u8], KtestError> {
        let Some((bytes, rest)) = self.rest.split_at_checked(count) else {
            let (needed, left) = (count as u64, self.rest.len() as u64);
            return Err(KtestError::CutShort { what: what(), needed, left });
        };
        self.rest = rest;
        Ok(bytes)
    }

    fn number(&mut self, what: impl Fn() -> String) -> Result<u32, KtestError> {
        let bytes = self.bytes(4, what)?;
        Ok(bytes.iter().fold(0, |number, &byte| number << 8 | u32::from(byte)))
    }

    fn string(&mut self, what: impl Fn() -> String) -> Result<&'a [u8], KtestError> {
        let length = self.number(|| format!("the length of {}", what()))?;
        self.bytes(length as usize, what)
    }
}

#[cfg(test)]
mod tests;
