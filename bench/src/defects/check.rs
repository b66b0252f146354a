//! The check of one program: what the sanitizers find, Byway must find, and nothing else.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::time::Duration;

use byway_base::TestCase;
use byway_testcase::symbolic::ProgramInput;

use super::program::{Channel, DefectProgram};
use crate::explore::found_paths::FoundPaths;
use crate::process::{self, ProcessStatus};
use crate::sanitizers::{SanitizedProgram, SanitizerFinding};
use crate::setup::{BenchSetup, WorkDir};
use crate::toolchain::Level;

/// An exploration takes a fraction of a second; this is for a machine that does much else.
const LIMIT: Duration = Duration::from_secs(120);

/// The result of checking a program.
#[derive(Default, Debug)]
pub struct DefectResult {
    /// What the sanitizers report for the triggering input.
    pub findings: Vec<SanitizerFinding>,
    /// Byway reports one of these, with a test that shows it.
    pub found: bool,
    /// Why Byway's reports do not count as found.
    pub missed: Option<String>,
    /// Byway finds it in the unoptimised program only: clang has removed it from the optimised
    /// one before Byway sees it, but not from the one that it instruments.
    pub optimised_away: bool,
    /// Reports of Byway that no sanitizer confirms.
    pub false_reports: Vec<String>,
}

/// Checks a program, and without optimisation if it is missed with it.
pub fn check(
    setup: &BenchSetup,
    program: &DefectProgram,
    folder: &WorkDir,
) -> Result<DefectResult, String> {
    let mut result = check_level(setup, program, folder)?;
    if result.missed.is_some() && program.level != Level::O0 {
        let unoptimised = DefectProgram { level: Level::O0, ..program.clone() };
        let retried = check_level(setup, &unoptimised, folder)?;
        result.false_reports.extend(retried.false_reports);
        if retried.found {
            (result.optimised_away, result.missed) = (true, None);
        }
    }
    Ok(result)
}

/// Builds and runs both twins. Fails if the program is no test.
fn check_level(
    setup: &BenchSetup,
    program: &DefectProgram,
    folder: &WorkDir,
) -> Result<DefectResult, String> {
    let (defective, repaired) = (folder.file("program.c"), folder.file("repaired.c"));
    write(&defective, &program.defective)?;
    write(&repaired, &program.repaired)?;

    let build = |source| SanitizedProgram::build(source, program.level, &[], folder.path());
    let native = build(&defective)?;
    let findings = natively(&native, program.channel, &program.trigger)?;
    expect_clean(&native, program, &program.clean, "a clean input")?;
    expect_clean(&build(&repaired)?, program, &program.trigger, "the repaired program")?;

    let mut result = DefectResult { findings, ..DefectResult::default() };
    let reported = explore(setup, program, &defective, folder)?;
    judge(&mut result, &reported);
    if result.found {
        result.missed = test_is_wrong(&result, &reported, program, &native)?;
        result.found = result.missed.is_none();
    }
    let of_twin = explore(setup, program, &repaired, folder)?;
    result.false_reports.extend(of_twin.iter().map(|it| format!("repaired: {it}")));
    Ok(result)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

/// What the sanitizers find on an input.
fn natively(
    native: &SanitizedProgram,
    channel: Channel,
    input: &[u8],
) -> Result<Vec<SanitizerFinding>, String> {
    match channel {
        Channel::Stdin => native.run(&[], input),
        Channel::Argument => {
            let end = input.iter().position(|&byte| byte == 0).unwrap_or(input.len());
            native.run(&[OsString::from_vec(input[..end].to_vec())], b"")
        }
    }
}

fn expect_clean(
    native: &SanitizedProgram,
    program: &DefectProgram,
    input: &[u8],
    what: &str,
) -> Result<(), String> {
    match natively(native, program.channel, input)?.first() {
        None => Ok(()),
        Some(SanitizerFinding { what: found, line, .. }) => {
            Err(format!("the generator is wrong: {what} has a defect: {found} in line {line:?}"))
        }
    }
}

/// A fault that Byway reports.
#[derive(Debug)]
struct BywayReport {
    kind: String,
    line: Option<u32>,
    test: TestCase,
}

impl std::fmt::Display for BywayReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "{} in line {line}", self.kind),
            None => write!(f, "{} in no line", self.kind),
        }
    }
}

