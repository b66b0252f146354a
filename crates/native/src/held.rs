//! Directories that a program made, and may still be changing. They are held by
//! descriptors and entered name by name, so that a link put in place of one leads nowhere:
//! the way through it would be taken in our file system, not in the program's.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};

/// A directory that stays the same one, wherever it is moved.
#[derive(Debug)]
pub struct Dir {
    file: File,
}

impl Dir {
    /// The directory of this path, of which all but the last name can be relied on.
    pub fn open(path: &Path) -> io::Result<Dir> {
        Dir::with(path, libc::O_NOFOLLOW)
    }

    /// The root that a process sees.
    pub fn root_of(process: libc::pid_t) -> io::Result<Dir> {
        // It is a link that the kernel answers for.
        Dir::with(Path::new(&format!("/proc/{process}/root")), 0)
    }

    fn with(path: &Path, flags: libc::c_int) -> io::Result<Dir> {
        let mut options = OpenOptions::new();
        let file = options.read(true).custom_flags(libc::O_DIRECTORY | flags).open(path)?;
        Ok(Dir { file })
    }

    /// A directory below, by names alone: a root before them means this directory.
    pub fn below(&self, path: &Path) -> io::Result<Dir> {
        let mut dir = Dir { file: self.file.try_clone()? };
        for part in path.components() {
            match part {
                Component::Normal(name) => dir = Dir::open(&dir.at(name))?,
                Component::RootDir | Component::CurDir => {}
                _ => return Err(io::Error::from(io::ErrorKind::InvalidInput)),
            }
        }
        Ok(dir)
    }

    /// What is in it, sorted by name.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.path())? {
            names.push(entry?.file_name());
        }
        names.sort();
        Ok(names)
    }

    /// What a file in it holds, up to some bytes. Fails if it is a link, or no file.
    pub fn read(&self, name: &OsStr, most: u64) -> io::Result<Vec<u8>> {
        let mut options = OpenOptions::new();
        options.read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY);
        let file = options.open(self.at(name))?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        let mut held = Vec::new();
        file.take(most).read_to_end(&mut held)?;
        Ok(held)
    }

    /// A path to a name in it, for calls that follow no link at the end. Holds while this is.
    pub fn at(&self, name: &OsStr) -> PathBuf {
        self.path().join(name)
    }

    fn path(&self) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", self.file.as_raw_fd()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use tempfile::TempDir;

    #[test]
    fn no_link_is_gone_through() {
        let dir = TempDir::new().expect("a directory");
        let at = |name: &str| dir.path().join(name);
        fs::create_dir_all(at("a/b")).expect("directories");
        fs::write(at("a/b/c"), "here").expect("a file");
        symlink(at("a"), at("link")).expect("a link");
        symlink(at("a/b/c"), at("a/b/d")).expect("a link");
        let held = Dir::open(dir.path()).expect("a directory");
        let inner = held.below(Path::new("/a/b")).expect("a way by names");
        assert_eq!(inner.read("c".as_ref(), 3).expect("a file"), b"her");
        assert_eq!(inner.names().expect("readable"), ["c", "d"]);
        assert!(inner.read("d".as_ref(), 9).is_err(), "a link to a file");
        for path in ["link", "link/b", "a/../a", "none", "a/b/c"] {
            assert!(held.below(Path::new(path)).is_err(), "{path}");
        }
        assert!(Dir::open(&at("link")).is_err());

        // It stays the one it was.
        fs::rename(at("a"), at("moved")).expect("movable");
        symlink("/", at("a")).expect("a link");
        assert_eq!(inner.read("c".as_ref(), 9).expect("a file"), b"here");
        assert!(held.below(Path::new("a/b")).is_err());
    }
}
