//! The repository's own programs: `tests/c/*.c`, given to byway as C, and
//! `tests/ll/*.ll`, given to it as text (-O0) and as optimised bitcode (-O2).
//!
//! Beside `NAME.c` may lie `NAME.in` (standard input) and `NAME.args` (one
//! argument per line); `// flags: ...` in the first lines gives further flags
//! for the compiler.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{SuiteSelection, files, header};
use crate::checks::{CheckCase, CheckVerdict};
use crate::compare::{ComparedProgram, Expectation, JudgedSource, compare, file_name};
use crate::setup::{BenchSetup, WorkDir};
use crate::toolchain::Level;

/// Ours take milliseconds; this is for a machine that does much else.
const NATIVE_LIMIT: Duration = Duration::from_secs(20);

/// A program of the repository.
pub struct TestProgram {
    /// Where it lies.
    pub path: PathBuf,
    /// Further flags for the compiler.
    pub flags: Vec<String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its standard input.
    pub stdin: Vec<u8>,
}

impl TestProgram {
    /// Reads the comments and the accompanying files of a program.
    pub fn read(path: PathBuf) -> Result<Self, String> {
        let cannot = |e| format!("cannot read {}: {e}", path.display());
        let source = std::fs::read_to_string(&path).map_err(cannot)?;
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let args = std::fs::read_to_string(path.with_extension("args")).unwrap_or_default();
        Ok(TestProgram {
            flags: header(&source, "flags").map(words).unwrap_or_default(),
            args: args.lines().map(str::to_owned).collect(),
            stdin: std::fs::read(path.with_extension("in")).unwrap_or_default(),
            path,
        })
    }

    /// All programs that run to their end.
    pub fn all(setup: &BenchSetup) -> Result<Vec<Self>, String> {
        let tests = setup.root.join("tests");
        let mut paths = files(&tests.join("c"), "c");
        paths.extend(files(&tests.join("ll"), "ll"));
        paths.into_iter().map(TestProgram::read).collect()
    }

    /// The file that byway runs. At -O2 textual IR becomes optimised bitcode in the
    /// folder first: byway itself only optimises C.
    pub fn for_byway(
        &self,
        setup: &BenchSetup,
        level: Level,
        folder: &WorkDir,
    ) -> Result<Vec<OsString>, String> {
        let mut words: Vec<OsString> = vec!["--no-cache".into()];
        if self.path.extension().is_some_and(|extension| extension == "c") {
            words.push(level.flag().into());
            if !self.flags.is_empty() {
                words.push(format!("--cflags={}", self.flags.join(" ")).into());
            }
            words.push(self.path.clone().into());
        } else if level == Level::O0 {
            words.push(self.path.clone().into());
        } else {
            let optimised = folder.file("optimised.bc");
            setup.toolchain.bitcode(&self.path, level, &self.flags, &optimised)?;
            words.push(optimised.into());
        }
        Ok(words)
    }
}

/// All programs at all selected levels.
pub fn cases<'a>(
    setup: &'a BenchSetup,
    selection: &SuiteSelection,
) -> Result<Vec<CheckCase<'a>>, String> {
    let mut cases = Vec::new();
    for &level in &selection.levels {
        for program in TestProgram::all(setup)? {
            let name = format!("{} {}", file_name(&program.path), level.flag());
            let (checks, points_to) = (selection.checks.clone(), selection.points_to);
            let check = move || check(setup, &program, level, checks.as_deref(), points_to);
            cases.push(CheckCase { name, check: Box::new(check) });
        }
    }
    Ok(cases)
}

fn check(
    setup: &BenchSetup,
    program: &TestProgram,
    level: Level,
    checks: Option<&str>,
    points_to: bool,
) -> CheckVerdict {
    let name = file_name(&program.path);
    let reproduce = format!(
        "./dev bench semantics --only programs --filter '{name}' --opt {} --keep DIR",
        level.flag()
    );
    let prepared = setup.folder(&format!("{name} {}", level.flag())).and_then(|folder| {
        let native = build(setup, &program.path, level, &program.flags, &folder)?;
        Ok((native, program.for_byway(setup, level, &folder)?, folder))
    });
    match prepared {
        Ok((native, mut byway, folder)) => {
            byway.extend(checks.map(|checks| format!("--checks={checks}").into()));
            byway.extend(points_to.then(|| "--check-points-to".into()));
            // Without more checks none of them has a fault; with them some do what C excludes.
            let judged = checks.map(|_| JudgedSource {
                path: &program.path,
                level,
                flags: &program.flags,
                folder: folder.path(),
            });
            let subject = ComparedProgram {
                native,
                byway,
                args: program.args.clone(),
                stdin: program.stdin.clone(),
                expect: Expectation::End,
                native_limit: NATIVE_LIMIT,
                reproduce: &reproduce,
                judged,
            };
            match compare(setup, &subject) {
                // These are ours: one that is no test is a mistake in it.
                CheckVerdict::NotApplicable(difference) if checks.is_none() => {
                    CheckVerdict::Mismatch { difference, reproduce }
                }
                verdict => verdict,
            }
        }
        Err(difference) => CheckVerdict::Mismatch { difference, reproduce },
    }
}

fn build(
    setup: &BenchSetup,
    source: &Path,
    level: Level,
    flags: &[String],
    folder: &WorkDir,
) -> Result<PathBuf, String> {
    let (bitcode, native) = (folder.file("program.bc"), folder.file("native"));
    setup.toolchain.bitcode(source, level, flags, &bitcode)?;
    setup.toolchain.executable(&bitcode, level, &native)?;
    Ok(native)
}
