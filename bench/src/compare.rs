//! Runs a program natively and under Byway and compares its observable behaviour:
//! exit code and standard output.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::checks::CheckVerdict;
use crate::process::{self, ProcessResult, ProcessStatus};
use crate::sanitizers::SanitizedProgram;
use crate::setup::BenchSetup;
use crate::toolchain::Level;

/// A program built both ways, and how to run it.
pub struct ComparedProgram<'a> {
    /// The native executable.
    pub native: PathBuf,
    /// The arguments of byway: the program and its options.
    pub byway: Vec<OsString>,
    /// The program's arguments.
    pub args: Vec<String>,
    /// The program's standard input.
    pub stdin: Vec<u8>,
    /// The condition of native success.
    pub expect: Expectation,
    /// How long it may run natively and still be a test.
    pub native_limit: Duration,
    /// A command that shows a difference.
    pub reproduce: &'a str,
    /// The source for sanitizers, which may confirm a fault that Byway reports; `None` for a
    /// program that must not have any.
    pub judged: Option<JudgedSource<'a>>,
}

/// A source that sanitizers can be asked about.
pub struct JudgedSource<'a> {
    pub path: &'a Path,
    pub level: Level,
    pub flags: &'a [String],
    /// A directory for executables.
    pub folder: &'a Path,
}

/// The condition on a native run for the program to count as a test.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Expectation {
    /// End by itself.
    End,
    /// End with exit code 0: the program checks itself.
    Success,
}

/// For programs not our own: one that runs longer natively would take minutes in
/// an interpreter, or never ends.
pub const SHORT: Duration = Duration::from_secs(1);
/// A program that takes Byway longer than this is skipped, with that reason.
const BYWAY_LIMIT: Duration = Duration::from_secs(60);

/// The exit code byway gives a program that needs something it does not have.
pub const UNSUPPORTED: i32 = 3;

/// The prefix of byway's warning about a deviation from the machine; the deviation and its
/// count follow.
pub const UNFAITHFUL: &str = "byway: warning: not modelled faithfully: ";

/// Compares the two runs.
pub fn compare(setup: &BenchSetup, subject: &ComparedProgram) -> CheckVerdict {
    match runs(setup, subject) {
        Ok(verdict) => verdict,
        Err(error) => {
            CheckVerdict::Mismatch { difference: error, reproduce: subject.reproduce.to_owned() }
        }
    }
}

fn runs(setup: &BenchSetup, subject: &ComparedProgram) -> Result<CheckVerdict, String> {
    let native = native_run(subject)?;
    match native.status {
        ProcessStatus::TimedOut => {
            let seconds = subject.native_limit.as_secs();
            return Ok(CheckVerdict::NotApplicable(format!(
                "takes more than {seconds} s natively"
            )));
        }
        ProcessStatus::Signal(_) => {
            return Ok(CheckVerdict::NotApplicable("fails natively".to_owned()));
        }
        ProcessStatus::Code(code) if code != 0 && subject.expect == Expectation::Success => {
            return Ok(CheckVerdict::NotApplicable("fails natively".to_owned()));
        }
        ProcessStatus::Code(_) => {}
    }

    let mut command = setup.byway();
    command.arg("exec").args(&subject.byway).arg("--").args(&subject.args);
    let byway = process::run(&mut command, &subject.stdin, BYWAY_LIMIT)?;
    if byway.status == native.status && byway.stdout == native.stdout {
        return Ok(CheckVerdict::Agree);
    }
    if let Some(missing) = missing(&byway) {
        // Byway said itself that it left the program's path there.
        return Ok(CheckVerdict::Skipped(missing));
    }
    Ok(match byway.status {
        ProcessStatus::TimedOut => {
            CheckVerdict::Skipped(format!("takes Byway more than {} s", BYWAY_LIMIT.as_secs()))
        }
        ProcessStatus::Code(UNSUPPORTED) if is_unsupported(&byway) => {
            CheckVerdict::Skipped(first_line(&byway))
        }
        // Some programs print addresses, say, which no two runs share.
        status if status == native.status && !is_repeatable(subject, &native)? => {
            CheckVerdict::NotApplicable("prints something else in every native run".to_owned())
        }
        _ => match confirmed(subject, &byway) {
            Some(kind) => CheckVerdict::NotApplicable(format!(
                "has a defect, as a sanitizer confirms: {kind}"
            )),
            None => CheckVerdict::Mismatch {
                difference: difference(&native, &byway),
                reproduce: subject.reproduce.to_owned(),
            },
        },
    })
}

