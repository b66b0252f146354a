//! The suites of `byway-bench semantics`: each makes cases of the programs of
//! one source.

pub mod csmith;
pub mod faults;
pub mod programs;
pub mod torture;

use std::path::{Path, PathBuf};

use crate::toolchain::Level;

/// Which programs to run.
pub struct SuiteSelection {
    /// Only a sample that takes a few minutes.
    pub quick: bool,
    /// The levels to compile at.
    pub levels: Vec<Level>,
    /// The first csmith seed and one past the last.
    pub seeds: std::ops::Range<u32>,
}

/// The files of a folder with an extension, sorted by name; none if there is no
/// such folder.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

/// The value of a comment `// key: ...` in the first lines of a program.
pub fn header<'a>(source: &'a str, key: &str) -> Option<&'a str> {
    let lines = source.lines().take(5);
    lines
        .filter_map(|line| line.trim_start_matches(['/', ';', ' ']).strip_prefix(key))
        .find_map(|rest| rest.trim_start().strip_prefix(':'))
        .map(str::trim)
}

/// A file's name without folders.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::header;

    #[test]
    fn header_comments_are_found() {
        let source = "// A test.\n// flags: -fwrapv -O1\n; opt: -O2\nint x;\n";
        assert_eq!(header(source, "flags"), Some("-fwrapv -O1"));
        assert_eq!(header(source, "opt"), Some("-O2"));
        assert_eq!(header(source, "checks"), None);
    }
}
