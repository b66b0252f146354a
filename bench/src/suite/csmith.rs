//! Random programs from csmith, Debian's generator of C programs free of
//! undefined behaviour. A seed and the options below decide a program, so any
//! run can be repeated.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::SuiteSelection;
use crate::checks::{CheckCase, CheckVerdict};
use crate::compare::{ComparedProgram, Expectation, JudgedSource, SHORT, compare};
use crate::process;
use crate::setup::{BenchSetup, WorkDir};
use crate::toolchain::Level;

/// Where Debian's libcsmith-dev puts the header the programs include.
const INCLUDE: &str = "-I/usr/include/csmith";

/// Few seeds make csmith itself think for long.
const GENERATE_LIMIT: Duration = Duration::from_secs(10);

/// One program per seed; levels alternate.
pub fn cases<'a>(
    setup: &'a BenchSetup,
    selection: &SuiteSelection,
) -> Result<Vec<CheckCase<'a>>, String> {
    // It leaves a file behind wherever it runs.
    let mut version = Command::new("csmith");
    version.arg("--version").current_dir(std::env::temp_dir());
    process::succeed(&mut version, GENERATE_LIMIT)
        .map_err(|e| format!("{e}: install Debian's csmith and libcsmith-dev"))?;
    let levels = &selection.levels;
    let case = |seed: u32| {
        let level = levels[seed as usize % levels.len()];
        let name = format!("seed {seed} {}", level.flag());
        let checks = selection.checks.clone();
        CheckCase {
            name: name.clone(),
            check: Box::new(move || check(setup, seed, level, &name, checks.as_deref())),
        }
    };
    Ok(selection.seeds.clone().map(case).collect())
}

/// The features that a seed's program may use. Every third has floats; most are small,
/// since csmith needs longest for programs that say little more. The size must
/// not go by the parity of the seed, which decides the level.
fn generator_options(seed: u32) -> Vec<&'static str> {
    let mut options = vec!["--no-argc"];
    if seed.is_multiple_of(3) {
        options.extend(["--float", "--strict-float"]);
    }
    options.extend(match seed / 2 % 4 {
        0 => &[] as &[_],
        1 => &["--max-funcs", "6", "--max-block-depth", "4"],
        _ => &["--max-funcs", "4", "--max-block-depth", "3"],
    });
    options
}

fn check(
    setup: &BenchSetup,
    seed: u32,
    level: Level,
    name: &str,
    checks: Option<&str>,
) -> CheckVerdict {
    let folder = match setup.folder(name) {
        Ok(folder) => folder,
        Err(error) => return CheckVerdict::Skipped(error),
    };
    let source = folder.file("program.c");
    if let Err(reason) = generate(seed, &folder, &source) {
        return CheckVerdict::NotApplicable(reason);
    }
    let (native, bitcode) = (folder.file("native"), folder.file("program.bc"));
    // Pointers to floats and to integers are mixed by csmith, whence the second.
    let flags =
        [INCLUDE, "-fno-strict-aliasing", "-gline-tables-only", "-Wno-incompatible-pointer-types"]
            .map(str::to_owned);
    let built = setup
        .toolchain
        .bitcode(&source, level, &flags, &bitcode)
        .and_then(|()| setup.toolchain.executable(&bitcode, level, &native));
    if let Err(error) = built {
        let first = error.lines().next().unwrap_or_default().to_owned();
        return CheckVerdict::NotApplicable(format!("clang does not compile it: {first}"));
    }
    let reproduce = format!(
        "./dev bench semantics --only csmith --seeds {seed}..{} --opt {} --keep DIR",
        seed + 1,
        level.flag()
    );
    let subject = ComparedProgram {
        native,
        byway: SuiteSelection::byway_arguments(checks, &source, level, &flags, &bitcode),
        args: Vec::new(),
        stdin: Vec::new(),
        expect: Expectation::End,
        native_limit: SHORT,
        reproduce: &reproduce,
        judged: Some(JudgedSource { path: &source, level, flags: &flags, folder: folder.path() }),
    };
    compare(setup, &subject)
}

fn generate(seed: u32, folder: &WorkDir, source: &Path) -> Result<(), String> {
    let mut command = Command::new("csmith");
    // csmith writes a file of its own into the current directory.
    command.current_dir(folder.path()).args(generator_options(seed));
    command.args(["--seed", &seed.to_string(), "-o"]).arg(source);
    process::succeed(&mut command, GENERATE_LIMIT)
        .map(drop)
        .map_err(|_| format!("csmith makes no program of it in {} s", GENERATE_LIMIT.as_secs()))
}
