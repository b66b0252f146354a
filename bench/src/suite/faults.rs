//! Programs that break a rule: `tests/faults/*.c`. The line to blame carries the
//! comment `// FAULT kind`, with a name of [`byway_base::FaultKind`]; byway must
//! report that kind and that line, and end with exit code 1.
//!
//! `// checks: alignment,shift` in the first lines turns checks on, `// opt: -O2`
//! sets the level (-O0 otherwise), `// flags: ...` adds flags for the compiler.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::programs::TestProgram;
use super::{SuiteSelection, files, header};
use crate::checks::{CheckCase, CheckVerdict};
use crate::compare::{file_name, reported_fault};
use crate::process::{self, ProcessStatus};
use crate::setup::BenchSetup;
use crate::toolchain::Level;

const LIMIT: Duration = Duration::from_secs(60);
const MARK: &str = "// FAULT ";

/// All programs, each at its own level.
pub fn cases<'a>(setup: &'a BenchSetup, _: &SuiteSelection) -> Result<Vec<CheckCase<'a>>, String> {
    let case = |path: PathBuf| CheckCase {
        name: file_name(&path),
        check: Box::new(move || match check(setup, &path) {
            Ok(()) => CheckVerdict::Agree,
            Err(difference) => {
                let name = file_name(&path);
                let reproduce = format!("./dev bench semantics --only faults --filter '{name}'");
                CheckVerdict::Mismatch { difference, reproduce }
            }
        }),
    };
    Ok(files(&setup.root.join("tests/faults"), "c").into_iter().map(case).collect())
}

/// All programs with the level each is compiled at.
pub fn levels(setup: &BenchSetup) -> Result<Vec<(PathBuf, Level)>, String> {
    let with_level = |path: PathBuf| Ok((path.clone(), level(&read(&path)?)?));
    files(&setup.root.join("tests/faults"), "c").into_iter().map(with_level).collect()
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

fn level(source: &str) -> Result<Level, String> {
    let Some(text) = header(source, "opt") else { return Ok(Level::O0) };
    text.parse().map_err(|error| format!("`// opt: {text}`: {error}"))
}

fn check(setup: &BenchSetup, path: &Path) -> Result<(), String> {
    let source = read(path)?;
    let (line, kind) = expected(&source)?;
    let program = TestProgram::read(path.to_owned())?;
    let mut command = setup.byway();
    command.args(["exec", "--no-cache", "--color=never"]);
    command.arg(level(&source)?.flag());
    if let Some(checks) = header(&source, "checks") {
        let checks: Vec<_> = checks.split([',', ' ']).filter(|word| !word.is_empty()).collect();
        command.arg(format!("--check={}", checks.join(",")));
    }
    if !program.flags.is_empty() {
        command.arg(format!("--cflags={}", program.flags.join(" ")));
    }
    command.arg(path).arg("--").args(program.args.iter().map(OsString::from));
    let ended = process::run(&mut command, &program.stdin, LIMIT)?;
    let report = ended.stderr_text();
    if ended.status != ProcessStatus::Code(1) {
        let first = report.lines().next().unwrap_or_default();
        return Err(format!(
            "{} instead of a fault ({kind} in line {line}): {first}",
            ended.status
        ));
    }
    let reported = reported_fault(&report, &file_name(path));
    if reported == Some((line, kind)) {
        return Ok(());
    }
    let reported = match reported {
        Some((line, kind)) => format!("{kind} in line {line}"),
        None => format!("nothing to be understood: {}", report.lines().next().unwrap_or_default()),
    };
    Err(format!("{kind} in line {line} expected, {reported} reported"))
}

/// The line to blame and the kind of the fault.
fn expected(source: &str) -> Result<(u32, &str), String> {
    let mut marks = source.lines().zip(1..).filter_map(|(line, number)| {
        let (_, rest) = line.split_once(MARK)?;
        Some((number, rest.split_whitespace().next()?))
    });
    let first = marks.next().ok_or_else(|| format!("no line carries `{MARK}...`"))?;
    match marks.next() {
        None => Ok(first),
        Some(_) => Err(format!("more than one line carries `{MARK}...`")),
    }
}

#[cfg(test)]
mod tests {
    use super::expected;

    #[test]
    fn the_marked_line_is_expected() {
        let source = "int main(void) {\n  abort(); // FAULT abort of course\n}\n";
        assert_eq!(expected(source), Ok((2, "abort")));
        assert!(expected("int x;").is_err());
        assert!(expected("a // FAULT x\nb // FAULT y\n").is_err());
    }
}
