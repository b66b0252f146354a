//! The cache on disk. A file is named by the digest of everything it was made from. The cache only
//! saves time, so no failure here stops a run.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::failure::reason;
use crate::hash::Digest;

/// The subdirectory of lowered programs.
pub const MODULES: &str = "modules";
/// The subdirectory of the records of compiled C sources.
pub const COMPILATIONS: &str = "compilations";

/// The subdirectory of bitcode from native files, for commands that compile it.
pub const UNPACKED: &str = "unpacked";

/// Bytes in a subdirectory; beyond that, the least recently used files are evicted.
const MAX_BYTES: u64 = 2 << 30;
/// The process that wrote a partial file of this age has ended.
const ABANDONED: Duration = Duration::from_secs(3600);

pub struct Store {
    root: Option<PathBuf>,
}

impl Store {
    /// The cache in this directory; `None` disables it.
    pub fn new(root: Option<PathBuf>) -> Self {
        Store { root }
    }

    /// The file stored under this key.
    pub fn path(&self, directory: &str, key: Digest) -> Option<PathBuf> {
        let path = self.root.as_ref()?.join(directory).join(key.to_string());
        path.is_file().then_some(path)
    }

    /// The bytes stored under this key.
    pub fn get(&self, directory: &str, key: Digest) -> Option<Vec<u8>> {
        let path = self.path(directory, key)?;
        let bytes = fs::read(&path).ok()?;
        // Marks it as recently used. Fails on a read-only cache, which is fine.
        if let Ok(file) = File::options().append(true).open(&path) {
            let _ = file.set_modified(SystemTime::now());
        }
        Some(bytes)
    }

    /// Stores bytes under this key. Returns a warning if that fails.
    #[must_use]
    pub fn put(&self, directory: &str, key: Digest, bytes: &[u8]) -> Option<String> {
        let directory = self.root.as_ref()?.join(directory);
        match write_atomically(&directory, &key.to_string(), bytes) {
            Ok(()) => {
                evict(&directory, MAX_BYTES);
                None
            }
            Err(error) => Some(format!(
                "cannot write the cache '{}': {} (--no-cache silences this)",
                directory.display(),
                reason(&error)
            )),
        }
    }
}

/// Writes a file atomically.
fn write_atomically(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    let partial = dir.join(format!("{name}.{}.partial", std::process::id()));
    let written = File::create(&partial)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(&partial, dir.join(name)));
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written
}

/// Removes the least recently used files until the rest fits `limit`, and abandoned partial files.
fn evict(dir: &Path, limit: u64) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    let now = SystemTime::now();
    let mut files = Vec::new();
    for entry in entries.flatten() {
        let Ok(metadata) = entry.metadata() else { continue };
        let Ok(used) = metadata.modified() else { continue };
        if entry.path().extension().is_some_and(|ext| ext == "partial") {
            if now.duration_since(used).is_ok_and(|age| age > ABANDONED) {
                let _ = fs::remove_file(entry.path());
            }
            continue;
        }
        // Files that Byway did not write stay.
        if entry.file_name().to_str().and_then(Digest::parse).is_some() {
            files.push((used, metadata.len(), entry.path()));
        }
    }
    let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
    files.sort();
    for (_, size, path) in files {
        if total <= limit {
            return;
        }
        if fs::remove_file(path).is_ok() {
            total -= size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn get_returns_the_bytes_of_the_last_put() {
        let dir = TempDir::new().expect("a temporary directory");
        let store = Store::new(Some(dir.path().join("deep/down")));
        let key = Digest::of(b"key");
        assert_eq!(store.get(MODULES, key), None);
        assert_eq!(store.put(MODULES, key, b"one"), None);
        assert_eq!(store.put(MODULES, key, b"two"), None);
        assert_eq!(store.get(MODULES, key).as_deref(), Some(b"two".as_slice()));
        assert_eq!(store.get(COMPILATIONS, key), None);
    }

    #[test]
    fn stores_nothing_without_a_directory() {
        let store = Store::new(None);
        assert_eq!(store.put(MODULES, Digest::of(b"key"), b"one"), None);
        assert_eq!(store.get(MODULES, Digest::of(b"key")), None);
    }

    #[test]
    fn warns_when_it_cannot_write() {
        let dir = TempDir::new().expect("a temporary directory");
        let file = dir.path().join("file");
        fs::write(&file, "in the way").expect("a file");
        let warning = Store::new(Some(file)).put(MODULES, Digest::of(b"key"), b"one");
        assert!(warning.is_some_and(|text| text.contains("cannot write the cache")));
    }

    #[test]
    fn evicts_the_least_recently_used_files() {
        let dir = TempDir::new().expect("a temporary directory");
        let name = |name: &str| Digest::of(name.as_bytes()).to_string();
        let files = [(name("old"), 300), (name("middle"), 200), (name("new"), 100)];
        for (name, age) in files.into_iter().chain([("not ours".into(), 400)]) {
            let path = dir.path().join(name);
            fs::write(&path, [0; 100]).expect("a file");
            let file = File::options().append(true).open(&path).expect("the file");
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).expect("its time");
        }
        evict(dir.path(), 200);
        let left = |name: &str| dir.path().join(name).exists();
        assert!(!left(&name("old")) && left(&name("middle")) && left(&name("new")));
        assert!(left("not ours"));
    }

    #[test]
    fn removes_abandoned_partial_files_only() {
        let dir = TempDir::new().expect("a temporary directory");
        for (name, age) in [("dead.1.partial", 7200), ("live.2.partial", 1)] {
            let path = dir.path().join(name);
            fs::write(&path, "x").expect("a file");
            let file = File::options().append(true).open(&path).expect("the file");
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).expect("its time");
        }
        evict(dir.path(), 0);
        assert!(!dir.path().join("dead.1.partial").exists());
        assert!(dir.path().join("live.2.partial").exists());
    }
}
