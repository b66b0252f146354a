//! Finds KLEE's output directories, and the names under which they are printed.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use byway_klee_stats::run_stats;

use crate::failure::{Failure, Result};

/// The directories with statistics: those given, or else all below them. Links are listed
/// (`klee-last`), but not followed any further.
pub fn find(given: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for directory in given {
        match is_output(directory) {
            true => found.push(directory.clone()),
            false => search(directory, &mut found)
                .map_err(|error| Failure::io("search", directory, &error))?,
        }
    }
    match found.is_empty() {
        false => Ok(found),
        true => Err(Failure::new("no output directory of klee found: none has info and run.stats")
            .hint("for a run of 'byway run' use 'byway stats'")),
    }
}

fn is_output(directory: &Path) -> bool {
    directory.join("info").exists() && directory.join(run_stats::FILE).exists()
}

fn search(directory: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(directory)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    for path in entries.into_iter().filter(|path| path.is_dir()) {
        if is_output(&path) {
            found.push(path.clone());
        }
        if !path.is_symlink() {
            // A directory below that must not be read has nothing to print.
            let _ = search(&path, found);
        }
    }
    Ok(())
}

/// The names of several directories: without the parts that all have in common at the front.
/// A single directory keeps its name as it was given.
pub fn names(directories: &[PathBuf]) -> Vec<String> {
    if let [directory] = directories {
        return vec![directory.display().to_string()];
    }
    let parts: Vec<Vec<Component>> =
        directories.iter().map(|path| path.components().collect()).collect();
    let common = |index: usize| {
        parts.iter().all(|one| one.len() > index + 1 && one[index] == parts[0][index])
    };
    let skipped = (0..).take_while(|&index| common(index)).count();
    let name = |one: &Vec<Component>| one[skipped..].iter().collect::<PathBuf>();
    parts.iter().map(|one| name(one).display().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_parts_are_left_out() {
        let named = |paths: &[&str]| names(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(named(&["./a/klee-out-0/"]), ["./a/klee-out-0/"]);
        assert_eq!(named(&["./a/klee-out-0", "./a/b/klee-out-1/"]), ["klee-out-0", "b/klee-out-1"]);
        assert_eq!(named(&["x", "x"]), ["x", "x"], "a name is never empty");
        assert_eq!(named(&["/x", "y/z"]), ["/x", "y/z"]);
    }
}
