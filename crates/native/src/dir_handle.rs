//! Access to directories that an untrusted program created and may still change. Each
//! directory is kept open by a descriptor and entered name by name, without following
//! links: a link would be resolved in our file system, not in the program's.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};

/// An open directory. It stays the same one even if it is moved.
#[derive(Debug)]
pub struct DirHandle {
    file: File,
}

impl DirHandle {
    /// Opens a directory. All components of the path but the last must be trusted.
    pub fn open(path: &Path) -> io::Result<DirHandle> {
        DirHandle::with(path, libc::O_NOFOLLOW)
    }

    /// Opens the root directory of a process.
    pub fn root_of(process: libc::pid_t) -> io::Result<DirHandle> {
        // A link, but one of the kernel.
        DirHandle::with(Path::new(&format!("/proc/{process}/root")), 0)
    }

    fn with(path: &Path, flags: libc::c_int) -> io::Result<DirHandle> {
        let mut options = OpenOptions::new();
        let file = options.read(true).custom_flags(libc::O_DIRECTORY | flags).open(path)?;
        Ok(DirHandle { file })
    }

    /// Opens a subdirectory. A leading `/` means this directory; `..` is rejected.
    pub fn below(&self, path: &Path) -> io::Result<DirHandle> {
        let mut dir = DirHandle { file: self.file.try_clone()? };
        for part in path.components() {
            match part {
                Component::Normal(name) => dir = DirHandle::open(&dir.entry(name))?,
                Component::RootDir | Component::CurDir => {}
                _ => return Err(io::Error::from(io::ErrorKind::InvalidInput)),
            }
        }
        Ok(dir)
    }

    /// The names of its entries, sorted.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.path())? {
            names.push(entry?.file_name());
        }
        names.sort();
        Ok(names)
    }

    /// Reads at most `limit` bytes of a file. Fails for anything but a regular file.
    pub fn read(&self, name: &OsStr, limit: u64) -> io::Result<Vec<u8>> {
        let mut options = OpenOptions::new();
        options.read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY);
        let file = options.open(self.entry(name))?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        let mut bytes = Vec::new();
        file.take(limit).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The path of an entry, for calls that do not follow a link in the last component. Valid
    /// while the handle is open.
    pub fn entry(&self, name: &OsStr) -> PathBuf {
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
    fn links_are_not_followed() {
        let dir = TempDir::new().expect("a directory");
        let at = |name: &str| dir.path().join(name);
        fs::create_dir_all(at("a/b")).expect("directories");
        fs::write(at("a/b/c"), "here").expect("a file");
        symlink(at("a"), at("link")).expect("a link");
        symlink(at("a/b/c"), at("a/b/d")).expect("a link");
        let handle = DirHandle::open(dir.path()).expect("a directory");
        let inner = handle.below(Path::new("/a/b")).expect("real directories");
        assert_eq!(inner.read("c".as_ref(), 3).expect("a file"), b"her");
        assert_eq!(inner.names().expect("readable"), ["c", "d"]);
        assert!(inner.read("d".as_ref(), 9).is_err(), "a link to a file");
        for path in ["link", "link/b", "a/../a", "none", "a/b/c"] {
            assert!(handle.below(Path::new(path)).is_err(), "{path}");
        }
        assert!(DirHandle::open(&at("link")).is_err());

        // The handle still refers to the moved directory.
        fs::rename(at("a"), at("moved")).expect("movable");
        symlink("/", at("a")).expect("a link");
        assert_eq!(inner.read("c".as_ref(), 9).expect("a file"), b"here");
        assert!(handle.below(Path::new("a/b")).is_err());
    }
}
