//! The compilations a program is made of: it names the files its counters go to, and the
//! notes of each are beside those, or somewhere below a directory.

use std::fs;
use std::path::{Component, Path, PathBuf};

use byway_native::dir_handle::DirHandle;

use crate::failure::{Failure, Result};
use crate::native_coverage::gcov::{Counters, Notes};

/// No file of counters is larger.
const MAX_COUNTERS: u64 = 256 << 20;

/// Where counters of compilations go, by the place of the compilation.
pub struct Units {
    counters: Vec<PathBuf>,
}

impl Units {
    /// Finds the compilations of a program and reads their notes.
    pub fn find(program: &Path, below: &Path) -> Result<(Units, Vec<Notes>)> {
        let bytes = fs::read(program).map_err(|error| Failure::io("read", program, &error))?;
        let (mut counters, mut notes) = (Vec::new(), Vec::new());
        let mut without = None;
        for file in counter_files(&bytes) {
            let Some(path) = notes_of(&file, below) else {
                without.get_or_insert(file);
                continue;
            };
            let bytes = fs::read(&path).map_err(|error| Failure::io("read", &path, &error))?;
            let read = Notes::read(&bytes)
                .map_err(|why| Failure::new(format!("'{}' is damaged: {why}", path.display())))?;
            counters.push(file);
            notes.push(read);
        }
        match (notes.is_empty(), without) {
            (false, _) => Ok((Units { counters }, notes)),
            (true, Some(file)) => Err(Failure::new(format!(
                "'{}' is not there, below '{}' neither",
                file.with_extension("gcno").display(),
                below.display()
            ))
            .hint("--notes says where the .gcno files of the coverage build are")),
            (true, None) => {
                Err(Failure::new(format!("'{}' counts no coverage", program.display()))
                    .hint("build it with gcc --coverage or clang --coverage"))
            }
        }
    }

    /// What a run left of counters, below a directory that stands for the root. The
    /// program wrote them: no link is followed.
    pub fn read(&self, kept: &DirHandle, root: &Path) -> Vec<(usize, Counters)> {
        let inside = |file: &PathBuf| {
            let dir = kept.below(root).ok()?.below(file.parent()?).ok()?;
            dir.read(file.file_name()?, MAX_COUNTERS).ok()
        };
        let read = |(unit, file)| Some((unit, Counters::read(&inside(file)?)?));
        self.counters.iter().enumerate().filter_map(read).collect()
    }
}

/// The names of files for counters that stand in a program. They are whole paths, but what
/// comes before one need not end in a zero byte: it may be a table of jumps or of letters. So a
/// name begins at the first slash after which all is text.
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

/// The absolute name at the end of some bytes. What stands before it need not end with a
/// zero: constants of another kind may lie there.
fn name_ending(bytes: &[u8]) -> Option<&str> {
    let start = bytes.iter().rposition(|&byte| byte == 0).map_or(0, |nul| nul + 1);
    let slashes = (start..bytes.len()).filter(|&at| bytes[at] == b'/');
    let mut names = slashes.filter_map(|at| str::from_utf8(&bytes[at..]).ok());
    names.find(|name| !name.contains(char::is_control))
}

/// The notes that belong to a file of counters: beside it, or below a directory under as
/// much of its name as can be.
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
    fn programs_name_their_counters() {
        let program = b"\0\0/a/b c.gcda\0x\0/a/b c.gcda\0relative.gcda\0/d.gcdax\0/e.gcda";
        assert_eq!(counter_files(program), [PathBuf::from("/a/b c.gcda")]);
    }

    #[test]
    fn a_name_may_follow_upon_any_constant() {
        let program = b"\0VM\xff\xff3/\xff/a/b.gcda\0x/\x02/c.gcda\0";
        assert_eq!(counter_files(program), ["/a/b.gcda", "/c.gcda"].map(PathBuf::from));
    }

    #[test]
    fn notes_are_found_by_as_much_of_their_name_as_can_be() {
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
