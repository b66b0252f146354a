//! A fingerprint of a directory's contents: equal exactly for equal names, file types,
//! permissions, sizes, link targets and file contents. Times are not included.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::PathBuf;
use std::rc::Rc;

use crate::dir_handle::DirHandle;

/// Limits on the bytes of all files together, and on entries; the rest is not compared.
const MAX_BYTES: u64 = 4 << 20;
const MAX_ENTRIES: usize = 10_000;
/// The limit on depth: each level may keep a directory open.
const MAX_DEPTH: usize = 64;

/// The contents of a directory; `None` stands for one that no longer exists. No link is
/// followed. A file that cannot be read (a program may remove its own permissions) is
/// recorded as unreadable.
pub fn take(dir: Option<DirHandle>) -> Vec<u8> {
    let mut snapshot = SnapshotBuilder { bytes: Vec::new(), bytes_left: MAX_BYTES, entries: 0 };
    match dir {
        Some(dir) => snapshot.directory(dir),
        None => snapshot.part(b"none"),
    }
    snapshot.bytes
}

struct SnapshotBuilder {
    bytes: Vec<u8>,
    bytes_left: u64,
    entries: usize,
}

impl SnapshotBuilder {
    fn directory(&mut self, root: DirHandle) {
        // A worklist instead of recursion. A parent stays open until its subdirectories are.
        let mut waiting = vec![(Rc::new(root), PathBuf::new())];
        while let Some((dir, path)) = waiting.pop() {
            // Except for the root, `dir` is the parent of the directory at `path`.
            let dir = match path.file_name().map(|name| DirHandle::open(&dir.entry(name))) {
                None => dir,
                Some(Ok(dir)) => Rc::new(dir),
                Some(Err(_)) => {
                    self.part(b"unreadable");
                    continue;
                }
            };
            let Ok(names) = dir.names() else {
                self.part(b"unreadable");
                continue;
            };
            for name in names {
                self.entries += 1;
                if self.entries > MAX_ENTRIES {
                    return;
                }
                let inner = path.join(&name);
                self.part(inner.as_os_str().as_bytes());
                let at = dir.entry(&name);
                let Ok(about) = fs::symlink_metadata(&at) else { continue };
                self.part(&about.mode().to_le_bytes());
                let kind = about.file_type();
                if kind.is_dir() {
                    if inner.components().count() <= MAX_DEPTH {
                        waiting.push((dir.clone(), inner));
                    }
                } else if kind.is_symlink() {
                    let target = fs::read_link(&at).unwrap_or_default();
                    self.part(target.as_os_str().as_bytes());
                } else if kind.is_file() {
                    self.part(&about.size().to_le_bytes());
                    let contents =
                        dir.read(&name, self.bytes_left).unwrap_or(b"unreadable".to_vec());
                    self.bytes_left = self.bytes_left.saturating_sub(contents.len() as u64);
                    self.part(&contents);
                } else if kind.is_block_device() || kind.is_char_device() {
                    self.part(&about.rdev().to_le_bytes());
                }
            }
        }
    }

    /// Appends a part with its length, so that different lists of parts give different bytes.
    fn part(&mut self, part: &[u8]) {
        self.bytes.extend((part.len() as u64).to_le_bytes());
        self.bytes.extend(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn every_difference_changes_the_snapshot() {
        let dir = TempDir::new().expect("a directory");
        let at = |name: &str| dir.path().join(name);
        let look = || take(DirHandle::open(dir.path()).ok());
        let mut seen = vec![take(None), look()];
        let mut changed = |what: &str| {
            let now = look();
            assert!(!seen.contains(&now), "{what} does not show");
            assert_eq!(look(), now, "{what}");
            seen.push(now);
        };
        fs::write(at("a"), "one").expect("writable");
        changed("a file");
        fs::write(at("a"), "two").expect("writable");
        changed("what it holds");
        fs::rename(at("a"), at("b")).expect("movable");
        changed("its name");
        std::os::unix::fs::symlink("/nowhere", at("l")).expect("a link");
        changed("a link");
        fs::create_dir(at("d")).expect("a directory");
        changed("a directory");
        fs::write(at("d/x"), "").expect("writable");
        changed("a file in it");
        fs::create_dir_all(at(&"d/".repeat(2 * MAX_DEPTH))).expect("directories");
        changed("directories without end");
        fs::remove_file(at("b")).expect("removable");
        changed("its removal");
        // A cycle of links does not loop.
        std::os::unix::fs::symlink(dir.path(), at("loop")).expect("a link");
        changed("a link to itself");
    }
}
