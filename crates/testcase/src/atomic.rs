//! Atomic file writes: the contents go to a temporary name in the same directory, which is
//! then renamed. A reader never sees a partial file, even if the writer is killed.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

/// Writes the file, replacing any file of that name. A failure leaves no partial file.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let partial = partial_name(path)?;
    let written = File::create(&partial)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(&partial, path));
    if written.is_err() {
        // The first error is the one to report; there may be nothing to remove.
        let _ = fs::remove_file(&partial);
    }
    written
}

/// Checks that the file can be written, before long work on its contents.
pub fn check(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    let partial = partial_name(path)?;
    File::create(&partial).and_then(|_| fs::remove_file(&partial))
}

/// Whether a file is one that a killed process did not rename.
pub fn is_partial(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let process = name.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    name.starts_with(b".") && !process.is_empty() && process.iter().all(u8::is_ascii_digit)
}

/// A hidden name in the same directory that no other process uses.
fn partial_name(path: &Path) -> io::Result<PathBuf> {
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path has no file name"))?;
    let mut partial = OsString::from(".");
    partial.push(name);
    partial.push(format!(".{}", process::id()));
    Ok(path.with_file_name(partial))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).expect("the directory").flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn replaces_the_file_and_leaves_no_other() {
        let dir = TempDir::new().expect("a directory");
        let path = dir.path().join("a.ktest");
        write(&path, b"one").expect("writable");
        write(&path, b"two").expect("writable");
        assert_eq!(fs::read(&path).expect("readable"), b"two");
        assert_eq!(names(dir.path()), ["a.ktest"]);
    }

    #[test]
    fn files_of_a_killed_process_are_known_by_their_names() {
        let partial = partial_name(Path::new("tests/000001.ktest")).expect("a name");
        assert!(is_partial(&partial), "{}", partial.display());
        for whole in ["tests/000001.ktest", ".hidden", ".7z", "000001.17", "/"] {
            assert!(!is_partial(Path::new(whole)), "{whole}");
        }
    }

    #[test]
    fn a_failure_leaves_nothing() {
        let dir = TempDir::new().expect("a directory");
        let taken = dir.path().join("taken");
        fs::create_dir(&taken).expect("a directory");
        assert!(write(&taken, b"x").is_err(), "a directory is in the way");
        assert!(write(&dir.path().join("missing/x"), b"x").is_err());
        assert!(write(Path::new("/"), b"x").is_err());
        assert_eq!(names(dir.path()), ["taken"]);
    }
}
