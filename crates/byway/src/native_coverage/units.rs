//! The compilation units of an instrumented program. The program contains the names of its
//! counter files; the notes of each unit are beside those, or below a given directory.

use std::fs;
use std::path::{Component, Path, PathBuf};

use byway_native::dir_handle::DirHandle;

use crate::failure::{Failure, Result};
use crate::native_coverage::gcov::{Counters, Notes};

/// The limit on the size of a counter file in bytes.
const MAX_COUNTERS: u64 = 256 << 20;

/// The counter files of the units.
pub struct CompilationUnits {
    counters: Vec<PathBuf>,
}

impl CompilationUnits {
    /// Finds the units of a program and parses their notes.
    pub fn find(program: &Path, below: &Path) -> Result<(CompilationUnits, Vec<Notes>)> {
        let bytes = fs::read(program).map_err(|error| Failure::io("read", program, &error))?;
        let (mut counters, mut notes) = (Vec::new(), Vec::new());
        let mut without = None;
        for file in counter_files(&bytes) {
            let Some(path) = notes_of(&file, below) else {
                without.get_or_insert(file);
                continue;
            };
            let bytes = fs::read(&path).map_err(|error| Failure::io("read", &path, &error))?;
            let read = Notes::parse(&bytes)
                .map_err(|why| Failure::new(format!("'{}' is damaged: {why}", path.display())))?;
            counters.push(file);
            notes.push(read);
        }
        match (notes.is_empty(), without) {
            (false, _) => Ok((CompilationUnits { counters }, notes)),
            (true, Some(file)) => Err(Failure::new(format!(
                "'{}' does not exist, nor below '{}'",
                file.with_extension("gcno").display(),
                below.display()
            ))
            .hint("--notes names the directory of the .gcno files")),
            (true, None) => {
                Err(Failure::new(format!("'{}' is not built with coverage", program.display()))
                    .hint("build it with gcc --coverage or clang --coverage"))
            }
        }
    }

    /// Reads the counters that a run left below `root` in the control directory. The program wrote
    /// them, so no link is followed.
    pub fn read(&self, control: &DirHandle, root: &Path) -> Vec<(usize, Counters)> {
        let inside = |file: &PathBuf| {
            let dir = control.below(root).ok()?.below(file.parent()?).ok()?;
            dir.read(file.file_name()?, MAX_COUNTERS).ok()
        };
        let read = |(unit, file)| Some((unit, Counters::parse(&inside(file)?).ok()?));
        self.counters.iter().enumerate().filter_map(read).collect()
    }
}

/// The names of counter files in a program: absolute paths that end in `.gcda`.
fn counter_files(program: &[u8]) -> Vec<PathBuf> {
    let ending = b".gcda\0";
    let mut files: Vec<PathBuf> = Vec::new();
    for at in 0..program.len().saturating_sub(ending.len() - 1) {
        if !program[at..].starts_with(ending) {
            continue;
        }
        let Some(name) = name_ending(&program[..at + ending.len() - 1]) else { continue };
        let file = PathBuf::from(name);
        if !files.contains(&file) {
            files.push(file);
        }
    }
    files
}

/// The absolute path at the end of `bytes`. The data before it may be any constant and need not
/// end in a zero byte, so the path begins at the first slash followed by text only.
fn name_ending(bytes: &[u8]) -> Option<&str> {
    let start = bytes.iter().rposition(|&byte| byte == 0).map_or(0, |nul| nul + 1);
    let slashes = (start..bytes.len()).filter(|&at| bytes[at] == b'/');
    let mut names = slashes.filter_map(|at| str::from_utf8(&bytes[at..]).ok());
    names.find(|name| !name.contains(char::is_control))
}

/// The notes of a counter file: beside it, or below a directory under the longest suffix of its
/// path.
fn notes_of(counters: &Path, below: &Path) -> Option<PathBuf> {
    let beside = counters.with_extension("gcno");
    if beside.is_file() {
        return Some(beside);
    }
    let parts: Vec<Component> = beside.components().collect();
    let shorter = (1..parts.len()).map(|skipped| parts[skipped..].iter().collect::<PathBuf>());
    shorter.map(|name| below.join(name)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_contain_the_names_of_their_counters() {
        let program = b"\0\0/a/b c.gcda\0x\0/a/b c.gcda\0relative.gcda\0/d.gcdax\0/e.gcda";
        assert_eq!(counter_files(program), [PathBuf::from("/a/b c.gcda")]);
    }

    #[test]
    fn a_name_may_follow_any_constant() {
        let program = b"\0VM\xff\xff3/\xff/a/b.gcda\0x/\x02/c.gcda\0";
        assert_eq!(counter_files(program), ["/a/b.gcda", "/c.gcda"].map(PathBuf::from));
    }

    #[test]
    fn notes_are_found_by_the_longest_suffix() {
        let dir = tempfile::TempDir::new().expect("a directory");
        fs::create_dir(dir.path().join("src")).expect("a directory");
        for name in ["wc.gcno", "src/wc.gcno"] {
            fs::write(dir.path().join(name), "").expect("writable");
        }
        let found = |name: &str| notes_of(Path::new(name), dir.path());
        assert_eq!(found("/gone/src/wc.gcda"), Some(dir.path().join("src/wc.gcno")));
        assert_eq!(found("/gone/lib/wc.gcda"), Some(dir.path().join("wc.gcno")));
        assert_eq!(found("/gone/src/cut.gcda"), None);
    }
}