/// The distinct faults of an exploration with all checks.
fn explore(
    setup: &BenchSetup,
    program: &DefectProgram,
    source: &Path,
    folder: &WorkDir,
) -> Result<Vec<BywayReport>, String> {
    let out = source.with_extension("run");
    let mut command = setup.byway();
    // Loaded programs are cached in the same folder, not in the user's cache.
    command.env("BYWAY_CACHE", folder.file("cache"));
    command.args(["run", "--color=never", "--max-time=60s"]).arg("--output-dir").arg(&out);
    command.args(options(program)).arg(source);
    let ended = process::run(&mut command, b"", LIMIT)?;
    if !matches!(ended.status, ProcessStatus::Code(0 | 1)) {
        return Err(format!("byway ended with {}: {}", ended.status, ended.stderr_text().trim()));
    }
    let found = FoundPaths::read(&out)?;
    drop(std::fs::remove_dir_all(&out));
    let mut faults: Vec<BywayReport> = Vec::new();
    for prediction in found.predictions {
        let Some((kind, line)) = prediction.end.split_once('@') else { continue };
        let line = line.parse().ok();
        if !faults.iter().any(|fault| fault.kind == kind && fault.line == line) {
            faults.push(BywayReport { kind: kind.to_owned(), line, test: prediction.test });
        }
    }
    Ok(faults)
}

/// The options of `byway run` for a program.
pub fn options(program: &DefectProgram) -> Vec<&'static str> {
    let mut options = vec!["--checks=all", program.level.flag()];
    options.extend(match program.channel {
        Channel::Stdin => ["--sym-stdin", "2"],
        Channel::Argument => ["--sym-arg", "2"],
    });
    options
}

/// Compares the faults of the defective program with the findings.
fn judge(result: &mut DefectResult, reported: &[BywayReport]) {
    let listed = |faults: &[BywayReport]| {
        faults.iter().map(BywayReport::to_string).collect::<Vec<_>>().join(", ")
    };
    if result.findings.is_empty() {
        // Byway may see more; but there is one defect only.
        if reported.len() > 1 {
            result.false_reports.push(format!("several reports: {}", listed(reported)));
        }
        return;
    }
    let extra: Vec<String> = reported
        .iter()
        .filter(|fault| !result.confirms(fault))
        .map(|fault| format!("defective: {fault}"))
        .collect();
    result.found = extra.len() < reported.len();
    if result.found {
        result.false_reports.extend(extra);
    } else {
        result.missed = Some(match reported {
            [] => "no report".to_owned(),
            some => format!("{} reported", listed(some)),
        });
    }
}

impl DefectResult {
    /// Whether a sanitizer reports the same.
    fn confirms(&self, fault: &BywayReport) -> bool {
        self.findings.iter().any(|finding| finding.is(&fault.kind, fault.line))
    }
}

/// Why the test of the found fault does not show it natively.
fn test_is_wrong(
    result: &DefectResult,
    reported: &[BywayReport],
    program: &DefectProgram,
    native: &SanitizedProgram,
) -> Result<Option<String>, String> {
    let Some(fault) = reported.iter().find(|fault| result.confirms(fault)) else { return Ok(None) };
    let input = ProgramInput::from_test(&fault.test)?;
    let input = match program.channel {
        Channel::Stdin => input.stdin.unwrap_or_default(),
        Channel::Argument => input.arguments.get(1).cloned().unwrap_or_default(),
    };
    if input == program.trigger || !natively(native, program.channel, &input)?.is_empty() {
        return Ok(None);
    }
    Ok(Some(format!("its test {:?} shows nothing natively", String::from_utf8_lossy(&input))))
}
