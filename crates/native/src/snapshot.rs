//! What a program left in a directory, as bytes that are the same if, and only if, it
//! left the same: names, kinds, rights, sizes, where links lead, and what files hold.
//! Times are left out.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::PathBuf;
use std::rc::Rc;

use crate::held::Dir;

/// No more bytes of all files together, and no more entries, are looked at.
const MAX_BYTES: u64 = 4 << 20;
const MAX_ENTRIES: usize = 10_000;
/// No directory further down is looked into: each above it may be held open.
const MAX_DEPTH: usize = 64;

/// What is in a directory; `None` stands for one that is there no more. The program made it,
/// so no link is followed, and what cannot be read (a program may take its own rights
/// away) is noted as such.
pub fn of(dir: Option<Dir>) -> Vec<u8> {
    let mut snapshot = Snapshot { bytes: Vec::new(), left: MAX_BYTES, entries: 0 };
    match dir {
        Some(dir) => snapshot.directory(dir),
        None => snapshot.part(b"none"),
    }
    snapshot.bytes
}

struct Snapshot {
    bytes: Vec<u8>,
    left: u64,
    entries: usize,
}

impl Snapshot {
    fn directory(&mut self, root: Dir) {
        // A list of what is left to do, not calls. A directory is held until all in it are
        // opened.
        let mut waiting = vec![(Rc::new(root), PathBuf::new())];
        while let Some((dir, path)) = waiting.pop() {
            // Below the first, `dir` is what the one meant is in.
            let dir = match path.file_name().map(|name| Dir::open(&dir.at(name))) {
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
                let at = dir.at(&name);
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
                    let held = dir.read(&name, self.left).unwrap_or(b"unreadable".to_vec());
                    self.left = self.left.saturating_sub(held.len() as u64);
                    self.part(&held);
                } else if kind.is_block_device() || kind.is_char_device() {
                    self.part(&about.rdev().to_le_bytes());
                }
            }
        }
    }

    /// Each part carries its length, so that no two lists of parts are the same bytes.
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
    fn whatever_is_left_otherwise_shows() {
        let dir = TempDir::new().expect("a directory");
        let at = |name: &str| dir.path().join(name);
        let look = || of(Dir::open(dir.path()).ok());
        let mut seen = vec![of(None), look()];
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
        // A loop of links ends nobody's work.
        std::os::unix::fs::symlink(dir.path(), at("loop")).expect("a link");
        changed("a link to itself");
    }
}
