//! The files of this machine that a program under test may read: those below the directories that
//! the user named. Their parent directories exist too, but appear to contain nothing else.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::fs::{self, Metadata, OpenOptions};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use byway_engine::{HostFile, HostFiles};

use super::FileResult;

use crate::failure::{Failure, Result};

/// The user and group of the program under test; see `runtime/src/fs.h`.
const PROGRAM_USER: u32 = 1000;
const PROGRAM_GROUP: u32 = 1000;

/// Read-only access to the files below some directories, the roots.
#[derive(Default)]
pub struct HostDirectories {
    roots: Vec<PathBuf>,
    /// The directory that was listed last, and its names: a listing reads it once.
    listed: Option<(PathBuf, Vec<Vec<u8>>)>,
}

impl HostDirectories {
    /// Gives access to these directories.
    pub fn new(directories: &[PathBuf]) -> Result<Self> {
        let roots = directories.iter().map(|directory| {
            let found = fs::canonicalize(directory);
            let found =
                found.map_err(|error| Failure::io("open the host directory", directory, &error))?;
            if found.is_dir() {
                return Ok(found);
            }
            Err(Failure::new(format!(
                "cannot open the host directory '{}': not a directory",
                directory.display()
            ))
            .hint("--host-files takes a directory; the program sees all files below it"))
        });
        Ok(HostDirectories { roots: roots.collect::<Result<_>>()?, listed: None })
    }

    fn names(&self, path: &Path) -> FileResult<Vec<Vec<u8>>> {
        if self.is_above_root(path) {
            let next = |root: &PathBuf| {
                let rest = root.strip_prefix(path).ok()?;
                Some(rest.iter().next()?.as_bytes().to_vec())
            };
            let names: BTreeSet<_> = self.roots.iter().filter_map(next).collect();
            return Ok(names.into_iter().collect());
        }
        self.check_visible(path)?;
        let entries = fs::read_dir(path).map_err(errno)?;
        let mut names: Vec<_> =
            entries.filter_map(|entry| Some(entry.ok()?.file_name().into_vec())).collect();
        names.sort();
        Ok(names)
    }

    /// Whether the path is a parent of a root, and below none.
    fn is_above_root(&self, path: &Path) -> bool {
        self.roots.iter().any(|root| root.starts_with(path))
            && !self.roots.iter().any(|root| path.starts_with(root))
    }

    /// An error unless the path is a root or below one, without passing through a symbolic link:
    /// the runtime resolves links itself, one by one.
    fn check_visible(&self, path: &Path) -> FileResult<()> {
        if self.roots.iter().any(|root| root == path) {
            return Ok(());
        }
        let parent = path.parent().ok_or(libc::ENOENT)?;
        let is_plain = path.file_name().is_some()
            && fs::canonicalize(parent).is_ok_and(|real| real.as_os_str() == parent.as_os_str());
        let is_inside = self.roots.iter().any(|root| parent.starts_with(root));
        if is_plain && is_inside { Ok(()) } else { Err(libc::ENOENT) }
    }
}

impl HostFiles for HostDirectories {
    fn stat(&mut self, path: &[u8]) -> FileResult<HostFile> {
        let path = as_path(path);
        if self.is_above_root(path) {
            return Ok(HostFile { mode: libc::S_IFDIR | 0o755, links: 2, ..HostFile::default() });
        }
        self.check_visible(path)?;
        let about = fs::symlink_metadata(path).map_err(errno)?;
        Ok(describe(&about))
    }

    fn read(&mut self, path: &[u8], offset: u64, out: &mut [u8]) -> FileResult<usize> {
        let path = as_path(path);
        self.check_visible(path)?;
        // A link may leave the roots, and opening a device may have effects. The flags below
        // protect against a link or device that replaces the file after this check.
        if !fs::symlink_metadata(path).map_err(errno)?.is_file() {
            return Err(libc::EINVAL);
        }
        let mut how = OpenOptions::new();
        how.read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY);
        how.open(path).and_then(|file| file.read_at(out, offset)).map_err(errno)
    }

    /// Names are sorted by their bytes.
    fn list(&mut self, path: &[u8], index: u64) -> FileResult<Option<Vec<u8>>> {
        let path = as_path(path);
        if self.listed.as_ref().is_none_or(|(listed, _)| listed != path) {
            self.listed = Some((path.to_owned(), self.names(path)?));
        }
        let names = self.listed.as_ref().map(|(_, names)| names.as_slice()).unwrap_or_default();
        Ok(usize::try_from(index).ok().and_then(|index| names.get(index)).cloned())
    }

    fn link(&mut self, path: &[u8]) -> FileResult<Vec<u8>> {
        let path = as_path(path);
        self.check_visible(path)?;
        fs::read_link(path).map(|target| target.into_os_string().into_vec()).map_err(errno)
    }

    fn directory(&mut self) -> FileResult<Vec<u8>> {
        let directory = env::current_dir().and_then(fs::canonicalize).map_err(errno)?;
        let directory = directory.into_os_string().into_vec();
        self.check_visible(as_path(&directory))?;
        Ok(directory)
    }
}

