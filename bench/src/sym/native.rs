//! Runs a program natively on given inputs; the counterpart of `bench/sym/driver.h`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use byway_testcase::symbolic::ProgramInput;

use crate::process::{self, ProcessStatus};
use crate::setup::{BenchSetup, WorkDir, create_dir};
use crate::toolchain::Level;

/// All inputs of a program take seconds; more means an endless loop.
const LIMIT: Duration = Duration::from_secs(120);

/// The observed behaviour of a program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Behaviour {
    /// The recorded decisions, one letter each.
    pub notes: String,
    /// Its exit code.
    pub code: u8,
}

impl fmt::Display for Behaviour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' with exit code {}", self.notes, self.code)
    }
}

/// A program that can be asked.
pub struct NotedProgram<'a> {
    folder: &'a WorkDir,
    path: PathBuf,
}

impl<'a> NotedProgram<'a> {
    /// Compiles one.
    pub fn new(setup: &BenchSetup, source: &Path, folder: &'a WorkDir) -> Result<Self, String> {
        let (bitcode, path) = (folder.file("native.bc"), folder.file("native"));
        setup.toolchain.bitcode(source, Level::O0, &["-DNATIVE".to_owned()], &bitcode)?;
        setup.toolchain.executable(&bitcode, Level::O0, &path)?;
        Ok(NotedProgram { folder, path })
    }

    /// Its behaviour on each of these inputs.
    pub fn run(&self, inputs: &[ProgramInput]) -> Result<Vec<Behaviour>, String> {
        let (requests, answers) = (self.folder.file("requests"), self.folder.file("answers"));
        let mut bytes = Vec::new();
        for input in inputs {
            request(&mut bytes, input)?;
        }
        std::fs::write(&requests, bytes).map_err(|e| format!("requests: {e}"))?;
        let work = self.folder.file("work");
        create_dir(&work)?;
        let mut command = Command::new(&self.path);
        command.args([&requests, &answers]).current_dir(&work);
        let ended = process::run(&mut command, b"", LIMIT)?;
        if ended.status != ProcessStatus::Code(0) {
            return Err(format!("natively: {}: {}", ended.status, ended.stderr_text().trim()));
        }
        let bytes = std::fs::read(&answers).map_err(|e| format!("answers: {e}"))?;
        let behaviours = read(&bytes).ok_or("natively: an answer of no kind")?;
        match behaviours.len() == inputs.len() {
            true => Ok(behaviours),
            false => Err(format!("natively: {} answers", behaviours.len())),
        }
    }
}

/// Appends a request to run a program on an input.
pub fn request(out: &mut Vec<u8>, input: &ProgramInput) -> Result<(), String> {
    let variables = input.variables.iter();
    let variables: Vec<Vec<u8>> =
        variables.map(|(name, value)| [name, b"=".as_slice(), value].concat()).collect();
    for words in [&input.arguments, &variables] {
        out.push(u8::try_from(words.len()).map_err(|_| "too many words")?);
        words.iter().try_for_each(|word| put(out, word))?;
    }
    put(out, input.stdin.as_deref().unwrap_or_default())?;
    out.push(u8::from(!input.files.is_empty()));
    input.files.iter().take(1).try_for_each(|file| put(out, &file.bytes))
}

fn put(out: &mut Vec<u8>, bytes: &[u8]) -> Result<(), String> {
    let length = u16::try_from(bytes.len()).map_err(|_| "too many bytes")?;
    out.extend(length.to_le_bytes());
    out.extend(bytes);
    Ok(())
}

fn read(mut bytes: &[u8]) -> Option<Vec<Behaviour>> {
    let mut behaviours = Vec::new();
    while let [code, length, rest @ ..] = bytes {
        let (notes, rest) = rest.split_at_checked(usize::from(*length))?;
        let notes = String::from_utf8_lossy(notes).into_owned();
        behaviours.push(Behaviour { notes, code: *code });
        bytes = rest;
    }
    bytes.is_empty().then_some(behaviours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        let read = |bytes: &[u8]| read(bytes).map(|all| all.len());
        assert_eq!(read(b"\x02\x03abc\0\0"), Some(2));
        assert_eq!(read(b"\x02\x03ab"), None);
        assert_eq!(read(b"\x02"), None);
    }
}
