//! The suites of `byway-bench semantics`: each makes cases of the programs of
//! one source.

pub mod csmith;
pub mod faults;
pub mod programs;
pub mod torture;

use std::ffi::OsString;
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
    /// The value of `--checks` for byway; `None` for its default checks.
    pub checks: Option<String>,
    /// Whether the points-to analysis is checked, in the repository's own programs.
    pub points_to: bool,
}

impl SuiteSelection {
    /// The arguments of byway for a program. With checks it gets the source: some checks are
    /// instrumentation that its compiler adds.
    pub fn byway_arguments(
        checks: Option<&str>,
        source: &Path,
        level: Level,
        flags: &[String],
        bitcode: &Path,
    ) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec!["--no-cache".into()];
        match checks {
            Some(checks) => {
                words.extend(
                    [format!("--checks={checks}"), level.flag().to_owned()].map(OsString::from),
                );
                words.push(format!("--cflags={}", flags.join(" ")).into());
                words.push(source.into());
            }
            None => words.push(bitcode.into()),
        }
        words
    }
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
