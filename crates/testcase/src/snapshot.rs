//! What a program left in a directory, as bytes that are the same if, and only if, it
//! left the same: names, kinds, rights, sizes, where links lead, and what files hold.
//! Times are left out.

use std::fs;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

/// No more bytes of all files together, and no more entries, are looked at.
const MAX_BYTES: u64 = 4 << 20;
const MAX_ENTRIES: usize = 10_000;

/// What is in a directory. The program made it, so no link is followed, and what cannot
/// be read (a program may take its own rights away) is noted as such.
pub fn of(dir: &Path) -> Vec<u8> {
    let mut snapshot = Snapshot { bytes: Vec::new(), left: MAX_BYTES, entries: 0 };
    snapshot.directory(dir);
    snapshot.bytes
}

struct Snapshot {
    bytes: Vec<u8>,
    left: u64,
    entries: usize,
}

impl Snapshot {
    fn directory(&mut self, root: &Path) {
        // A list of what is left to do, not calls: directories nest without limit.
        let mut waiting = vec![root.to_path_buf()];
        while let Some(dir) = waiting.pop() {
            let Ok(entries) = fs::read_dir(&dir) else {
                self.part(b"unreadable");
                continue;
            };
            let mut entries: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
            entries.sort();
            for path in entries {
                self.entries += 1;
                if self.entries > MAX_ENTRIES {
                    return;
                }
                self.part(path.strip_prefix(root).unwrap_or(&path).as_os_str().as_bytes());
                let Ok(about) = fs::symlink_metadata(&path) else { continue };
                self.part(&about.mode().to_le_bytes());
                let kind = about.file_type();
                if kind.is_dir() {
                    waiting.push(path);
                } else if kind.is_symlink() {
                    let target = fs::read_link(&path).unwrap_or_default();
                    self.part(target.as_os_str().as_bytes());
                } else if kind.is_file() {
                    self.part(&about.size().to_le_bytes());
                    let held = self.contents(&path).unwrap_or_else(|_| b"unreadable".to_vec());
                    self.part(&held);
                } else if kind.is_block_device() || kind.is_char_device() {
                    self.part(&about.rdev().to_le_bytes());
                }
            }
        }
    }

    fn contents(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
        let file = fs::OpenOptions::new().read(true).custom_flags(flags).open(path)?;
        let mut held = Vec::new();
        let read = file.take(self.left).read_to_end(&mut held)?;
        self.left -= read as u64;
        Ok(held)
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
    use crate::tempdir::TempDir;

    #[test]
    fn whatever_is_left_otherwise_shows() {
        let dir = TempDir::new().expect("a directory");
        let at = |name: &str| dir.path().join(name);
        let mut seen = vec![of(dir.path())];
        let mut changed = |what: &str| {
            let now = of(dir.path());
            assert!(!seen.contains(&now), "{what} does not show");
            assert_eq!(of(dir.path()), now, "{what}");
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
        fs::remove_file(at("b")).expect("removable");
        changed("its removal");
        // A loop of links ends nobody's work.
        std::os::unix::fs::symlink(dir.path(), at("loop")).expect("a link");
        changed("a link to itself");
    }
}