/// Files of the current user and group belong to the program's.
fn describe(about: &Metadata) -> HostFile {
    // SAFETY: these calls have no preconditions and always succeed.
    let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
    HostFile {
        mode: about.mode(),
        size: about.size(),
        modified: about.mtime(),
        number: about.ino(),
        links: about.nlink(),
        user: if about.uid() == user { PROGRAM_USER } else { about.uid() },
        group: if about.gid() == group { PROGRAM_GROUP } else { about.gid() },
    }
}

fn as_path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

fn errno(error: io::Error) -> i32 {
    error.raw_os_error().unwrap_or(libc::EIO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use tempfile::TempDir;

    /// A directory `shown` with a file, a link out of it and a link to a directory out
    /// of it, beside a directory `secret` with a file.
    fn setup() -> (TempDir, PathBuf, HostDirectories) {
        let dir = TempDir::new().unwrap();
        let base = fs::canonicalize(dir.path()).unwrap();
        fs::create_dir_all(base.join("shown/inner")).unwrap();
        fs::create_dir_all(base.join("secret")).unwrap();
        fs::write(base.join("shown/file"), "hello").unwrap();
        fs::write(base.join("secret/key"), "secret").unwrap();
        symlink(base.join("secret/key"), base.join("shown/link")).unwrap();
        symlink(base.join("secret"), base.join("shown/door")).unwrap();
        let files = HostDirectories::new(&[base.join("shown")]).unwrap();
        (dir, base, files)
    }

    fn bytes(path: &Path) -> &[u8] {
        path.as_os_str().as_bytes()
    }

    #[test]
    fn only_files_below_a_root_are_visible() {
        let (_dir, base, mut files) = setup();
        let mut out = [0; 8];
        let shown = base.join("shown");
        assert_eq!(files.read(bytes(&shown.join("file")), 1, &mut out), Ok(4));
        assert_eq!(&out[..4], b"ello");
        assert_eq!(files.list(bytes(&shown), 1), Ok(Some(b"file".to_vec())));
        assert_eq!(files.list(bytes(&shown), 4), Ok(None));
        assert_eq!(files.list(bytes(&base), 0), Ok(Some(b"shown".to_vec())));
        assert_eq!(files.list(bytes(&base), 1), Ok(None));
        assert_eq!(files.stat(b"/").unwrap().mode & libc::S_IFMT, libc::S_IFDIR);
        assert_eq!(files.stat(bytes(&base.join("secret"))), Err(libc::ENOENT));
        assert_eq!(files.stat(bytes(&base.join("secret/key"))), Err(libc::ENOENT));
    }

    #[test]
    fn links_and_dots_do_not_leave_a_root() {
        let (_dir, base, mut files) = setup();
        let mut out = [0; 8];
        let shown = base.join("shown");
        assert_eq!(files.read(bytes(&shown.join("link")), 0, &mut out), Err(libc::EINVAL));
        assert_eq!(files.read(bytes(&shown.join("door/key")), 0, &mut out), Err(libc::ENOENT));
        assert_eq!(files.stat(bytes(&shown.join("../secret/key"))), Err(libc::ENOENT));
        assert_eq!(files.stat(bytes(&shown.join("inner/../../secret"))), Err(libc::ENOENT));
        assert_eq!(
            files.link(bytes(&shown.join("door"))),
            Ok(bytes(&base.join("secret")).to_vec())
        );
    }

    #[test]
    fn nothing_is_visible_by_default() {
        let mut files = HostDirectories::default();
        assert_eq!(files.stat(b"/"), Err(libc::ENOENT));
        assert_eq!(files.list(b"/", 0), Err(libc::ENOENT));
        assert_eq!(files.read(b"/etc/hostname", 0, &mut [0]), Err(libc::ENOENT));
        assert!(files.directory().is_err());
    }
}
