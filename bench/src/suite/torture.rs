//! The execute tests of GCC's C torture suite, from Debian's gcc-12 sources.
//!
//! Each program checks itself: it calls `abort` or ends with a code other than
//! zero if it was compiled wrongly. Those that clang refuses (nested functions,
//! gcc-only builtins) or that fail when built natively are no tests for Byway.

use std::path::{Path, PathBuf};

use super::{SuiteSelection, files};
use crate::checks::{CheckCase, CheckVerdict};
use crate::compare::{ComparedProgram, Expectation, JudgedSource, SHORT, compare, file_name};
use crate::setup::{BenchSetup, WorkDir};
use crate::sources;
use crate::toolchain::Level;

/// The programs are old C, so these flags make clang accept constructs it rejects by default.
const FLAGS: &[&str] = &[
    "-g",
    "-std=gnu17",
    "-Wno-implicit-int",
    "-Wno-implicit-function-declaration",
    "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types",
    "-Wno-incompatible-function-pointer-types",
    "-Wno-return-mismatch",
    "-Wno-deprecated-non-prototype",
];

/// Clang removes the body of a `main` that always has undefined behaviour; natively, the
/// next function in the executable runs instead.
const UNDEFINED: &str = "is undefined: at -O2 nothing is left of main but `unreachable`";

/// Programs that Byway rightly runs differently from the machine, with reasons.
const DIFFERENT: &[(&str, &str)] = &[
    ("20101011-1.c", "divides by zero to catch the signal; Byway reports the division"),
    ("20031003-1.c", UNDEFINED),
    ("builtin-prefetch-2.c", UNDEFINED),
    ("bcp-1.c", "reads far behind a string; Byway reports the read"),
    ("frame-address.c", "relies on where frames lie on the stack"),
    ("pr79286.c", UNDEFINED),
    ("pr64242.c", "relies on where allocas lie on the stack"),
];

/// A quick run takes every so-many-th program, at one level.
const QUICK_STEP: usize = 10;

/// All programs at all selected levels.
pub fn cases<'a>(
    setup: &'a BenchSetup,
    selection: &SuiteSelection,
) -> Result<Vec<CheckCase<'a>>, String> {
    let folder = sources::torture(setup)?;
    let mut programs = files(&folder, "c");
    programs.extend(files(&folder.join("ieee"), "c"));
    let mut cases = Vec::new();
    for (number, program) in programs.into_iter().enumerate() {
        for (which, &level) in selection.levels.iter().enumerate() {
            if selection.quick && number % QUICK_STEP != which * (QUICK_STEP / 2) {
                continue;
            }
            let name = format!("{} {}", file_name(&program), level.flag());
            let (program, checks) = (program.clone(), selection.checks.clone());
            cases.push(CheckCase {
                name: name.clone(),
                check: Box::new(move || check(setup, &program, level, &name, checks.as_deref())),
            });
        }
    }
    Ok(cases)
}

fn check(
    setup: &BenchSetup,
    program: &Path,
    level: Level,
    name: &str,
    checks: Option<&str>,
) -> CheckVerdict {
    let reproduce = format!(
        "./dev bench semantics --only torture --filter '{}' --opt {} --keep DIR",
        file_name(program),
        level.flag()
    );
    match build(setup, program, level, name) {
        Ok(TortureBuild { folder, native, bitcode, flags }) => {
            let judged =
                JudgedSource { path: program, level, flags: &flags, folder: folder.path() };
            let subject = ComparedProgram {
                native,
                byway: SuiteSelection::byway_arguments(checks, program, level, &flags, &bitcode),
                args: Vec::new(),
                stdin: Vec::new(),
                expect: Expectation::Success,
                native_limit: SHORT,
                reproduce: &reproduce,
                judged: Some(judged),
            };
            let known = DIFFERENT.iter().find(|(known, _)| *known == file_name(program));
            match (compare(setup, &subject), known) {
                (CheckVerdict::Mismatch { .. }, Some((_, why))) => {
                    CheckVerdict::Skipped((*why).to_owned())
                }
                (verdict, _) => verdict,
            }
        }
        Err(reason) => CheckVerdict::NotApplicable(reason),
    }
}

/// A program built natively and as bitcode.
struct TortureBuild {
    folder: WorkDir,
    native: PathBuf,
    bitcode: PathBuf,
    flags: Vec<String>,
}

fn build(
    setup: &BenchSetup,
    program: &Path,
    level: Level,
    name: &str,
) -> Result<TortureBuild, String> {
    let source = std::fs::read(program).map_err(|e| format!("cannot be read: {e}"))?;
    let source = String::from_utf8_lossy(&source);
    let folder = setup.folder(name)?;
    let (native, bitcode) = (folder.file("native"), folder.file("program.bc"));
    let mut flags: Vec<String> = FLAGS.iter().map(|&flag| flag.to_owned()).collect();
    flags.extend(own_flags(&source));
    setup
        .toolchain
        .bitcode(program, level, &flags, &bitcode)
        .map_err(|_| "clang does not compile it".to_owned())?;
    setup
        .toolchain
        .executable(&bitcode, level, &native)
        .map_err(|_| "does not link natively".to_owned())?;
    Ok(TortureBuild { folder, native, bitcode, flags })
}

/// The requested flags that change the meaning of a program. Those for other
/// targets, and those that only tune gcc, are left out.
fn own_flags(source: &str) -> Vec<String> {
    const MEANT: &[&str] = &[
        "-fwrapv",
        "-fgnu89-inline",
        "-std=gnu89",
        "-std=c89",
        "-std=c99",
        "-fno-strict-aliasing",
        "-fno-strict-overflow",
        "-ffast-math",
        "-fno-common",
        "-fno-inline",
        "-finstrument-functions",
        "-fno-builtin-abort",
    ];
    source
        .lines()
        .filter(|line| line.contains("dg-options") || line.contains("dg-additional-options"))
        .flat_map(|line| line.split(['"', ' ']))
        .filter(|word| MEANT.contains(word))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::own_flags;

    #[test]
    fn flags_that_change_the_meaning_are_kept() {
        let source = "/* { dg-options \"-Wno-psabi -fwrapv\" } */\n\
                      /* { dg-additional-options \"-fmodulo-sched\" } */\n";
        assert_eq!(own_flags(source), ["-fwrapv"]);
    }
}