/// The kind of the fault that Byway reports, if a sanitizer reports the same.
fn confirmed(subject: &ComparedProgram, byway: &ProcessResult) -> Option<String> {
    let JudgedSource { path, level, flags, folder } = subject.judged.as_ref()?;
    let report = byway.stderr_text();
    let (line, kind) = reported_fault(&report, &file_name(path))?;
    // Without a sanitizer build there is no verdict.
    let sanitized = SanitizedProgram::build(path, *level, flags, folder).ok()?;
    let args: Vec<OsString> = subject.args.iter().map(OsString::from).collect();
    let findings = sanitized.run(&args, &subject.stdin).ok()?;
    if findings.iter().any(|it| it.is(kind, Some(line))) {
        return Some(kind.to_owned());
    }
    // The order of evaluation is not the same everywhere: another line may be the first.
    let elsewhere = findings.iter().any(|it| it.is_kind(kind));
    elsewhere.then(|| format!("{kind}, on another line"))
}

/// The fault that byway reports: `error[kind]: ...`, then the location, `file:line:column`.
pub fn reported_fault<'a>(report: &'a str, file: &str) -> Option<(u32, &'a str)> {
    let start = report.find("error[")?;
    let (kind, rest) = report[start + "error[".len()..].split_once(']')?;
    let place = format!("{file}:");
    let line = &rest[rest.find(&place)? + place.len()..];
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    Some((line[..digits].parse().ok()?, kind))
}

/// A file's name without folders.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Runs the executable with an empty environment, as Byway does.
fn native_run(subject: &ComparedProgram) -> Result<ProcessResult, String> {
    let mut command = Command::new(&subject.native);
    command.args(&subject.args).env_clear();
    process::run(&mut command, &subject.stdin, subject.native_limit)
}

/// Whether another native run prints the same.
fn is_repeatable(subject: &ComparedProgram, native: &ProcessResult) -> Result<bool, String> {
    Ok(native_run(subject)?.stdout == native.stdout)
}

/// A program may itself end with byway's code for "unsupported".
pub fn is_unsupported(byway: &ProcessResult) -> bool {
    byway.stderr_text().contains("unsupported")
}

/// Deviations from the machine that byway warns about, such as a system call.
pub fn missing(byway: &ProcessResult) -> Option<String> {
    let text = byway.stderr_text();
    let mut warnings = text.lines().filter_map(|line| line.strip_prefix(UNFAITHFUL));
    let (what, _times) = warnings.next()?.rsplit_once(" (")?;
    Some(format!("not modelled: {what}"))
}

/// The line in which byway itself says how the run ended.
pub fn first_line(byway: &ProcessResult) -> String {
    let text = byway.stderr_text();
    let own = |line: &&str| {
        line.starts_with("error[")
            || line.starts_with("byway:") && !line.starts_with("byway: warning")
    };
    text.lines().find(own).or(text.lines().next()).unwrap_or("no message").to_owned()
}

/// Describes the difference between the runs in one line.
pub fn difference(native: &ProcessResult, byway: &ProcessResult) -> String {
    let mut parts = Vec::new();
    if native.status != byway.status {
        let message = first_line(byway);
        parts.push(format!("{} natively, {} under Byway: {message}", native.status, byway.status));
    }
    if native.stdout != byway.stdout {
        parts.push(output_difference(&native.stdout, &byway.stdout));
    }
    parts.join("; ")
}

/// The first line in which two outputs differ.
pub fn output_difference(native: &[u8], byway: &[u8]) -> String {
    let mut native_lines = native.split(|&byte| byte == b'\n');
    let mut byway_lines = byway.split(|&byte| byte == b'\n');
    let show = |line: Option<&[u8]>| match line {
        Some(line) => format!("`{}`", String::from_utf8_lossy(&line[..line.len().min(80)])),
        None => "nothing".to_owned(),
    };
    let mut number = 0;
    loop {
        number += 1;
        let (expected, got) = (native_lines.next(), byway_lines.next());
        if expected != got {
            return format!(
                "line {number} is {} natively, {} under Byway",
                show(expected),
                show(got)
            );
        }
        if expected.is_none() {
            return "no difference".to_owned();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_of_what_is_not_modelled_are_understood() {
        let ended = |stderr: &str| ProcessResult {
            status: ProcessStatus::Code(1),
            stdout: Vec::new(),
            stderr: stderr.into(),
            time: Duration::ZERO,
        };
        let text = "error[abort]: x\nbyway: warning: not modelled faithfully: system call lstat (100 times)\n";
        assert_eq!(missing(&ended(text)), Some("not modelled: system call lstat".to_owned()));
        assert_eq!(first_line(&ended(text)), "error[abort]: x");
        assert_eq!(missing(&ended("byway: warning: something else\n")), None);
    }

    #[test]
    fn a_report_is_understood() {
        let report = "out\nerror[out-of-bounds]: it is\n  --> dir/a.c:12:5\n   at b.c:3:1\n";
        assert_eq!(reported_fault(report, "a.c"), Some((12, "out-of-bounds")));
        assert_eq!(reported_fault("byway: no such file", "a.c"), None);
    }

    #[test]
    fn the_first_differing_line_is_shown() {
        assert_eq!(
            output_difference(b"a\nb\nc", b"a\nx\nc"),
            "line 2 is `b` natively, `x` under Byway"
        );
        assert_eq!(output_difference(b"a\nb", b"a"), "line 2 is `b` natively, nothing under Byway");
    }
}
