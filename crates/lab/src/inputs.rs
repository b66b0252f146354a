//! Digests of a run's inputs: its program, headers, directories of seeds, host files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::{LabError, Result};
use crate::host::Digester;

/// A directory with more entries is refused: every lab would read it.
const MAX_ENTRIES: usize = 100_000;

/// A file or directory that a run depends on, and its digest when the lab began.
#[derive(Clone, PartialEq, Debug)]
pub struct RunInput {
    pub path: PathBuf,
    pub digest: String,
}

impl RunInput {
    /// Digests the file or directory, without the directory `excluded`.
    pub fn of(path: PathBuf, excluded: &Path, digester: Digester<'_>) -> Result<RunInput> {
        Ok(RunInput { digest: digest(&path, excluded, digester)?, path })
    }

    /// Fails if it has changed.
    pub fn check(&self, excluded: &Path, digester: Digester<'_>) -> Result<()> {
        if digest(&self.path, excluded, digester)? == self.digest {
            return Ok(());
        }
        let shown = self.path.display();
        Err(LabError::new(format!("'{shown}' has changed since the lab began"))
            .hint("its result is discarded; the same command executes it on the new contents"))
    }
}

/// A digest of a file, or of a directory with its names, contents and link targets. Entries that
/// cannot be read are part of it as such.
fn digest(path: &Path, excluded: &Path, digester: Digester<'_>) -> Result<String> {
    let mut entries = Vec::new();
    // Links are followed at the top only.
    let root = fs::canonicalize(path).map_err(|error| LabError::io("read", path, &error))?;
    let mut waiting = vec![root.clone()];
    while let Some(path) = waiting.pop() {
        if path == excluded {
            continue;
        }
        if entries.len() > MAX_ENTRIES {
            return Err(LabError::new(format!(
                "'{}' has more than {MAX_ENTRIES} files, too many to detect changes",
                root.display()
            )));
        }
        let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        let contents = match contents(&path, &mut waiting, digester) {
            Ok(contents) => contents,
            Err(error) => format!("unreadable: {:?}", error.kind()),
        };
        entries.push(TreeEntry { name, contents });
    }
    // A directory lists its entries in any order.
    entries.sort();
    Ok(digester(&serde_json::to_vec(&entries).expect("plain data becomes JSON")))
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct TreeEntry {
    name: String,
    contents: String,
}

fn contents(path: &Path, waiting: &mut Vec<PathBuf>, digester: Digester<'_>) -> io::Result<String> {
    let kind = fs::symlink_metadata(path)?.file_type();
    if kind.is_symlink() {
        return Ok(format!("link to {}", fs::read_link(path)?.display()));
    }
    if kind.is_dir() {
        for entry in fs::read_dir(path)? {
            waiting.push(entry?.path());
        }
        return Ok("directory".into());
    }
    if !kind.is_file() {
        return Ok("special".into());
    }
    Ok(digester(&fs::read(path)?))
}
