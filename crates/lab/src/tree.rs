//! Digests of what a run depends on: its program, a header, a directory of seeds, the files it
//! is shown.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::host::Digester;
use crate::problem::{Problem, Result};

/// A directory with more in it than this is refused: it would be read for every lab.
const MOST_ENTRIES: usize = 100_000;

/// What a run depends on, and what stood for it when the lab began.
#[derive(Clone, PartialEq, Debug)]
pub struct Input {
    /// The file or directory.
    pub path: PathBuf,
    /// Its digest.
    pub digest: String,
}

impl Input {
    /// Takes the digest now.
    pub fn of(path: PathBuf, but: &Path, digester: Digester<'_>) -> Result<Input> {
        Ok(Input { digest: digest(&path, but, digester)?, path })
    }

    /// Complains if it is no longer what it was.
    pub fn check(&self, but: &Path, digester: Digester<'_>) -> Result<()> {
        if digest(&self.path, but, digester)? == self.digest {
            return Ok(());
        }
        let shown = self.path.display();
        Err(Problem::new(format!("'{shown}' has changed since the lab began"))
            .hint("nothing is kept of this run; the same command makes it of what is there now"))
    }
}

/// What stands for a file, or for a directory with all in it: names, contents, and where links
/// lead. What is in `but` does not count. What cannot be read counts as such.
fn digest(path: &Path, but: &Path, digester: Digester<'_>) -> Result<String> {
    let mut entries = Vec::new();
    // Only the first may be a link.
    let root = fs::canonicalize(path).map_err(|error| Problem::io("read", path, &error))?;
    let mut waiting = vec![root.clone()];
    while let Some(path) = waiting.pop() {
        if path == but {
            continue;
        }
        if entries.len() > MOST_ENTRIES {
            return Err(Problem::new(format!(
                "'{}' has more than {MOST_ENTRIES} files, too many to tell whether they change",
                root.display()
            )));
        }
        let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        let held = match held(&path, &mut waiting, digester) {
            Ok(held) => held,
            Err(error) => format!("unreadable: {:?}", error.kind()),
        };
        entries.push(Entry { name, held });
    }
    // Directories tell what is in them in any order.
    entries.sort();
    Ok(digester(&serde_json::to_vec(&entries).expect("plain data becomes JSON")))
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Entry {
    name: String,
    held: String,
}

fn held(path: &Path, waiting: &mut Vec<PathBuf>, digester: Digester<'_>) -> io::Result<String> {
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
