//! `byway klee-replay`: runs a native program on tests with symbolic arguments and files.
//!
//! The program gets what KLEE's tool gives it: the arguments of the test, a directory with its
//! files, standard input, and otherwise the caller's environment and streams, so that gcov's
//! counters are written where the build wants them. An input that the program declares itself
//! is there for the replay library.

mod flags;
mod monitor;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use byway_testcase::ktest;
use byway_testcase::symbolic::ProgramInput;
use tempfile::TempDir;

pub use flags::{EXAMPLES, KleeReplayFlags};

use self::monitor::MonitoredProgram;
use crate::console::say;
use crate::exit;
use crate::failure::{Failure, Result};
use crate::report::visible;

/// The file with symbolic standard input.
const STDIN: &str = "fd0";

/// Runs the tests, or makes the files of one.
pub fn klee_replay(flags: &KleeReplayFlags) -> Result<u8> {
    if let Some(test) = &flags.create_files_only {
        let (input, _) = read(test)?;
        return make_files(&input, &std::env::temp_dir()).map(|dir| {
            let _kept = dir.keep();
            exit::SUCCESS
        });
    }
    let Some((program, tests)) = flags.words.split_first() else {
        return Err(Failure::new("klee-replay needs a program and tests"));
    };
    let program = MonitoredProgram::new(program, flags.chroot_to_dir.as_deref())?;
    for (index, test) in tests.iter().enumerate() {
        if index > 0 {
            say("");
        }
        replay(&program, test, flags)?;
    }
    Ok(exit::SUCCESS)
}

fn replay(program: &MonitoredProgram, test: &Path, flags: &KleeReplayFlags) -> Result<()> {
    let (input, remaining) = read(test)?;
    note(&format!("Test file: {}", test.display()));
    let arguments = input.arguments.iter().skip(1).map(Vec::as_slice);
    let words = [program.name.as_encoded_bytes()].into_iter().chain(arguments);
    let shown = words.map(|word| format!("\"{}\" ", visible(&String::from_utf8_lossy(word))));
    note(&format!("Arguments: {}", shown.collect::<String>()));
    for failure in &input.failures {
        warn(&format!("{failure} fails in the test, but not in a native run"));
    }
    let dir = make_files(&input, &program.parent_of_files())?;
    let test = (remaining > 0).then(|| absolute(test)).transpose()?;
    let ran = program.run(&input, dir.path(), test.as_deref());
    match flags.keep_replay_dir {
        true => drop(dir.keep()),
        false => {
            note(&format!("removing {}", dir.path().display()));
            let path = dir.path().to_path_buf();
            dir.close().map_err(|error| Failure::io("remove", &path, &error))?;
        }
    }
    ran
}

/// The input that a test stands for, and how many inputs the program declares itself.
fn read(path: &Path) -> Result<(ProgramInput, usize)> {
    let test = ktest::read(path).map_err(|error| Failure::io("read", path, &error))?;
    let input = ProgramInput::from_test(&test).map_err(|why| {
        Failure::new(format!("'{}' is inconsistent with its options: {why}", path.display()))
    })?;
    let remaining = test.inputs.len().saturating_sub(input.consumed_inputs);
    Ok((input, remaining))
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).map_err(|error| Failure::io("find", path, &error))
}

/// Makes a directory with the files of a test.
fn make_files(input: &ProgramInput, parent: &Path) -> Result<TempDir> {
    let dir = tempfile::Builder::new()
        .prefix("klee-replay-")
        .tempdir_in(parent)
        .map_err(|error| Failure::io("make a directory in", parent, &error))?;
    note(&format!("Storing KLEE replay files in {}", dir.path().display()));
    let files = input.files.iter().map(|file| (file.name.as_str(), file.bytes.as_slice()));
    for (name, bytes) in files.chain(input.stdin.as_deref().map(|bytes| (STDIN, bytes))) {
        let path = dir.path().join(name);
        note(&format!("Creating file {} of length {}", path.display(), bytes.len()));
        fs::write(&path, bytes).map_err(|error| Failure::io("write", &path, &error))?;
    }
    for (name, status) in &input.file_status {
        set_status(&dir.path().join(name), status)
            .unwrap_or_else(|error| warn(&format!("cannot set the mode of {name}: {error}")));
    }
    Ok(dir)
}

/// Gives a file the mode that the test has for it; its other fields stay.
fn set_status(path: &Path, status: &byway_testcase::symbolic::FileStatus) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(status.mode))
}

fn note(text: &str) {
    say(&format!("KLEE-REPLAY: NOTE: {text}"));
}

fn warn(text: &str) {
    say(&format!("KLEE-REPLAY: WARNING: {text}"));
}
