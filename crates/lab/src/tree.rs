//! A digest of what a run reads beside its program: a header, a directory of seeds, the
//! files it is shown.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::host::Host;
use crate::problem::{Problem, Result};

/// A directory with more in it than this is refused: it would be read for every lab.
const MOST_ENTRIES: usize = 100_000;

/// What stands for a file, or for a directory with all in it: names, contents, and where links
/// lead. What is in `but` does not count. What cannot be read counts as such.
pub fn digest(path: &Path, but: &Path, host: &Host<'_>) -> Result<String> {
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
        let held = match held(&path, &mut waiting, host) {
            Ok(held) => held,
            Err(error) => format!("unreadable: {:?}", error.kind()),
        };
        entries.push(Entry { name, held });
    }
    // Directories tell what is in them in any order.
    entries.sort();
    Ok((host.digest)(&serde_json::to_vec(&entries).expect("plain data becomes JSON")))
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Entry {
    name: String,
    held: String,
}

fn held(path: &Path, waiting: &mut Vec<PathBuf>, host: &Host<'_>) -> io::Result<String> {
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
    Ok((host.digest)(&fs::read(path)?))
}
