//! A directory for files that nobody should see afterwards.

use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A private directory that is removed with all it holds when dropped.
pub struct TempDir {
    path: PathBuf,
}

impl TempDir {
    /// Makes one where the system keeps its temporary files.
    pub fn new() -> io::Result<Self> {
        let root = std::env::temp_dir();
        let mut tries = 0;
        loop {
            let nanos = SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| since.subsec_nanos());
            let path = root.join(format!("byway-{}-{nanos:x}", std::process::id()));
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(TempDir { path }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < 100 => {
                    tries += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        // Nothing sensible can be done if it fails; the system tidies its own
        // temporary directory in time.
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_removed_with_its_contents() {
        let dir = TempDir::new().expect("a temporary directory");
        let path = dir.path().to_path_buf();
        fs::write(path.join("file"), "x").expect("a file in it");
        drop(dir);
        assert!(!path.exists());
    }

    #[test]
    fn two_do_not_meet() {
        let (one, two) = (TempDir::new().expect("one"), TempDir::new().expect("two"));
        assert_ne!(one.path(), two.path());
    }
}
